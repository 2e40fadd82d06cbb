import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Released } from '../../db/own/references.ts'
import { remainingMethods } from '../../plugins/http/dispatch.ts'
import { conflict, fail } from '../../plugins/http/errors/index.ts'
import { restoring } from '../../plugins/patterns/activity/index.ts'
import { othersIn, removalOf } from '../../plugins/patterns/area/removal.ts'
import { doneUnlessDry } from '../../plugins/patterns/dry-run.ts'
import { IdempotencyKey, idempotentEffect } from '../../plugins/patterns/idempotency/index.ts'
import { answerOf } from '../../plugins/patterns/plans/told.ts'
import { isForm, isPartAFile, requireForm } from '../../plugins/patterns/uploads/form.ts'
import { sameSecret } from '../../plugins/runtime/secrets.ts'
import { deletedOf } from '../../schemas/area/removed.ts'
import {
  Attachment,
  AttachmentKey,
  AttachmentQuery,
  linkExample,
  UploadForm
} from '../../schemas/attachment.ts'
import {
  DeletionQuery,
  NextCursor,
  newestFirst,
  ok,
  pageOf,
  paginate,
  ref,
  success,
  Timestamp,
  wasDeleted
} from '../../schemas/common.ts'
import type { Config } from '../../schemas/config.ts'
import { PlanWait, Purpose, planAnswer, planMs } from '../../schemas/plan.ts'
import download from './download.ts'
import { exportedFiles } from './export.ts'
import { type FileOptions, uploadedFiles } from './files.ts'
import { keptFiles } from './kept.ts'

/** Where the form of the page is sent. */
const formUrl = '/attachment/upload'

/**
 * Files of the signed-in user. Those of other users are not found, unless a row that the user may read refers to them;
 * anyone with a signed link may download.
 */
const attachment: FastifyPluginAsyncTypebox<
  FileOptions &
    Pick<
      Config,
      | 'SVC_ACTIVITY_DAYS'
      | 'SVC_CSRF_FIELD'
      | 'SVC_FILES_REDIRECT'
      | 'SVC_URL_TTL_SECONDS'
      | 'SVC_USER_UPLOAD_BYTES'
    >
