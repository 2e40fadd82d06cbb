import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { contentOf, textOf } from '../../../plugins/patterns/activity/difference.ts'
import { labelOf } from '../../../plugins/patterns/activity/labels.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { Natural, oneOf, PageQuery, pageOf, paginate } from '../../../schemas/common.ts'
import { type Kind, kinds } from '../../../schemas/kinds.ts'
import { Login } from './login.ts'
import { rowFormsOf } from './row-forms.ts'

/** How many rows a page shows. */
const page = { limit: 25 }

const Query = Type.Object({
  kind: Type.Optional(oneOf(kinds)),
  /** Login name; empty for everybody. */
  user_id: Type.Optional(Login),
  q: Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$' })),
  cursor: PageQuery.properties.cursor,
  /** The row whose form is open. */
  edit: Type.Optional(Natural())
})

/** The rows of all users. Administrators change and delete them. */
export const rows = (app: FastifyInstance): Page<typeof Query> => {
  const editors = new Map(kinds.map((kind) => [kind, rowFormsOf(app, kind)]))
  const all = [...editors.values()].filter((editor) => editor !== undefined)

  /** Rows of one user, or of all. */
  async function find(
    kind: Kind,
    user_id: number | undefined,
    wanted: { before: number; limit: number; q: string }
  ) {
    if (user_id === undefined) return app.activity.newest(kind, wanted)
    const { rows, rest } = await app.activity.search(kind, { ...wanted, user_id })
    return { rows: rows.map((row) => ({ ...row, user_id })), rest }
  }
  return {
    url: '/admin/rows',
    title: 'Rows',
    view: 'routes/admin/pages/rows',
    query: Query,
    opens: 'edit',
    forms: Object.fromEntries(all.flatMap(({ forms }) => Object.entries(forms))),
    bodyLimit: Math.max(...all.map(({ bytes }) => bytes)),
    async load(
      request,
      { kind = 'todo', user_id = '', q = '', cursor, edit }: Static<typeof Query>
    ) {
      const editor = editors.get(kind)
      const query = { ...page, ...(cursor !== undefined && { cursor }) }
      const user = user_id === '' ? null : await app.repos.users.findNamed(user_id)
      const isUnknown = user_id !== '' && !user
      const { rows, rest } = isUnknown
        ? { rows: [], rest: 0 }
        : await find(kind, user?.id, { ...pageOf(query), q })
      const { items, next_cursor } = paginate(rows, query, { rest })
      const older = new URLSearchParams({ kind, user_id, q, cursor: String(next_cursor) })
      const here = new URLSearchParams({ kind, user_id, q })
      if (cursor !== undefined) here.set('cursor', String(cursor))
      const labelled = await editor?.withLabels(items)
      const keys = new Set(items.map((row) => row.user_id))
      const owners = await Promise.all([...keys].map((id) => app.repos.users.findById({ id })))
      const names = new Map(owners.flatMap((owner) => (owner ? [[owner.id, owner.user_id]] : [])))
      return {
        ...{ kind, user_id, q, isUnknown },
        isFiltered: user_id + q !== '' || cursor !== undefined,
        kinds: kinds.map((name) => [name, name]),
        rows: items.map(({ user_id, ...row }) => ({
          ...row,
          label: labelOf(app, kind, row),
          hidden: editor?.hidden(row),
          owner: names.get(user_id) ?? `user ${user_id}`,
          fields: contentOf(kind, row, null).flatMap((field) => {
            const text = textOf(kind, field, Object(labelled?.get(row.id) ?? row)[field])
            return text === null ? [] : [{ name: field.replaceAll('_', ' '), text }]
          })
        })),
        rule: areaOfKind(kind)?.rule,
        isRecorded: app.activity.isOn,
        change: editor?.change,
        removal: editor?.removal,
        edited: edit === undefined ? undefined : await editor?.opened(edit, request),
        here: String(here),
        older: next_cursor === null ? null : String(older)
      }
    }
  }
}
