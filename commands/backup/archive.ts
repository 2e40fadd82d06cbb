import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Duplex, pipeline, Readable } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { TarPackController } from 'modern-tar'
import { syncFolder } from '../../db/folder.ts'

/*
 * A backup is a tar in a zstd frame, which may be sealed by age: the tools of these names open it too. zstd stores
 * what it cannot make smaller, such as images, as it is. The entries, in this order:
 *
 *   manifest.json            what is in it, and by which version it was made
 *   gatehouse.db             a snapshot of the database, if that is SQLite
 *   areas/NAME.json          declarations
 *   secrets/SVC_URL_SECRET   if it was generated
 *   uploads/FILE             the files that the snapshot refers to
 *   problems.txt             files that are missing or damaged, if there are any
 *   SHA256SUMS               of all entries before it; an archive without it was cut off
 */

/** Raised when an older version could not restore what this one writes. */
export const format = 1

export const entries = {
  manifest: 'manifest.json',
  database: 'gatehouse.db',
  secret: 'secrets/SVC_URL_SECRET',
  problems: 'problems.txt',
  sums: 'SHA256SUMS'
} as const

/** Where an entry of these names is restored; nothing else is. */
export const isRestored = (name: string) =>
  name === entries.database ||
  name === entries.secret ||
  /^areas\/[a-z][a-z0-9]*\.json$/.test(name) ||
  /^uploads\/[\w-]+$/.test(name)

export interface Manifest {
  format: number
  /** The version that made it. */
  gatehouse: string
  /** Newest migration of the database. */
  schema: string
  made_at: string
  contains: string[]
  /** What is not in it, and how it is kept, in sentences. */
  left_out: string[]
}

/** How `sha256sum` writes it. */
export const sumLine = (sha256: string, name: string) => `${sha256}  ${name}\n`

/** One line for people. @throws the error itself if it is of the system, such as a full disk */
export class BackupRefused extends Error {}

const isOfSystem = (error: unknown) =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string'

/** What is thrown while a backup is read: by the system, by us, or because its bytes are wrong. */
export function readFailure(error: unknown) {
  if (error instanceof BackupRefused || isOfSystem(error)) return error
  return new BackupRefused('it is damaged or was cut off', { cause: error })
}

/** What comes out of `step`; it fails if the bytes before it do. */
const through = (bytes: Readable, step: Duplex): Readable => pipeline(bytes, step, () => {})

/** Writes an archive to a file that appears when it is whole. @throws Error if there is one of this name */
export async function writeArchive(
  file: string,
  { passphrase, signal }: { passphrase: string | undefined; signal: AbortSignal },
  write: (controller: TarPackController) => Promise<void>
) {
  const { addName } = await import('../../db/sqlite/backup.ts')
  const { createTarPacker } = await import('modern-tar')
  if (existsSync(file)) throw new Error(`${file} exists already`)
  if (!existsSync(dirname(file))) throw new Error(`there is no folder ${dirname(file)}`)
  const draft = `${file}.${randomUUID()}.part`
  const handle = await open(draft, 'wx', 0o600)
  try {
    const { readable, controller } = createTarPacker()
    const packed = through(
      Readable.fromWeb(readable),
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
    )
    const bytes = passphrase === undefined ? packed : await sealed(packed, passphrase)
    const written = (async () => {
      for await (const chunk of bytes) {
        signal.throwIfAborted()
        await handle.writeFile(chunk)
      }
    })()
    // If one side fails, so does the other. Both have ended before the file is closed.
    const fail = (error: unknown) => {
      controller.error(error)
      throw error
    }
    const sides = await Promise.allSettled([written.catch(fail), write(controller).catch(fail)])
    for (const side of sides) if (side.status === 'rejected') throw side.reason
    await handle.sync()
    addName(draft, file)
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(file))
}

async function sealed(bytes: Readable, passphrase: string) {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  return Readable.fromWeb(await encrypter.encrypt(Readable.toWeb(bytes)))
}

async function unsealed(bytes: Readable, passphrase: string) {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const web = await decrypter.decrypt(Readable.toWeb(bytes)).catch((cause: Error) => {
    const isWrong = /no identity matched/.test(cause.message)
    throw isWrong ? new BackupRefused('the passphrase is wrong', { cause }) : cause
  })
  return Readable.fromWeb(web)
}

/** How a file begins. */
const beginnings = {
  sealed: Buffer.from('age-encryption.org/v1\n'),
  plain: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  sqlite: Buffer.from('SQLite format 3\0')
}

/** What a file is, by its first bytes. */
async function kindOf(file: string) {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0)
    const begins = buffer.subarray(0, bytesRead)
    const found = Object.entries(beginnings).find(([, bytes]) =>
      begins.subarray(0, bytes.length).equals(bytes)
    )
    return found?.[0]
  } finally {
    await handle.close()
  }
}

/** An entry of an archive. Its content must be read before the next one is. */
interface Entry {
  name: string
  size: number
  content: AsyncIterable<Uint8Array>
}

/** The entries of an archive. @throws BackupRefused if it is none, or damaged */
export async function* readArchive(
  file: string,
  askPassphrase: () => Promise<string>
): AsyncGenerator<Entry> {
  const kind = await kindOf(file)
  if (kind === 'sqlite')
    throw new BackupRefused('it is a copy of the database alone: use database restore')
  if (!kind) throw new BackupRefused('it is not a backup of Gatehouse')
  const { createTarDecoder } = await import('modern-tar')
  const bytes = createReadStream(file)
  try {
    const opened = kind === 'sealed' ? await unsealed(bytes, await askPassphrase()) : bytes
    const web = Readable.toWeb(through(opened, createZstdDecompress()))
    for await (const { header, body } of web.pipeThrough(createTarDecoder({ strict: true }))) {
      if (header.type !== 'file') throw new BackupRefused(`${header.name} in it is not a file`)
      yield { name: header.name, size: header.size, content: body }
    }
  } catch (error) {
    throw readFailure(error)
  } finally {
    bytes.destroy()
  }
}