> = async (app, { SVC_USER_UPLOAD_BYTES: max, SVC_ACTIVITY_DAYS, SVC_CSRF_FIELD, ...options }) => {
  const { SVC_URL_TTL_SECONDS: ttl } = options
  const { attachments } = app.repos
  app.tag('attachment', 'Files of the signed-in user, downloaded with signed links.', {
    createAttachment: 'upload, multipart field `file`',
    getAttachmentLink: `a link to its bytes for anybody, for ${ttl} s`
  })
  const { signedUrl } = app
  const uploads = await uploadedFiles(app, options)
  app.activity.add('attachment', {
    max,
    search: attachments.search,
    newest: attachments.newest,
    named: 'name',
    hasPage: true
  })
  const { makeRoom, drop, purge } = keptFiles(app, uploads, max)
  app.dataExport.add(exportedFiles(app, uploads))
  app.removal.onRemoved(({ files }) => drop(files))

  async function receive(request: FastifyRequest, reply: FastifyReply) {
    const { name, mime, size, sha256 } = await uploads.receive(request, reply)
    request.compared = { name, mime, size, sha256 }
  }

  app.get(
    '/attachment/index',
    {
      config: { scope: 'attachment:read' },
      schema: {
        operationId: 'listAttachments',
        summary: 'List attachments',
        description: 'Newest first.',
        querystring: AttachmentQuery,
        response: {
          200: success({
            attachments: newestFirst(Attachment),
            next_cursor: NextCursor
          })
        }
      }
    },
    async ({ viewer, query }) => {
      const { id, q, created_since: fromTime } = query
      const page = { user_id: viewer.user.id, ...pageOf(query) }
      const { rows, rest } = await attachments.search({ ...page, id, q, fromTime })
      const { items, next_cursor } = paginate(rows, query, { rest })
      return ok({ attachments: items, next_cursor })
    }
  )

  // A scope of its own: nothing else reads multipart bodies.
  await app.register(async (upload: typeof app) => {
    upload.removeAllContentTypeParsers()
    await upload.register(multipart, { throwFileSizeLimit: false, isPartAFile })
    upload.post(
      '/attachment/index',
      {
        config: {
          scope: 'attachment:write',
          body: 'multipart',
          proposedBy: 'POST /attachment/plan',
          fails: [
            'CONFLICT',
            'UPLOAD-TOO-LARGE',
            'UPLOAD-MIME-REJECTED',
            'SERVICE-OVERLOADED',
            'CIRCUIT-OPEN'
          ]
        },
        onRequest: requireForm,
        preHandler: receive,
        onSend: uploads.discard,
        schema: {
          operationId: 'createAttachment',
          summary: 'Upload a file',
          description: 'The type is found from the content, whatever the client says.',
          consumes: ['multipart/form-data'],
          headers: IdempotencyKey,
          body: UploadForm,
          response: { 200: success({ attachment: ref(Attachment) }, { name: 'Attachment' }) }
        }
      },
      (request, reply) =>
        idempotentEffect(request, reply, () =>
          store(request, (insert) =>
            request.complete(async () => ok({ attachment: await insert() }))
          )
        )
    )

    if (app.activity.isOn) proposeUpload(upload)

    // The form of the page, for browsers without its script.
    upload.post(
      formUrl,
      {
        config: { html: true, body: 'multipart' },
        onRequest: async function requireToken(request) {
          if (!isForm(request)) fail('CSRF-TOKEN-INVALID')
        },
        preHandler: async function receive(request, reply) {
          await uploads.receive(request, reply, (fields) => {
            const token = fields.get(SVC_CSRF_FIELD)
            const isOwn = typeof token === 'string' && sameSecret(token, request.csrfToken ?? '')
            if (!isOwn) fail('CSRF-TOKEN-INVALID')
          })
        },
        onSend: uploads.discard
      },
      async (request, reply) => {
        await store(request, (insert) => insert())
        return reply.redirect('/attachment/board', 303)
      }
    )

    /** The upload of a program that must ask: the file is set aside until its user has decided. */
    function proposeUpload(upload: typeof app) {
      upload.post(
        '/attachment/plan',
        {
          config: {
            scope: 'attachment:write',
            body: 'multipart',
            withoutApproval: true,
            fails: [
              'CONFLICT',
              'PLAN-INVALID',
              'UPLOAD-TOO-LARGE',
              'UPLOAD-MIME-REJECTED',
              'SERVICE-OVERLOADED',
              'CIRCUIT-OPEN'
            ],
            mcp: {
              ofAsking: true,
              description: 'Only your user sees the file, until they approve it.'
            }
          },
          onRequest: requireForm,
          preHandler: receive,
          onSend: uploads.discard,
          schema: {
            operationId: 'planAttachment',
            summary: 'Propose an upload',
            description:
              'A plan of one step, `restoreAttachment`. Until it is applied, only who decides sees the file.',
            consumes: ['multipart/form-data'],
            headers: IdempotencyKey,
            querystring: Type.Object({ purpose: Purpose, ...PlanWait.properties }),
            body: UploadForm,
            response: { 200: planAnswer }
          }
        },
        (request, reply) =>
          idempotentEffect(
            request,
            reply,
            () => {
              const aside = { until_ms: app.now() + planMs }
              return store(
                request,
                async (insert) => {
                  const { id } = await insert()
                  const steps = [{ operation: 'restoreAttachment', arguments: { id } }]
                  const { purpose } = request.query
                  const run = request.actor.run
                  const plan = { purpose, steps, ...(run !== null && { run }) }
                  return app.plans.propose(request, plan, (plan) => answerOf(app, plan))
                },
                aside
              )
            },
            // It may be decided by now.
            async ({ Data: { plan } }) =>
              answerOf(app, await app.plans.settled(request, plan.id, request.query.wait))
          )
      )
    }

    /** There is no room for a file, or no user: who was removed while it was received. */
    async function refuse({ users }: typeof app.db.repos, id: number) {
      return (await users.findById({ id })) ? conflict('quota') : fail('SESSION-CLOSED')
    }

    /** Keeps the file that was received; `finish` decides in which transaction its row is inserted. */
    async function store<T>(
      request: FastifyRequest,
      finish: (insert: () => Promise<Attachment>) => Promise<T>,
      aside?: { until_ms: number }
    ) {
      const user_id = request.viewer.user.id
      const by = request.actor
      // Files to remove after the transaction: until then their rows exist.
      const given: { file: string }[] = []
      try {
        return await uploads.keep(request, (draft) =>
          finish(() =>
            request.transaction(async (repos) => {
              const row = { ...draft, user_id, max }
              for (;;) {
                const created = await (aside
                  ? repos.attachments.insertAside({ ...row, ...aside, now: by.at })
                  : repos.attachments.insert({ ...row, by }))
                if (created) return created
                const room = await makeRoom(repos, user_id, draft.size)
                given.push(...(room ?? (await refuse(repos, user_id))))
              }
            })
          )
        )
      } finally {
        if (given.length > 0) drop(given)
      }
    }
  })

  // The other methods of the form lead to its page (contract SERVICE-3).
  app.route({
    method: remainingMethods(app, formUrl),
    url: formUrl,
    config: { html: true, body: 'none' },
    handler: (_request, reply) => reply.redirect('/attachment/board', 303)
  })

  app.get(
    '/attachment/item/id_:id',
    {
      config: { scope: 'attachment:read', fails: ['ATTACHMENT-NOT-FOUND'], mcp: false },
      schema: {
        operationId: 'getAttachment',
        summary: 'Read an attachment',
        description:
          'Its name, type and size. `GET /attachment/link/id_{id}` leads to the content. Both take files of others too, while a row that you may read refers to them.',
        params: AttachmentKey,
        response: { 200: success({ attachment: ref(Attachment) }, { name: 'Attachment' }) }
      }
    },
    async (request) => {
      const found = await attachments.find({
        id: request.params.id,
        user_id: request.viewer.user.id
      })
      return ok({ attachment: found ?? fail('ATTACHMENT-NOT-FOUND') })
    }
  )

  app.delete(
    '/attachment/item/id_:id',
    {
      config: { scope: 'attachment:write', ...removalOf('attachment', ['ATTACHMENT-NOT-FOUND']) },
      schema: {
        operationId: 'deleteAttachment',
        summary: 'Delete an attachment',
        description: `Links to it stop working at once. ${restoring(app, 'it')}`,
        params: AttachmentKey,
        querystring: DeletionQuery,
        response: { 200: deletedOf('attachment') }
      }
    },
    async (request) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const { dry_run } = request.query
      const by = request.actor
      const others = await doneUnlessDry(request, async ({ attachments }) => {
        const all: Released[] = []
        const removed = await attachments.remove({ ...key, by }, (found) => all.push(found))
        return removed ? othersIn(all) : fail('ATTACHMENT-NOT-FOUND')
      })
      // Without recorded changes nobody can undo the deletion, so the file need not be kept.
      if (SVC_ACTIVITY_DAYS === 0 && !dry_run) await purge(request.repos)
      return wasDeleted(request, others)
    }
  )

  app.post(
    '/attachment/restore/id_:id',
    {
      config: { scope: 'attachment:write', fails: ['ATTACHMENT-NOT-FOUND'], mcp: false },
      schema: {
        operationId: 'restoreAttachment',
        summary: 'Restore an attachment',
        description: 'One that was deleted or set aside, as long as its file is kept.',
        params: AttachmentKey,
        response: { 200: success({ attachment: ref(Attachment) }, { name: 'Attachment' }) }
      }
    },
    async (request) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const restored = await request.repos.attachments.restore({ ...key, by: request.actor })
      return ok({ attachment: restored ?? fail('ATTACHMENT-NOT-FOUND') })
    }
  )

  app.get(
    '/attachment/link/id_:id',
    {
      config: { scope: 'attachment:read', fails: ['ATTACHMENT-NOT-FOUND'] },
      schema: {
        operationId: 'getAttachmentLink',
        summary: 'Get a download link',
        description: 'Anyone may open it until it expires; `&download=1` saves it.',
        params: AttachmentKey,
        response: {
          200: success({
            url: Type.String({
              format: 'uri',
              description: 'Signed `GET /attachment/download/id_{id}`.',
              examples: [linkExample]
            }),
            expires: Type.Integer({
              description: 'When the link expires, in seconds since 1970.',
              examples: [1_795_255_200]
            }),
            expires_at: Timestamp
          })
        }
      }
    },
    async (request) => {
      const { id } = request.params
      const found = await attachments.find({ id, user_id: request.viewer.user.id })
      if (!found) fail('ATTACHMENT-NOT-FOUND')
      return ok(signedUrl.sign(`/attachment/download/id_${id}`))
    }
  )

  await app.register(download, { ...uploads, ...options })
}

export default attachment
