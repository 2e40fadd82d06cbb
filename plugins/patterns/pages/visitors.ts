import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { readsOf } from '../../../db/repositories/index.ts'
import { nobody } from '../../../schemas/area/access.ts'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { OnlyId, PageQuery, pageOf, paginate } from '../../../schemas/common.ts'
import { type Kind, pluralOf } from '../../../schemas/kinds.ts'
import { remainingMethods } from '../../http/dispatch.ts'
import { openTo } from '../area/public.ts'
import { type Row, referencesOf } from './choices.ts'
import { labelOf, shownAs } from './inputs.ts'
import { filesOf } from './pictures.ts'
import { time } from './time.ts'

const Query = Type.Object({ cursor: PageQuery.properties.cursor })
const pageSize = 50

/** Adds the page on which visitors read the rows of a kind, without a credential and without a script. */
export function addVisitorsPage(app: FastifyInstance, kind: Kind): void {
  const area = areaOfKind(kind)
  if (!area) return
  const url = `/${kind}/public`
  const own = readsOf(app.repos, area)
  const references = referencesOf(app, kind)
  const files = filesOf(app, kind)
  const [named] = area.texts
  const fields = Object.keys(area.fields)
    .filter((name) => name !== named)
    .map((name) => {
      const shown = shownAs(area.replaced.properties[name] ?? OnlyId)
      return { name, label: labelOf(name), shown }
    })
  app.route<{ Querystring: { cursor?: number } }>({
    method: remainingMethods(app, url),
    url,
    ...openTo(true, { html: true, body: 'none' }),
    schema: { querystring: Query },
    async handler(request, reply) {
      const { query } = request
      const asked = { ...query, limit: pageSize }
      const { rows, rest } = await own.search({ ...pageOf(asked), user_id: nobody })
      const { items, next_cursor } = paginate(rows, asked, { rest })
      if (!area.listed) reply.header('x-robots-tag', 'noindex')
      const found = items as unknown as Row[]
      const fileOf = await files.shown(request, found)
      const shown = await references.withLabels(nobody, found)
      return reply.view('plugins/patterns/pages/visitors', {
        title: labelOf(pluralOf(kind)),
        path: url,
        user: undefined,
        rows: shown.map((row) => ({
          id: row.id,
          name: named === undefined ? `${labelOf(kind)} ${row.id}` : row[named],
          owner: row.owner,
          fields: fields
            .filter(({ name }) => row[name] != null && row[name] !== '')
            .map(({ name, label, shown }) => ({
              label,
              file: fileOf(row, name),
              ...saidOf(row[name], shown)
            }))
        })),
        many: pluralOf(kind),
        next: next_cursor === null ? undefined : `?cursor=${next_cursor}`
      })
    }
  })
}

/** A value as it is read: a link, a time for people, or a text. */
function saidOf(value: unknown, { isLink, isTime, isWord }: ReturnType<typeof shownAs>) {
  const text = typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
  if (isLink) return { text, url: text }
  return { text: isTime ? time(text) : isWord ? labelOf(text) : text }
}
