import { opendir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { makeFolder } from '../../../db/folder.ts'
import type { Config } from '../../../schemas/config.ts'
import { fail } from '../../http/errors.ts'
import { filesOf } from './form.ts'
import { isInWork, owned, renewLeases, renewMs } from './ownership.ts'
import { dropFile, saveFile, syncFolder } from './save.ts'

/** A file that was received completely, but has no row yet. */
interface Draft {
  size: number
  /** Hex. */
  sha256: string
  /** The media type, judged by the content. */
  mime: string
  /** The name that the client gave it. */
  name: string
  /** The name of the file in the folder of temporary files. */
  file: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The file that `uploads.receive` received, until it is kept or discarded. */
    draft: Draft | null
  }
  interface FastifyInstance {
    uploads: {
      /** The folder of kept files. */
      folder: string
      /**
       * Receives the one file of a multipart form, as `request.draft`. Fails with UPLOAD-FILE-REQUIRED,
       * UPLOAD-TOO-LARGE, UPLOAD-MIME-REJECTED or, if there are two files, VALIDATION-FAILED; then it
       * leaves no file behind. The route must use `discard` as its `onSend` hook.
       */
      receive(request: FastifyRequest, reply: FastifyReply): Promise<Draft>
      /**
       * Moves the draft into place, and calls `record` to write its row. If there is no row then, because
       * one of them failed or the process ended in between, the file is removed at once or by the next
       * sweep.
       */
      keep<T>(request: FastifyRequest, record: (draft: Draft) => Promise<T>): Promise<T>
      /** Removes the draft of a request that did not keep it. */
      discard(request: FastifyRequest): Promise<void>
      /** Removes a kept file after its row is gone. */
      remove(file: string): Promise<void>
      /**
       * Removes files without a row that no process is working on. If there is no attachment at all, the
       * kept files stay, because the database may be the wrong one.
       */
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

/**
 * Files of clients. They are received in `uploads/tmp/` of the data folder, and kept in `uploads/` under
 * a random name. A sweep removes files that a crash left behind: in `tmp/` at start and every ten
 * minutes, in `uploads/` once the service listens and then once a day.
 */
export default fp<Options>(
  async (app, { SVC_UPLOAD_TYPES, ...options }) => {
    const form = {
      maxBytes: options.SVC_UPLOAD_MAX_BYTES,
      idleMs: options.SVC_UPLOAD_TIMEOUT_SECONDS * 1000
    }
    const folder = resolve(options.SVC_DATA_DIR, 'uploads')
    const temporary = join(folder, 'tmp')
    makeFolder(temporary)

    const dropDraft = ({ file }: { file: string }) => dropFile(join(temporary, file))

    async function receive(request: FastifyRequest, reply: FastifyReply): Promise<Draft> {
      let saved: (Omit<Draft, 'mime'> & { mime: string | undefined }) | undefined
      try {
        for await (const { name, bytes } of filesOf(request, reply, form)) {
          if (saved) fail('VALIDATION-FAILED', { data: { details: [twoFiles] } })
          saved = { name, ...(await saveFile(temporary, bytes)) }
        }
        if (!saved || saved.size === 0) fail('UPLOAD-FILE-REQUIRED')
        const { mime } = saved
        if (!mime || !SVC_UPLOAD_TYPES.includes(mime)) fail('UPLOAD-MIME-REJECTED')
        request.draft = { ...saved, mime }
        return request.draft
      } catch (error) {
        if (saved) await dropDraft(saved)
        throw error
      }
    }

    async function keep<T>(request: FastifyRequest, record: (draft: Draft) => Promise<T>) {
      const { draft } = request
      if (!draft) throw new Error('nothing was received')
      request.draft = null
      const { file } = draft
      const path = join(folder, file)
      try {
        await rename(join(temporary, file), path)
        await syncFolder(folder)
        const row = await record(draft)
        owned.delete(file)
        return row
      } catch (error) {
        await dropDraft(draft)
        // There is a row if it was committed, and only the answer to COMMIT was lost. If the database
        // cannot tell now, the sweep asks it later.
        const hasRow = await app.repos.attachments.hasFile({ file }).catch(() => true)
        if (!hasRow) await dropFile(path)
        throw error
      }
    }

    async function discard(request: FastifyRequest) {
      const { draft } = request
      if (!draft) return
      request.draft = null
      try {
        await dropDraft(draft)
      } catch (err) {
        app.log.warn({ err }, 'a file that is not kept was left to the sweep')
      }
    }

    let isClosing = false

    /** The files that no process is working on. */
    async function* idleFiles(path: string) {
      for await (const entry of await opendir(path)) {
        if (isClosing) return
        if (entry.isFile() && !(await isInWork(path, entry.name))) yield entry.name
      }
    }

    async function sweepTemporary() {
      for await (const file of idleFiles(temporary))
        await rm(join(temporary, file), { force: true })
    }

    async function sweepKept() {
      const { attachments } = app.repos
      // An empty database beside files may be the wrong one, and what is removed cannot be restored.
      const mayRemove = await attachments.hasAny()
      let files = 0
      for await (const file of idleFiles(folder)) {
        if (!mayRemove) files += 1
        else if (!(await attachments.hasFile({ file })))
          await rm(join(folder, file), { force: true })
      }
      if (files > 0) {
        app.log.error(
          { files, folder },
          'there are files of uploads, but no attachment in the database: none was removed. If this is the wrong database, stop the service and name the right one (docs/deploy.md, Back-up and restore)'
        )
      }
    }

    async function sweep() {
      try {
        await sweepTemporary()
        await sweepKept()
      } catch (err) {
        app.log.error({ err }, 'sweep of uploads failed')
      }
    }

    app.decorateRequest('draft', null)
    app.decorate('uploads', {
      folder,
      receive,
      keep,
      discard,
      sweep,
      async remove(file) {
        try {
          await rm(join(folder, file), { force: true })
        } catch (err) {
          app.log.warn({ err }, 'a file without a row was left to the sweep')
        }
      }
    })

    // More often than the other folder: here are few files, each in use or left by a crash.
    app.sweep.add('temporary files of uploads', sweepTemporary)
    const renewal = setInterval(() => renewLeases([temporary, folder]), renewMs).unref()
    let sweeping = Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    // Not before: a start that fails should not have removed anything.
    app.addHook('onListen', async () => {
      // Not awaited: with many files it takes a while, and nothing depends on it.
      sweeping = sweep()
      timer = setInterval(() => {
        sweeping = sweeping.then(sweep)
      }, sweepEveryMs).unref()
    })
    app.addHook('preClose', async () => {
      isClosing = true
      clearInterval(timer)
      clearInterval(renewal)
      await sweeping
    })
  },
  { name: 'uploads', fastify: '5.x', dependencies: ['database', 'errors', 'sweep'] }
)
