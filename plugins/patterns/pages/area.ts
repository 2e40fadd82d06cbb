import { type TObject, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readsOf } from '../../../db/repositories/index.ts'
import { isShared } from '../../../schemas/area/access.ts'
import { isKeptAsJson } from '../../../schemas/area/field.ts'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { componentOf, Natural, OnlyId } from '../../../schemas/common.ts'
import { type Kind, pluralOf } from '../../../schemas/kinds.ts'
import { Failure } from '../../http/errors/index.ts'
import { lineOf } from '../activity/sentence.ts'
import { type Arguments, fill, formOf } from '../operations/arguments.ts'
import { callOperation } from '../operations/call.ts'
import { type Row, referencesOf } from './choices.ts'
import { schemaOf } from './fields.ts'
import { filtersOf } from './filters.ts'
import { form } from './form.ts'
import { importForm, importHint, mostBytes } from './import.ts'
import { bytesOf, fieldsOf, inputOf, labelOf, optionsOf, shownAs } from './inputs.ts'
import type { PageOptions } from './options.ts'
import { addPage } from './page.ts'
import { filesOf } from './pictures.ts'
import { type ReceiveOptions, receivesFiles } from './received.ts'
import { SeenRow, seenRow } from './seen-row.ts'

const Line = Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$' }))
/** `sort` and `cursor` are those of the list; `edit`: the row whose form is open. */
const Query = Type.Object({
  q: Line,
  cursor: Type.Optional(Type.String({ maxLength: 10_000 })),
  sort: Line,
  edit: Type.Optional(Natural())
})
/** A row that was shown, as operations take it. */
const keyOf = ({ id, expected_version: version }: SeenRow) => ({
  id,
  ...(version !== undefined && { if_match: `v${version}` })
})
const words = {
  'PRECONDITION-FAILED': 'Somebody else has changed it in the meantime. Look at it first.',
  'INVALID-TRANSITION': 'It is in another state now, and cannot move there from it.'
}

const Move = Type.Object({ id: SeenRow.properties.id, to_state: Type.String({ maxLength: 40 }) })

/** How a column is aligned, and whether its values stay on one line. */
function classOf(type: string | undefined, isShort: boolean) {
  if (type === 'integer' || type === 'number') return 'number'
  return isShort ? 'short' : ''
}

/**
 * Adds the page of an area that draws none itself: list, form, edit, delete and undo. All of it follows from the
 * operations of the area, and its forms call them.
 */
