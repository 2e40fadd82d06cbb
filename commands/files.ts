import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { markOf } from '../db/actions/mark.ts'
import { makeFolder } from '../db/folder.ts'
import type { Repositories } from '../db/repositories/index.ts'
import { temporaryFolder } from '../plugins/patterns/uploads/save.ts'
import { printable } from '../plugins/runtime/printable.ts'
import type { Described, FileStore } from '../routes/attachment/stores/index.ts'
import {
  ofAnother,
  openFolder,
  openObjects,
  type StoreOptions
} from '../routes/attachment/stores/open.ts'
import { type Commands, onDatabase, UsageError } from './command.ts'

/** How many files are copied at once. */
const atOnce = 8
/** After how many files the command says how far it is. */
const toldEvery = 1000

const openObjectsOf = (config: StoreOptions, repos: Repositories) =>
  openObjects(config, { mark: () => markOf(repos, 'files'), guard: (call) => call() })

/** Where the service keeps its files. */
export const openStore = async (config: StoreOptions, repos: Repositories): Promise<FileStore> =>
  config.SVC_FILES_URL ? openObjectsOf(config, repos) : openFolder(config)

export const fileCommands: Commands = {
  'files copy': {
    operands: ['store|folder'],
    about:
      'Copy the files of attachments to the object store of SVC_FILES_URL, or back to the folder uploads. Those that are there already are left out, so if it was stopped, run it again. Nothing is deleted. The service may be running.',
    async run({ operands: [to = ''] }, load) {
      if (to !== 'store' && to !== 'folder') throw new UsageError('say where to: store or folder')
      const config = load()
      return onDatabase(config, async ({ repos }) => {
        const objects = await openObjectsOf(config, repos)
        try {
          if (!(await objects.isOurs())) throw new Error(ofAnother)
          const folder = openFolder(config)
          const [source, target] = to === 'store' ? [folder, objects] : [objects, folder]
          const temporary = temporaryFolder(config)
          makeFolder(temporary)
          return await copyAll(repos, { source, target, temporary })
        } finally {
          objects.close?.()
        }
      })
    }
  }
}

interface Way {
  source: FileStore
  target: FileStore
  /** The folder of temporary files. */
  temporary: string
}

/** Copies what the target lacks, in the order of the ids. A file that fails keeps no other from it. A signal ends it after the files that are under way. */
async function copyAll({ attachments }: Repositories, way: Way) {
  let isStopped = false
  const stop = () => {
    isStopped = true
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const counts = { copied: 0, there: 0 }
  const problems: string[] = []
  let told = 0
  for (let after = 0; !isStopped; ) {
    const rows = await attachments.filesAfter({ after, limit: atOnce })
    const last = rows.at(-1)
    if (!last) break
    after = last.id
    const outcomes = await Promise.all(
      rows.map((row) =>
        copyFile(row, way).catch((error: Error) => `not copied (${printable(error.message, 200)})`)
      )
    )
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome === 'copied' || outcome === 'there') counts[outcome] += 1
      else problems.push(`${outcome}: ${rows[i]?.file} (attachment ${rows[i]?.id})`)
    }
    const done = counts.copied + counts.there + problems.length
    if (done >= told + toldEvery) {
      told = done
      process.stderr.write(`up to attachment ${after}\n`)
    }
  }
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const { copied, there } = counts
  const failed = problems.length > 0 ? `; ${problems.length} could not be copied` : ''
  const lines = [
    ...problems,
    `copied ${copied} to ${way.target.name}; ${there} were there already${failed}`,
    ...(isStopped ? ['stopped before the end: run it again'] : [])
  ]
  const code = isStopped || problems.length > 0 ? 1 : 0
  return { code, stdout: `${lines.join('\n')}\n` }
}

/** Copies one file by way of a temporary one, whose hash is compared with the row. */
async function copyFile(
  { file, size, sha256 }: Described & { file: string },
  { source, target, temporary }: Way
) {
  if ((await target.find(file))?.size === size) return 'there'
  const content = await source.read(file)
  if (!content) return 'missing'
  const path = join(temporary, randomUUID())
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    }
  })
  try {
    await pipeline(content, hashed, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    if (hash.digest('hex') !== sha256) return 'damaged'
    await target.put(file, path, { size, sha256 })
    return 'copied'
  } finally {
    await rm(path, { force: true })
  }
}
