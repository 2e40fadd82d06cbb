import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../../plugins/http/errors/index.ts'
import { form } from '../../plugins/patterns/pages/form.ts'
import type { PageOptions } from '../../plugins/patterns/pages/options.ts'
import { addPage } from '../../plugins/patterns/pages/page.ts'
import { AttachmentKey, pictureTypes, sizeOf, typeWords } from '../../schemas/attachment.ts'
import { PageQuery, pageOf, paginate } from '../../schemas/common.ts'

const Query = Type.Object({ cursor: PageQuery.properties.cursor })

/** How many files a page shows. */
const limit = 50

/** The page of the signed-in user's files. A script sends what is chosen to `POST /attachment/index`. */
const board: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const { attachments } = app.repos

  addPage(app, options, {
    url: '/attachment/board',
    title: 'Files',
    link: 'Files',
    view: 'routes/attachment/board',
    query: Query,
    forms: {
      share: form(app, AttachmentKey, {
        async run({ id }, request) {
          const found = await attachments.find({ id, user_id: request.viewer.user.id })
          if (!found) fail('ATTACHMENT-NOT-FOUND')
          const { url, expires_at } = app.signedUrl.sign(`/attachment/download/id_${id}`)
          return { show: { id, name: found.name, url, until: expires_at } }
        }
      }),
      delete: form(app, AttachmentKey, {
        done: 'The file was deleted.',
        isUndoable: true,
        async ask({ id }, request) {
          const found = await attachments.find({ id, user_id: request.viewer.user.id })
          const { name } = found ?? fail('ATTACHMENT-NOT-FOUND')
          return { title: `Delete “${name}”?`, text: 'It cannot be restored.', button: 'Delete' }
        },
        async run({ id }, request) {
          const key = { id, user_id: request.viewer.user.id, by: request.actor }
          if (!(await request.repos.attachments.remove(key))) fail('ATTACHMENT-NOT-FOUND')
          return undefined
        }
      })
    },
    async load({ viewer }, query) {
      const user_id = viewer.user.id
      // Read first: what changes between the two is told once the page is open.
      const after = app.activity.isOn ? await app.repos.feed.newest({ user_id }) : null
      const rows = await attachments.list({ user_id, ...pageOf({ limit, ...query }) })
      const { items, next_cursor } = paginate(rows, { limit })
      return {
        after,
        next_cursor,
        types: options.SVC_UPLOAD_TYPES.join(','),
        typeWords: typeWords(options.SVC_UPLOAD_TYPES),
        most: sizeOf(options.SVC_UPLOAD_MAX_BYTES),
        files: items.map((file) => ({
          ...file,
          size: sizeOf(file.size),
          href: app.signedUrl.href(`/attachment/download/id_${file.id}`),
          isPicture: pictureTypes.includes(file.mime)
        }))
      }
    }
  })
}

export default board
