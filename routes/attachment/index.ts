import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../../plugins/errors.ts'
import { requireForm } from '../../plugins/uploads/form.ts'
import { Attachment, AttachmentKey, UploadForm } from '../../schemas/attachment.ts'
import { NextCursor, ok, PageQuery, pageOf, paginate, ref, success } from '../../schemas/common.ts'
import download from './download.ts'

const tags = ['attachment']

/** Only a part with a file name is a file (RFC 7578 §4.2); a text part called `file` is none. */
const isPartAFile = (_field?: string, _type?: string, name?: string) => name !== undefined

/** Files of the signed-in user; anybody else's are not found. Whoever has a signed link may download. */
const attachment: FastifyPluginAsyncTypebox = async (app) => {
  const { attachments } = app.repos
  const { signedUrl, uploads } = app

  app.get(
    '/attachment/index',
    {
      schema: {
        operationId: 'listAttachments',
        tags,
        summary: 'List attachments',
        description: 'Newest first.',
        querystring: PageQuery,
        response: {
          200: success({ attachments: Type.Array(ref(Attachment)), next_cursor: NextCursor })
        }
      }
    },
    async (request) => {
      const rows = await attachments.list({
        user_id: request.viewer.user.id,
        ...pageOf(request.query)
      })
      const { items, next_cursor } = paginate(rows, request.query)
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
          body: 'multipart',
          fails: ['UPLOAD-TOO-LARGE', 'UPLOAD-MIME-REJECTED', 'SERVICE-OVERLOADED']
        },
        onRequest: requireForm,
        // The form never becomes `request.body`; it is checked as it is read.
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'createAttachment',
          tags,
          summary: 'Upload a file',
          description: 'The type is found by content, whatever the client says.',
          consumes: ['multipart/form-data'],
          body: ref(UploadForm),
          response: { 200: success({ attachment: ref(Attachment) }) }
        }
      },
      async (request, reply) => {
        const draft = await uploads.receive(request, reply)
        const created = await uploads.keep(draft, (file) =>
          attachments.insert({
            ...draft,
            file,
            user_id: request.viewer.user.id,
            now: app.timestamp()
          })
        )
        return ok({ attachment: created })
      }
    )
  })

  app.get(
    '/attachment/item/id_:id',
    {
      config: { fails: ['ATTACHMENT-NOT-FOUND'] },
      schema: {
        operationId: 'getAttachment',
        tags,
        summary: 'Read an attachment',
        description: 'Its description; the content has a link.',
        params: AttachmentKey,
        response: { 200: success({ attachment: ref(Attachment) }) }
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
      config: { fails: ['ATTACHMENT-NOT-FOUND'] },
      schema: {
        operationId: 'deleteAttachment',
        tags,
        summary: 'Delete an attachment',
        description: 'Links to it end at once.',
        params: AttachmentKey,
        response: { 200: success({ id: Type.Integer({ examples: [1] }) }) }
      }
    },
    async (request) => {
      const { id } = request.params
      const removed = await attachments.remove({ id, user_id: request.viewer.user.id })
      if (!removed) fail('ATTACHMENT-NOT-FOUND')
      await uploads.remove(removed.file)
      return ok({ id })
    }
  )

  app.get(
    '/attachment/link/id_:id',
    {
      config: { fails: ['ATTACHMENT-NOT-FOUND'] },
      schema: {
        operationId: 'getAttachmentLink',
        tags,
        summary: 'Get a download link',
        description: 'Whoever has the link may download until it expires.',
        params: AttachmentKey,
        response: {
          200: success({
            url: Type.String({
              format: 'uri',
              description: 'Signed `GET /attachment/download/id_{id}`.'
            }),
            expires: Type.Integer({
              description: 'End of the link, in seconds since the epoch.',
              examples: [1_795_255_200]
            })
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

  await app.register(download)
}

export default attachment
