import { createHash } from 'node:crypto'
import { createReadStream, existsSync, rmSync } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TarPackController } from 'modern-tar'
import type { Database } from '../../db/database.ts'
import { makeFolder } from '../../db/folder.ts'
import { databaseFile } from '../../db/sqlite/file.ts'
import type { StoredFile } from '../../db/sqlite/snapshot.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { areasFolder } from '../../plugins/runtime/declarations.ts'
import { secretMark } from '../../plugins/runtime/secret-mark.ts'
import { secretFile } from '../../plugins/runtime/secrets.ts'
import { openFolder } from '../../routes/attachment/stores/open.ts'
import type { Config } from '../../schemas/config.ts'
import { onDatabase } from '../command.ts'
import { entries, format, type Manifest, sumLine, writeArchive } from './archive.ts'

export interface BackupOptions {
  passphrase: string | undefined
  withSecret: boolean
  signal: AbortSignal
}

/** What does not work without the secret that a database was sealed with. */
export const withoutSecret =
  'without it, second factors, outgoing webhooks and the connections of assistants must be set up again, and signed links end'

/** Where the rows of attachments are read from. */
interface Source {
  schema: string
  files(): AsyncIterable<StoredFile> | Iterable<StoredFile>
  /** Whether the database in use still refers to a file. */
  refersTo(file: string): boolean | Promise<boolean>
  /** The mark by which its secret is known. */
  marks: { find(args: { name: string }): Promise<{ value: string } | undefined> }
  /** Its snapshot, if it is in the archive. */
  snapshot?: string
}

const ofPostgres = ({ schema, repos: { attachments, marks } }: Database): Source => ({
  schema,
  marks,
  async *files() {
    for (let after = 0; ; ) {
      const rows = await attachments.filesAfter({ after, limit: 500 })
      yield* rows
      const last = rows.at(-1)
      if (!last) return
      after = last.id
    }
  },
  refersTo: (file) => attachments.hasFile({ file })
})

/**
 * Gives `work` a folder for a snapshot and a list. It is in the data folder, and not beside the backup: there, others might
 * read it.
 */
async function withFolder<T>({ SVC_DATA_DIR }: Config, work: (folder: string) => Promise<T>) {
  const { takeFile } = await import('../../db/sqlite/file-lock.ts')
  const folder = join(SVC_DATA_DIR, 'backup')
  const lock = takeFile(`${folder}.lock`, 'EXCLUSIVE')
  if (!lock) throw new Error('another backup is being made')
  try {
    // What a backup left that was killed.
    rmSync(folder, { recursive: true, force: true })
    makeFolder(folder)
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    lock.close()
  }
}

async function ofSqlite({ SVC_DATA_DIR }: Config, folder: string): Promise<Source> {
  const { backupSqlite } = await import('../../db/sqlite/backup.ts')
  const { filesOf, markIn, refersTo, schemaOf } = await import('../../db/sqlite/snapshot.ts')
  const live = databaseFile(SVC_DATA_DIR)
  const snapshot = join(folder, entries.database)
  await backupSqlite(live, snapshot)
  return {
    schema: schemaOf(snapshot),
    marks: { find: async ({ name }) => markIn(snapshot, name) },
    files: () => filesOf(snapshot),
    refersTo: (file) => refersTo(live, file),
    snapshot
  }
}

const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** What is in a backup of this configuration, and what is not. */
async function contentsOf(config: Config, { withSecret }: BackupOptions, { marks }: Source) {
  const contains: string[] = []
  const left_out: string[] = []
  if (config.SVC_DATABASE_URL) {
    left_out.push(
      'the database, which is PostgreSQL: copy it with pg_dump before each backup, and back with pg_restore'
    )
  } else contains.push('the database')
  const areas = await readdir(areasFolder(config)).catch(() => [])
  const declarations = areas.filter((name) => /^[a-z][a-z0-9]*\.json$/.test(name)).sort()
  if (declarations.length > 0) contains.push(countOf(declarations.length, 'declared area'))
  const secret = secretFile(config)
  const isGenerated = !config.SVC_URL_SECRET && existsSync(secret)
  const hasSecret = isGenerated && withSecret
  // Its settings may not be those of the service.
  const isRight =
    !(isGenerated || config.SVC_URL_SECRET) || (await secretMark(config).read({ marks }))
  if (hasSecret && isRight) contains.push('the generated SVC_URL_SECRET')
  else if (!isRight) {
    left_out.push(
      `the SVC_URL_SECRET that the database was sealed with, which is not the one here: keep it with your settings; ${withoutSecret}`
    )
  } else if (isGenerated) {
    left_out.push(
      `the generated SVC_URL_SECRET (--without-secret), ${secret}: keep it elsewhere; ${withoutSecret}`
    )
  } else {
    const where = config.SVC_URL_SECRET ? 'a setting' : 'neither set nor generated here'
    left_out.push(
      `SVC_URL_SECRET, which is ${where}: keep it with your other settings; ${withoutSecret}`
    )
  }
  if (config.SVC_FILES_URL) {
    left_out.push(
      'the files, which are in the object store of SVC_FILES_URL: let it keep versions, or run files copy folder'
    )
  } else contains.push('the files')
  return { contains, left_out, declarations, hasSecret: hasSecret && isRight }
}

