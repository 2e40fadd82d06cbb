import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { makeFolder } from '../../db/folder.ts'
import { Failure, fail, invalid } from '../../plugins/http/errors/index.ts'
import { filesOf } from '../../plugins/patterns/uploads/form.ts'
import { saveFile, temporaryFolder } from '../../plugins/patterns/uploads/save.ts'
import type { Config, Tuning } from '../../schemas/config.ts'
import { openFileStore } from './stores/guarded.ts'
import type { StoreOptions } from './stores/open.ts'
import { scheduleSweeps } from './sweep.ts'

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
    /** The file that `receive` received, until it is kept or discarded. */
    draft: Draft | null
  }
}

export type FileOptions = StoreOptions &
  Pick<Config, 'SVC_UPLOAD_MAX_BYTES' | 'SVC_UPLOAD_TYPES'> &
  Pick<Tuning, 'uploadIdleMs'>

export type UploadedFiles = Awaited<ReturnType<typeof uploadedFiles>>

/**
 * Files of clients. They are received in `uploads/tmp/` of the data folder, and kept in a store under a
 * random name. Use `discard` as the `onSend` hook of a route that receives.
 */
export async function uploadedFiles(
  app: FastifyInstance,
  { SVC_UPLOAD_TYPES, ...options }: FileOptions
) {
  const form = {
    maxBytes: options.SVC_UPLOAD_MAX_BYTES,
    idleMs: options.uploadIdleMs
  }
  const temporary = temporaryFolder(options)
  makeFolder(temporary)
  const store = await openFileStore(app, options)
  const sweep = scheduleSweeps(app, { store, temporary })
  app.decorateRequest('draft', null)

  const pathOf = ({ file }: { file: string }) => join(temporary, file)
  const dropDraft = (draft: { file: string }) => rm(pathOf(draft), { force: true })

  /**
   * Receives the one file of a multipart form, as `request.draft`. Fails with UPLOAD-FILE-REQUIRED,
   * UPLOAD-TOO-LARGE, UPLOAD-MIME-REJECTED or, if there are two files, VALIDATION-FAILED; then it
   * leaves no file behind. `check` sees the fields that come before the file, or all if there is no file.
   */
  async function receive(
    request: FastifyRequest,
    reply: FastifyReply,
    check?: (fields: ReadonlyMap<string, unknown>) => void
  ): Promise<Draft> {
    let saved: (Omit<Draft, 'mime'> & { mime: string | undefined }) | undefined
    const fields = new Map<string, unknown>()
    try {
      for await (const { name, bytes } of filesOf(request, reply, form, fields)) {
        check?.(fields)
        if (saved) throw invalid({ in: 'body', field: 'file', message: 'must be one file' })
        saved = { name, ...(await saveFile(temporary, bytes)) }
      }
      if (!saved) check?.(fields)
      if (!saved || saved.size === 0) fail('UPLOAD-FILE-REQUIRED')
      const { mime } = saved
      if (!mime || !SVC_UPLOAD_TYPES.includes(mime)) {
        fail('UPLOAD-MIME-REJECTED', { data: { allowed: SVC_UPLOAD_TYPES } })
      }
      request.draft = { ...saved, mime }
      return request.draft
    } catch (error) {
      if (saved) await dropDraft(saved)
      if (!(error instanceof Failure) || error.code !== 'UPLOAD-TOO-LARGE') throw error
      fail(error.code, { data: { maximum: form.maxBytes }, cause: error.cause })
    }
  }

  /**
   * Puts the draft into the store, and calls `record` to write its row. If there is no row then, because
   * one of them failed or the process ended in between, the file is removed at once or by the next
   * sweep.
   */
  async function keep<T>(request: FastifyRequest, record: (draft: Draft) => Promise<T>) {
    const { draft } = request
    if (!draft) throw new Error('nothing was received')
    request.draft = null
    const { file } = draft
    try {
      await store.put(file, pathOf(draft), draft)
    } catch (error) {
      // Some of it may be there. Not awaited: a store that is away would keep the caller waiting.
      app.background.add('a file without a row', () => remove(file))
      throw error
    } finally {
      await dropDraft(draft)
    }
    try {
      return await record(draft)
    } catch (error) {
      // There is a row if it was committed, and only the answer to COMMIT was lost. If the database
      // cannot tell now, the sweep asks it later.
      const hasRow = await app.repos.attachments.hasFile({ file }).catch(() => true)
      if (hasRow) sweep.leave(file)
      else await remove(file)
      throw error
    }
  }

  /** Removes the draft of a request that did not keep it. */
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

  /** Removes a kept file after its row is gone. */
  async function remove(file: string) {
    try {
      await store.remove(file)
    } catch (err) {
      sweep.leave(file)
      app.log.warn({ err }, 'a file without a row was left to the sweep')
    }
  }

  return { store, receive, keep, discard, remove }
}