export function addAreaPage(
  app: FastifyInstance,
  options: PageOptions & ReceiveOptions,
  kind: Kind
): void {
  const many = pluralOf(kind)
  const named = app.activity.named(kind) ?? ''
  const area = areaOfKind(kind)
  if (!area) throw new Error(`${kind} is no area of fields: it must draw its own page`)
  const operationOf = (method: string, url: string) => {
    const found = app.operations.find((one) => one.method === method && one.url === url)
    if (!found)
      throw new Error(`the area ${kind} has no ${method} ${url}: it must draw its own page`)
    // A person gives the ends of ranges, too, which programs alone can name.
    return { operation: found, form: formOf(found, () => true) }
  }
  const list = operationOf('GET', `/${kind}/index`)
  const create = operationOf('POST', `/${kind}/index`)
  const replace = operationOf('PUT', `/${kind}/item/id_:id`)
  const remove = operationOf('DELETE', `/${kind}/item/id_:id`)
  const move = area.states && operationOf('PUT', `/${kind}/state/id_:id`)
  const sent = Object(create.operation.schema.body) as TObject
  const references = referencesOf(app, kind)
  const isForOthers = isShared(area.access)
  const rightsOf = async (user_id: number, rows: readonly Row[]) => {
    const ids = rows.map(({ id }) => Number(id))
    const found = await readsOf(app.repos, area).rights({ user_id, ids })
    return new Map<unknown, (typeof found)[number]>(found.map((one) => [one.id, one]))
  }
  const files = filesOf(app, kind)
  const fields = fieldsOf((componentOf(sent) as TObject | undefined) ?? sent, references.fields)
  const names = Object.keys(fields.properties)
  const isSortable = (name: string) => {
    const field = Object.hasOwn(area.fields, name) ? area.fields[name] : undefined
    return field !== undefined && !isKeptAsJson(field)
  }
  const { state } = Object(area.states && area.row.properties)
  const filtered = Type.Object({ ...fields.properties, ...(state && { state }) })
  const filters = filtersOf(filtered, {
    ...{ area, references, labelOf },
    has: (name) => list.form.places.get(name)?.place === 'query',
    optionsOf: (schema) => optionsOf(schema, true).options ?? []
  })

  async function call(
    request: FastifyRequest,
    { operation, form }: ReturnType<typeof operationOf>,
    given: Arguments
  ) {
    const filled = fill(form, given, 'form', () => {})
    const caller = { identity: request.viewer, repos: request.openTransaction }
    const { status, errorCode, ...data } = await callOperation(request, operation, filled, caller)
    if (status === 'failure') throw new Failure(errorCode ?? 'INTERNAL-ERROR', { data })
    return data
  }

  addPage(app, options, {
    url: `/${kind}/board`,
    title: labelOf(many),
    link: labelOf(many),
    ofKind: true,
    view: 'plugins/patterns/pages/area',
    query: Type.Object({
      ...Query.properties,
      ...filters.query
    }),
    opens: 'edit',
    bodyLimit: bytesOf(fields),
    receives: receivesFiles(options, { names: ['file'], maxBytes: mostBytes }),
    forms: {
      import: importForm(app, area, fields, labelOf),
      ...(move && {
        move: form(app, Move, {
          done: 'Moved.',
          isUndoable: true,
          async run(given, request) {
            await call(request, move, given)
            return undefined
          },
          words
        })
      }),
      add: form(app, fields, {
        once: true,
        isEmptyAbsent: true,
        async run(given, request) {
          await call(request, create, await references.chosen(request, given))
          return undefined
        }
      }),
      change: form(app, Type.Object({ ...SeenRow.properties, ...fields.properties }), {
        done: 'Changed.',
        isEmptyAbsent: true,
        isUndoable: true,
        async run(given, request) {
          const { id: _id, expected_version: _version, ...values } = given
          const chosen = await references.chosen(request, values)
          await call(request, replace, { ...chosen, ...keyOf(given) })
          return undefined
        },
        words
      }),
      delete: form(app, SeenRow, {
        done: 'Deleted.',
        isUndoable: true,
        async ask({ id }) {
          return {
            title: `Delete ${kind} ${id}?`,
            text: 'It cannot be restored.',
            button: 'Delete'
          }
        },
        async run(key, request) {
          await call(request, remove, keyOf(key))
          return undefined
        },
        words
      })
    },
    async load(request, query) {
      const { q, cursor, sort, edit, ...others } = query
      const user_id = request.viewer.user.id
      const after = app.activity.isOn ? await app.repos.feed.newest({ user_id }) : null
      const of: Record<string, string | undefined> = others
      const { wanted, problems, isAny } = await filters.read(request, of)
      const isWrong = Object.keys(problems).length > 0
      const isSorted = sort !== undefined && isSortable(sort.replace(/^-/, ''))
      // Only these: a field may have the name of something else that the page is asked for, such as `done`.
      const asked = {
        ...{ limit: 50, ...wanted, ...(q && { q }) },
        ...(isSorted && { sort }),
        ...(cursor && { cursor })
      }
      // What cannot be is found nowhere; the page says why.
      const data = isWrong ? { [many]: [] } : await call(request, list, asked)
      const found = data[many] as Row[]
      const fileOf = await files.shown(request, found)
      const rows = await references.withLabels(user_id, found)
      const opened =
        edit === undefined ? [] : ((await call(request, list, { id: edit }))[many] as Row[])
      const rights = isForOthers ? await rightsOf(user_id, [...found, ...opened]) : undefined
      const mayDo = (right: 'write' | 'manage', { id }: Row) => rights?.get(id)?.[right] ?? !rights
      const [edited] = await references.withLabels(
        user_id,
        opened.filter((row) => mayDo('write', row))
      )
      const offered = await references.offered(request)
      /** This page, shown in another way. */
      function linkTo(other: Record<string, string | number | undefined>) {
        const given = { q, sort: isSorted ? sort : undefined, ...others, ...other }
        const there = new URLSearchParams()
        for (const [name, value] of Object.entries(given)) {
          if (value !== undefined && value !== '') there.set(name, String(value))
        }
        return `?${there}`
      }
      const next = data.next_cursor as string | number | null | undefined
      return {
        after,
        q,
        canSearch: list.form.places.has('q'),
        kind,
        many,
        rows,
        rule: area.rule,
        isForOthers,
        mayDo,
        offered,
        edited,
        isFiltered: Boolean(q) || isAny,
        all: sort === undefined ? '?' : `?${new URLSearchParams({ sort })}`,
        next: next == null ? undefined : linkTo({ cursor: next }),
        close: linkTo({}),
        fileOf,
        live: files.fields.length > 0 ? `${kind} attachment` : kind,
        linkOf: (row: Row) => `${linkTo({ edit: Number(row.id) })}#edit`,
        importHint: importHint(),
        sort: isSorted ? sort : undefined,
        ...filters.drawn(of, problems),
        hasStates: move !== undefined,
        labelOf,
        movesOf: ({ state }: Row) => area.states?.[String(state)] ?? [],
        nameOf: (row: Row) => lineOf(String(row[named] ?? '')) || `${kind} ${row.id}`,
        keyOf: (row: Row) => seenRow(area, row),
        names: names.map((name) => {
          const schema = fields.properties[name] ?? OnlyId
          const { format, type } = schemaOf(schema)
          const shown = shownAs(schema)
          return {
            isFile: files.fields.includes(name),
            ...{ name, label: labelOf(name), ...shown },
            className: classOf(type, format === 'date' || shown.isWord),
            order:
              isSorted && sort.replace(/^-/, '') === name
                ? sort === name
                  ? 'ascending'
                  : 'descending'
                : 'none',
            href: isSortable(name)
              ? linkTo({ sort: sort === name ? `-${name}` : name })
              : undefined,
            options: inputOf(fields, references.fields, name)
          }
        })
      }
    }
  })
}