/** Makes a backup. Returns what to print, and the exit code: 1 if files are missing or damaged. */
export async function writeBackup(file: string, config: Config, options: BackupOptions) {
  const live = databaseFile(config.SVC_DATA_DIR)
  if (!config.SVC_DATABASE_URL && !existsSync(live)) throw new Error(`there is no ${live}`)
  return withFolder(config, async (folder) => {
    const place = { file, folder, config }
    if (!config.SVC_DATABASE_URL) return backup(place, options, await ofSqlite(config, folder))
    return onDatabase(config, (database) => backup(place, options, ofPostgres(database)))
  })
}

async function backup(
  { file, folder, config }: { file: string; folder: string; config: Config },
  options: BackupOptions,
  source: Source
) {
  const { contains, left_out, declarations, hasSecret } = await contentsOf(config, options, source)
  const manifest: Manifest = {
    format,
    gatehouse: packageJson.version,
    schema: source.schema,
    made_at: new Date().toISOString(),
    contains,
    left_out
  }
  const removed: string[] = []
  const problems: string[] = []
  let files = 0
  // As long as the list of files is, it is not kept in memory.
  const sums = join(folder, entries.sums)
  const list = await open(sums, 'wx', 0o600)
  try {
    await writeArchive(file, options, async (tar) => {
      const add = async (name: string, size: number, content: AsyncIterable<Uint8Array>) => {
        options.signal.throwIfAborted()
        const sha256 = await addEntry(tar, { name, size, content })
        await list.write(sumLine(sha256, name))
        return sha256
      }
      const addText = (name: string, text: string) => {
        const bytes = Buffer.from(text)
        return add(name, bytes.length, inOne(bytes))
      }
      const addFile = async (name: string, path: string) =>
        add(name, (await stat(path)).size, createReadStream(path))

      await addText(entries.manifest, `${JSON.stringify(manifest, null, 2)}\n`)
      if (source.snapshot) await addFile(entries.database, source.snapshot)
      for (const name of declarations) {
        await addFile(`areas/${name}`, join(areasFolder(config), name))
      }
      if (hasSecret) await addFile(entries.secret, secretFile(config))
      if (!config.SVC_FILES_URL) {
        const store = openFolder(config)
        for await (const { id, file, sha256 } of source.files()) {
          const place = `uploads/${file} (attachment ${id})`
          const size = (await store.find(file))?.size
          const content = size === undefined ? undefined : await store.read(file)
          if (size === undefined || !content) {
            // Its row goes first: whoever removed it did so while the backup was made.
            if (await source.refersTo(file)) problems.push(`missing: ${place}`)
            else removed.push(`removed during the backup: ${place}`)
            continue
          }
          if ((await add(`uploads/${file}`, size, content)) !== sha256) {
            problems.push(`damaged: ${place}`)
          }
          files += 1
          if (files % toldEvery === 0) process.stderr.write(`${files} files\n`)
        }
      }
      if (problems.length + removed.length > 0) {
        await addText(entries.problems, `${[...problems, ...removed].join('\n')}\n`)
      }
      const { size } = await list.stat()
      await addEntry(tar, { name: entries.sums, size, content: createReadStream(sums) })
      tar.finalize()
    })
  } finally {
    await list.close()
  }
  const { size } = await stat(file)
  const lines = [
    ...named(problems),
    ...named(removed),
    `made ${file} (${size} bytes): ${contains.join(', ')}${config.SVC_FILES_URL ? '' : ` (${files})`}`,
    ...left_out.map((what) => `it lacks ${what}`),
    ...(hasSecret && options.passphrase === undefined
      ? ['whoever reads it can use all that is in it, the secret too: keep it safe, or add --seal']
      : [])
  ]
  return { code: problems.length > 0 ? 1 : 0, stdout: `${lines.join('\n')}\n` }
}

/** After how many files a backup says how far it is. */
const toldEvery = 10_000

/** How many files are named; the backup names them all. */
const maxNamed = 20

export const named = (lines: readonly string[]) => [
  ...lines.slice(0, maxNamed),
  ...(lines.length > maxNamed ? [`and ${lines.length - maxNamed} more`] : [])
]

async function* inOne(bytes: Uint8Array) {
  yield bytes
}

/** Adds an entry. Returns the hash of its content. */
async function addEntry(
  tar: TarPackController,
  { name, size, content }: { name: string; size: number; content: AsyncIterable<Uint8Array> }
) {
  const hash = createHash('sha256')
  const writer = tar.add({ name, size, mode: 0o600, type: 'file' }).getWriter()
  for await (const chunk of content) {
    hash.update(chunk)
    await writer.write(chunk)
  }
  await writer.close()
  return hash.digest('hex')
}
