import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open, opendir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../schemas/config.ts'
import { fail } from './errors.ts'
import { Content } from './uploads/content.ts'
import { filesOf } from './uploads/form.ts'
import { inHand, isInWork, newName } from './uploads/in-hand.ts'

/** A file that has come whole, but is nobody's yet. */
export interface Draft {
  size: number
  /** Hex. */
  sha256: string
  /** Type by content. */
  mime: string
  /** The client's name of it. */
  name: string
  /** Its name in the folder of temporary files. */
  file: string
}

declare module 'fastify' {
  interface FastifyInstance {
    uploads: {
      /** Where kept files lie. */
      folder: string
      /**
       * Receives the one file of a multipart form. Ends with UPLOAD-FILE-REQUIRED, UPLOAD-TOO-LARGE,
       * UPLOAD-MIME-REJECTED or, where there are two, VALIDATION-FAILED, and then leaves nothing.
       */
      receive(request: FastifyRequest, reply: FastifyReply): Promise<Draft>
      /**
       * Moves a draft into place and lets `record` write its row. Where either fails, or the process
       * ends in between, there is no row; the file goes at once or at the next sweep.
       */
      keep<T>(draft: Draft, record: (file: string) => Promise<T>): Promise<T>
      /** Removes a kept file, whose row is gone already. */
      remove(file: string): Promise<void>
      /** Removes files without a row that no process is working on. */
      sweep(): Promise<void>
    }
  }
}

type Options = Pick<
  Config,
  'SVC_DATA_DIR' | 'SVC_UPLOAD_MAX_BYTES' | 'SVC_UPLOAD_TYPES' | 'SVC_UPLOAD_TIMEOUT_SECONDS'
>

const twoFiles = { in: 'body', field: 'file', message: 'must be one file' }

const sweepEveryMs = 24 * 3_600_000
/** Makes a new directory entry durable. Not every system can; then there is nothing to do. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Files of clients: received into `uploads/tmp/` of the data folder, kept in `uploads/` under a
 * random name. What a crash left is swept at start and once a day.
 */
export default fp<Options>(
  async (app, { SVC_UPLOAD_TYPES, ...options }) => {
    const form = {
      maxBytes: options.SVC_UPLOAD_MAX_BYTES,
      idleMs: options.SVC_UPLOAD_TIMEOUT_SECONDS * 1000
    }
    const folder = resolve(options.SVC_DATA_DIR, 'uploads')
    const temporary = join(folder, 'tmp')
    mkdirSync(temporary, { recursive: true, mode: 0o700 })

    async function drop(path: string, file: string) {
      await rm(path, { force: true })
      inHand.delete(file)
    }
    const discard = ({ file }: { file: string }) => drop(join(temporary, file), file)

    async function save(bytes: AsyncIterable<Buffer>) {
      const file = newName()
      const path = join(temporary, file)
      inHand.add(file)
      try {
        const handle = await open(path, 'wx', 0o600)
        try {
          const hash = createHash('sha256')
          const content = new Content()
          let size = 0
          for await (const chunk of bytes) {
            hash.update(chunk)
            content.add(chunk)
            size += chunk.length
            await handle.writeFile(chunk)
            // Chunks lie outside V8's heap, so it sees little reason to free them. A string of their
            // size, forgotten at once, lets it; without it 50 uploads take 40 MiB more (bench:upload).
            chunk.toString('latin1')
          }
          // An answer to an upload means, as with any write, that it is on the disk.
          await handle.sync()
          return { size, sha256: hash.digest('hex'), mime: await content.type(), file }
        } finally {
          await handle.close()
        }
      } catch (error) {
        await drop(path, file)
        throw error
      }
    }

    async function receive(request: FastifyRequest, reply: FastifyReply): Promise<Draft> {
      let saved: (Omit<Draft, 'mime'> & { mime: string | undefined }) | undefined
      try {
        for await (const { name, bytes } of filesOf(request, reply, form)) {
          if (saved) fail('VALIDATION-FAILED', { data: { details: [twoFiles] } })
          saved = { name, ...(await save(bytes)) }
        }
        if (!saved || saved.size === 0) fail('UPLOAD-FILE-REQUIRED')
        const { mime } = saved
        if (!mime || !SVC_UPLOAD_TYPES.includes(mime)) fail('UPLOAD-MIME-REJECTED')
        return { ...saved, mime }
      } catch (error) {
        if (saved) await discard(saved)
        throw error
      }
    }

    async function keep<T>(draft: Draft, record: (file: string) => Promise<T>): Promise<T> {
      const { file } = draft
      const path = join(folder, file)
      try {
        await rename(join(temporary, file), path)
        await syncFolder(folder)
        const row = await record(file)
        inHand.delete(file)
        return row
      } catch (error) {
        await discard(draft)
        await drop(path, file)
        throw error
      }
    }

    let isClosing = false

    async function sweepFolder(path: string) {
      for await (const entry of await opendir(path)) {
        if (isClosing) return
        if (!entry.isFile()) continue
        const { name } = entry
        if (await isInWork(path, name)) continue
        if (path === folder && (await app.repos.attachments.hasFile({ file: name }))) continue
        await rm(join(path, name), { force: true })
      }
    }

    async function sweep() {
      try {
        await sweepFolder(temporary)
        await sweepFolder(folder)
      } catch (err) {
        app.log.error({ err }, 'sweep of uploads failed')
      }
    }

    app.decorate('uploads', {
      folder,
      receive,
      keep,
      sweep,
      async remove(file) {
        try {
          await rm(join(folder, file), { force: true })
        } catch (err) {
          app.log.warn({ err }, 'a file without a row was left to the sweep')
        }
      }
    })

    // Not awaited: many files take a while, and nothing depends on it.
    let sweeping = sweep()
    const timer = setInterval(() => {
      sweeping = sweeping.then(sweep)
    }, sweepEveryMs).unref()
    app.addHook('preClose', async () => {
      isClosing = true
      clearInterval(timer)
      await sweeping
    })
  },
  { name: 'uploads', fastify: '5.x', dependencies: ['database', 'errors'] }
)
