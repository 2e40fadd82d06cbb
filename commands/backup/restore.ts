import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, syncFolder } from '../../db/folder.ts'
import { migrations } from '../../db/migrations/index.ts'
import { databaseFile, lockFile } from '../../db/sqlite/file.ts'
import packageJson from '../../package.json' with { type: 'json' }
import {
  BackupRefused,
  entries,
  format,
  isRestored,
  type Manifest,
  readArchive,
  readFailure,
  sumLine
} from './archive.ts'

/** A manifest or a list of problems is not longer. */
const maxTextBytes = 64 * 1024 * 1024

async function textOf(content: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxTextBytes) throw new BackupRefused('it is not a backup of Gatehouse')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function manifestOf(text: string): Manifest {
  const manifest = JSON.parse(text) as Manifest
  const isKnown = manifest.format === format && Object.hasOwn(migrations, manifest.schema)
  if (isKnown) return manifest
  throw new BackupRefused(
    `it was made by another version of Gatehouse (${manifest.gatehouse}), which this one (${packageJson.version}) cannot read: use that version, or a newer one`
  )
}

type Take = (name: string, content: AsyncIterable<Uint8Array>) => Promise<void>

/** Reads a backup whole. @param take Takes the content of what is restored. @throws BackupRefused */
export async function readBackup(file: string, askPassphrase: () => Promise<string>, take: Take) {
  try {
    return await readEntries(file, askPassphrase, take)
  } catch (error) {
    throw readFailure(error)
  }
}

async function readEntries(file: string, askPassphrase: () => Promise<string>, take: Take) {
  let manifest: Manifest | undefined
  let problems: string[] = []
  let files = 0
  const expected = createHash('sha256')
  let listed: string | undefined
  for await (const { name, content } of readArchive(file, askPassphrase)) {
    if (listed !== undefined) throw new BackupRefused('it goes on after its end')
    const hash = createHash('sha256')
    const hashed = (async function* () {
      for await (const chunk of content) {
        hash.update(chunk)
        yield chunk
      }
    })()
    if (!manifest) {
      if (name !== entries.manifest) throw new BackupRefused('it is not a backup of Gatehouse')
      manifest = manifestOf(await textOf(hashed))
    } else if (name === entries.problems) problems = (await textOf(hashed)).trimEnd().split('\n')
    else if (name === entries.sums) for await (const _ of hashed);
    else if (isRestored(name)) await take(name, hashed)
    else throw new BackupRefused(`it has ${name}, which is not of a backup`)
    if (name.startsWith('uploads/')) files += 1
    const sha256 = hash.digest('hex')
    if (name === entries.sums) listed = sha256
    else expected.update(sumLine(sha256, name))
  }
  if (!manifest || listed === undefined) throw new BackupRefused('it is damaged or was cut off')
  if (expected.digest('hex') !== listed) {
    throw new BackupRefused('it is damaged: its content is not what SHA256SUMS in it says')
  }
  return { manifest, problems, files }
}

/** The folder in which a restore works. Beside a database it was left by one that was killed. */
const drafts = 'restoring'
/** What the executable unpacks, and locks of commands. */
const isOfPrograms = (name: string) => name === 'unpacked' || /\.lock(?:-journal)?$/.test(name)

/** @throws BackupRefused if a folder has anything that a restore could mix with */
function requireEmpty(folder: string) {
  const names = existsSync(folder) ? readdirSync(folder) : []
  // What was left by a restore that was killed: the database comes last.
  const isLeft = names.includes(drafts) && !names.includes(entries.database)
  const known = isLeft ? [...parts, drafts] : []
  const first = names.find((name) => !isOfPrograms(name) && !known.includes(name))
  if (first === undefined) return
  throw new BackupRefused(
    `${folder} is not empty (${first}): name an empty folder with --into, or move this one away`
  )
}

/** Removes all that a restore that did not end has written. */
function clear(folder: string) {
  for (const name of [...parts, drafts]) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** What is moved into place, in this order. */
const parts = ['uploads', 'areas', 'secrets', 'gatehouse.db']

async function write(path: string, content: AsyncIterable<Uint8Array>) {
  makeFolder(dirname(path))
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of content) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Restores a backup into an empty folder: all of it, or nothing. `delivers`: its webhooks go on. */
export async function restoreInto(
  folder: string,
  file: string,
  { askPassphrase, delivers }: { askPassphrase: () => Promise<string>; delivers: boolean }
) {
  const { takeFile } = await import('../../db/sqlite/file-lock.ts')
  const { checkSqlite, pauseSubscriptions } = await import('../../db/sqlite/restore.ts')
  const isNew = !existsSync(folder)
  requireEmpty(folder)
  makeFolder(folder)
  const database = databaseFile(folder)
  const lock = takeFile(lockFile(database), 'EXCLUSIVE')
  if (!lock) throw new BackupRefused(`${folder} is in use`)
  let isOurs = false
  let isWhole = false
  try {
    requireEmpty(folder)
    isOurs = true
    clear(folder)
    const draft = join(folder, drafts)
    mkdirSync(draft, { mode: 0o700 })
    const read = await readBackup(file, askPassphrase, (name, content) =>
      write(join(draft, name), content)
    )
    const restored = join(draft, entries.database)
    const hasDatabase = existsSync(restored)
    if (hasDatabase) checkSqlite(restored)
    const paused = hasDatabase && !delivers ? pauseSubscriptions(restored) : 0
    const found = parts.filter((name) => existsSync(join(draft, name)))
    for (const name of found.filter((name) => name !== entries.database)) {
      await syncFolder(join(draft, name))
    }
    for (const name of found) {
      renameSync(join(draft, name), join(folder, name))
      await syncFolder(folder)
    }
    rmSync(draft, { recursive: true })
    isWhole = true
    return { ...read, paused }
  } finally {
    if (isOurs && !isWhole) clear(folder)
    lock.close()
    if (isOurs && !isWhole) rmSync(lockFile(database), { force: true })
    if (isOurs && !isWhole && isNew) rmSync(folder, { recursive: true, force: true })
  }
}
