import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config, Tuning } from '../../../schemas/config.ts'
import { Failure, invalid } from '../../http/errors/index.ts'
import { filesOf, isForm } from '../uploads/form.ts'
import { saveFile, temporaryFolder } from '../uploads/save.ts'
import { checkFormToken } from './form-token.ts'

/** A file that came with a form, until the answer is sent. */
type Received = Awaited<ReturnType<typeof saveFile>> & { name: string; path: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** The files of a form of a page, by their fields. */
    received: Map<string, Received>
    /** Why they could not be received: the page says so. */
    notReceived: Failure | null
  }
}

export interface ReceiveOptions
  extends Pick<Config, 'SVC_DATA_DIR' | 'SVC_CSRF_FIELD'>,
    Pick<Tuning, 'uploadIdleMs'> {}

/** Decorates the requests of pages whose forms have files (`receivesFiles`). */
export function addReceived(app: FastifyInstance) {
  // A map for each request, made when a form has files.
  app.decorateRequest('received')
  app.decorateRequest('notReceived', null)
}

/**
 * Hooks of a route whose forms may be multipart, with files in these fields. The body then has the other fields, and of
 * each file its hash: a form that was sent before is known by what it has.
 */
export function receivesFiles(
  options: ReceiveOptions,
  { names, maxBytes }: { names: readonly string[]; maxBytes: number }
) {
  const folder = temporaryFolder(options)
  const checkToken = checkFormToken(options.SVC_CSRF_FIELD)

  async function receive(request: FastifyRequest, reply: FastifyReply) {
    request.received = new Map()
    if (!isForm(request)) return
    const others = new Map<string, unknown>()
    const form = { names, maxBytes, idleMs: options.uploadIdleMs }
    try {
      for await (const { field, name, bytes } of filesOf(request, reply, form, others)) {
        request.body = Object.fromEntries(others)
        // Before anything is kept of the file.
        await checkToken(request)
        if (request.received.has(field))
          throw invalid({ in: 'body', field, message: 'must be one file' })
        const saved = await saveFile(folder, bytes)
        request.received.set(field, { ...saved, name, path: join(folder, saved.file) })
      }
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'CSRF-TOKEN-INVALID') throw error
      request.notReceived = error
    }
    const files = [...request.received].filter(([, { size }]) => size > 0)
    request.body = Object.fromEntries([
      ...others,
      ...files.map(([field, { sha256 }]) => [field, sha256])
    ])
  }

  return {
    preValidation: [receive, checkToken],
    async onSend({ received }: FastifyRequest) {
      for (const { path } of received?.values() ?? []) await rm(path, { force: true })
    }
  }
}
