import { type TObject, type TProperties, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ownOf } from '../../../db/repositories/index.ts'
import { absent } from '../../../db/statement.ts'
import { fail } from '../../../plugins/http/errors/index.ts'
import { recordEvent } from '../../../plugins/identity/audit.ts'
import { userOf } from '../../../plugins/identity/identity.ts'
import { writesOf } from '../../../plugins/patterns/area/writes.ts'
import { bytesOf, fieldsOf, inputOf } from '../../../plugins/patterns/pages/area.ts'
import { referencesOf } from '../../../plugins/patterns/pages/choices.ts'
import { type Form, form } from '../../../plugins/patterns/pages/form.ts'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { namesOf } from '../../../schemas/area/names.ts'
import type { AuditEventName } from '../../../schemas/audit.ts'
import { codesOf } from '../../../schemas/errors.ts'
import type { Kind } from '../../../schemas/kinds.ts'
import { MemoContent } from '../../../schemas/memo.ts'
import { todo } from '../../../schemas/todo.ts'

type Caller = Pick<FastifyRequest, 'repos' | 'viewer' | 'actor'>
type Values = Readonly<Record<string, unknown>>

const Key = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) })

/** How the rows of a kind are written. Each write fails with what its caller is told. */
interface Writing {
  /** What a row consists of; undefined if it is never changed. */
  content?: TObject
  /** What a form sends in addition to the key, to name the state of the row that was shown. */
  seen: TProperties
  replace(caller: Caller, id: number, given: Values): Promise<unknown>
  remove(caller: Caller, id: number, given: Values): Promise<unknown>
}

/** Writes rows that follow from no description of an area. */
function plainWrites(kind: Kind, content = Type.Object({})): Pick<Writing, 'replace' | 'remove'> {
  const write =
    (what: 'update' | 'remove', noFields: Values) =>
    async ({ repos, viewer, actor: by }: Caller, id: number, given: Values) => {
      const own = ownOf(repos, namesOf(kind))
      const key = { id, user_id: viewer.user.id }
      const written = await own[what]({ ...noFields, ...given, ...key, by })
      return written ?? fail((await own.find(key)) ? 'PRECONDITION-FAILED' : codesOf(kind).absent)
    }
  return { replace: write('update', absent(content)), remove: write('remove', {}) }
}

/** Undefined if the rows of a kind are only looked at. */
function writingOf(app: FastifyInstance, kind: Kind): Writing | undefined {
  if (kind === 'memo') {
    const seen = { version: Type.Integer({ minimum: 1 }) }
    return { content: MemoContent, seen, ...plainWrites(kind, MemoContent) }
  }
  if (kind === 'attachment') return { seen: {}, ...plainWrites(kind) }
  const area = kind === 'todo' ? todo : areaOfKind(kind)
  // No row is made here, so it does not matter how many a user may have.
  return area && { content: area.replaced, seen: {}, ...writesOf(app, area, 0) }
}

/** The row of a kind with this id, of whatever user. */
async function rowOf({ activity }: FastifyInstance, kind: Kind, id: number) {
  const { rows } = await activity.newest(kind, { before: id + 1, limit: 1, q: '' })
  return rows.find((row) => row.id === id)
}

/**
 * The forms with which administrators change and delete the rows of a kind. A write is that of the owner's own
 * operations, but the owner's record of changes and the audit trail say that an administrator made it.
 */
export function rowFormsOf(app: FastifyInstance, kind: Kind) {
  const writing = writingOf(app, kind)
  if (!writing) return undefined
  const { content, seen, replace, remove } = writing
  const references = referencesOf(app, kind)
  const fields = content && fieldsOf(content, references.fields)
  const Seen = Type.Object({ ...Key.properties, ...seen })
  const words = {
    'PRECONDITION-FAILED': `Somebody has changed this ${kind} meanwhile. Look at it first.`
  }

  async function ownerOf(id: number) {
    const row = await rowOf(app, kind, id)
    const owner = row && (await app.repos.users.findById({ id: row.user_id }))
    return userOf(owner ?? fail(codesOf(kind).absent))
  }

  const write = (
    request: FastifyRequest,
    { id, owner, event }: { id: number; owner: Caller['viewer']['user']; event: AuditEventName },
    work: (caller: Caller) => Promise<unknown>
  ) =>
    request.transaction(async (repos) => {
      const viewer = { ...request.viewer, user: owner }
      await work({ repos, viewer, actor: { ...request.actor, via: 'administrator' } })
      const what = { subject: `${kind} ${id}`, detail: `of ${owner.user_id}` }
      await recordEvent(repos, request, event, what)
    })

  const [change, removal] = [`change-${kind}`, `delete-${kind}`]
  const forms: Record<string, Form> = {
    [removal]: form(app, Seen, {
      done: 'Deleted.',
      async ask({ id }) {
        const { user_id } = await ownerOf(id)
        return {
          title: `Delete ${kind} ${id} of ${user_id}?`,
          text: app.activity.isOn
            ? 'Only its owner can undo that, on the page Activity.'
            : 'It cannot be restored.',
          button: 'Delete'
        }
      },
      async run({ id, ...given }, request) {
        const owner = await ownerOf(id)
        await write(request, { id, owner, event: 'row-deleted' }, (caller) =>
          remove(caller, id, given)
        )
        return undefined
      },
      words
    })
  }
  if (fields) {
    forms[change] = form(app, Type.Object({ ...Seen.properties, ...fields.properties }), {
      done: 'Changed.',
      isEmptyAbsent: true,
      async run({ id, ...given }, request) {
        const owner = await ownerOf(id)
        const viewer = { ...request.viewer, user: owner }
        const values = await references.chosen({ viewer }, given)
        await write(request, { id, owner, event: 'row-changed' }, (caller) =>
          replace(caller, id, values)
        )
        return undefined
      },
      words
    })
  }

  /** What the forms of a row send with it. */
  const hidden = (row: Values) =>
    Object.fromEntries(Object.keys(Seen.properties).map((name) => [name, row[name]]))

  return {
    forms,
    change: fields && change,
    removal,
    bytes: fields ? bytesOf(fields) : 0,
    hidden,
    /** What the open form of a row shows; undefined if there is no such row, or it is never changed. */
    async opened(id: number, request: FastifyRequest) {
      const row = fields && (await rowOf(app, kind, id))
      if (!row) return undefined
      const user = await ownerOf(id)
      const [shown] = await references.withLabels(user.id, [{ ...row }])
      return {
        ...{ id, owner: user.user_id, hidden: hidden({ ...row }) },
        offered: await references.offered({ viewer: { ...request.viewer, user } }),
        fields: Object.keys(fields.properties).map((name) => ({
          name,
          options: {
            ...inputOf(fields, references.fields, name),
            ...{ row: id, value: shown?.[name] }
          }
        }))
      }
    }
  }
}
