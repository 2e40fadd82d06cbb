import { type TObject, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ownOf } from '../../../db/repositories/index.ts'
import { fail } from '../../../plugins/http/errors/index.ts'
import { recordEvent } from '../../../plugins/identity/audit.ts'
import { userOf } from '../../../plugins/identity/identity.ts'
import { labelOf } from '../../../plugins/patterns/activity/labels.ts'
import { writesOf } from '../../../plugins/patterns/area/writes.ts'
import { referencesOf } from '../../../plugins/patterns/pages/choices.ts'
import { type Form, form } from '../../../plugins/patterns/pages/form.ts'
import { bytesOf, fieldsOf, inputOf } from '../../../plugins/patterns/pages/inputs.ts'
import { SeenRow, seenRow } from '../../../plugins/patterns/pages/seen-row.ts'
import { areaOfKind } from '../../../schemas/area/index.ts'
import { namesOf } from '../../../schemas/area/names.ts'
import type { AuditEventName } from '../../../schemas/audit.ts'
import { codesOf } from '../../../schemas/errors.ts'
import type { Kind } from '../../../schemas/kinds.ts'

type Caller = Pick<FastifyRequest, 'repos' | 'viewer' | 'actor'>
type Values = Readonly<Record<string, unknown>>

type Writes = ReturnType<typeof writesOf>

/** How the rows of a kind are written. */
interface Writing {
  remove(...target: Parameters<Writes['remove']>): Promise<object>
  /** What a row consists of, and how that is replaced; absent if it is never changed. */
  content?: TObject
  replace?: Writes['replace']
}

function writingOf(app: FastifyInstance, kind: Kind): Writing {
  const area = areaOfKind(kind)
  if (area) {
    // No row is made here, so it does not matter how many a user may have.
    return { content: area.replaced, ...writesOf(app, area, 0) }
  }
  return {
    async remove({ repos, viewer, actor: by }, { id }) {
      const row = { id, user_id: viewer.user.id, ifVersion: null, by }
      const removed = await ownOf(repos, namesOf(kind)).remove(row)
      return removed ?? fail(codesOf(kind).absent)
    }
  }
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
  const { content, replace, remove } = writingOf(app, kind)
  const references = referencesOf(app, kind)
  const fields = content && fieldsOf(content, references.fields)
  const words = {
    'PRECONDITION-FAILED': `Somebody else has changed this ${kind} in the meantime. Look at it first.`
  }

  /** A row with its owner. */
  async function find(id: number) {
    const row = (await rowOf(app, kind, id)) ?? fail(codesOf(kind).absent)
    const owner = await app.repos.users.findById({ id: row.user_id })
    return { row, owner: userOf(owner ?? fail(codesOf(kind).absent)) }
  }

  const write = (
    request: FastifyRequest,
    { id, owner, event }: { id: number; owner: Caller['viewer']['user']; event: AuditEventName },
    work: (caller: Caller) => Promise<unknown>
  ) =>
    request.transaction(async (repos) => {
      const viewer = { ...request.viewer, user: owner }
      await work({
        repos,
        viewer,
        actor: { ...request.actor, user_id: owner.id, via: 'administrator' }
      })
      const what = { subject: `${kind} ${id}`, detail: `of ${owner.user_id}` }
      await recordEvent(repos, request, event, what)
    })

  const [change, removal] = [`change-${kind}`, `delete-${kind}`]
  const forms: Record<string, Form> = {
    [removal]: form(app, SeenRow, {
      done: 'Deleted.',
      async ask({ id }) {
        const { row, owner } = await find(id)
        return {
          title: `Delete ${labelOf(app, kind, row)} of ${owner.user_id}?`,
          text: app.activity.isOn
            ? 'Only its owner can undo this, on the page Activity.'
            : 'It cannot be restored.',
          button: 'Delete'
        }
      },
      async run({ id, expected_version: version }, request) {
        const { owner } = await find(id)
        await write(request, { id, owner, event: 'row-deleted' }, (caller) =>
          remove(caller, { id, version })
        )
        return undefined
      },
      words
    })
  }
  if (fields && replace) {
    forms[change] = form(app, Type.Object({ ...SeenRow.properties, ...fields.properties }), {
      done: 'Changed.',
      isEmptyAbsent: true,
      async run({ id, expected_version: version, ...given }, request) {
        const { owner } = await find(id)
        const viewer = { ...request.viewer, user: owner }
        const values = await references.chosen({ viewer }, given)
        await write(request, { id, owner, event: 'row-changed' }, (caller) =>
          replace(caller, { id, version }, values)
        )
        return undefined
      },
      words
    })
  }

  /** What the forms of a row send with it. */
  const hidden = (row: Values) => seenRow(areaOfKind(kind), row)

  return {
    forms,
    change: fields && change,
    removal,
    bytes: fields ? bytesOf(fields) : 0,
    hidden,
    /** Rows of all users by their ids, with labels where they refer to others, as far as their owners may read these. */
    async withLabels(rows: readonly { id: number; user_id: number }[]) {
      const all = Map.groupBy(rows, ({ user_id }) => user_id)
      const labelled = [...all].map(([owner, own]) =>
        references.withLabels(
          owner,
          own.map(({ user_id: _, ...row }) => row)
        )
      )
      return new Map((await Promise.all(labelled)).flat().map((row) => [row.id, row]))
    },
    /** What the open form of a row shows; undefined if there is no such row, or it is never changed. */
    async opened(id: number, request: FastifyRequest) {
      if (!fields || !(await rowOf(app, kind, id))) return undefined
      const { row, owner } = await find(id)
      const [shown] = await references.withLabels(owner.id, [{ ...row }])
      return {
        ...{ label: labelOf(app, kind, row), owner: owner.user_id, hidden: hidden({ ...row }) },
        offered: await references.offered({ viewer: { ...request.viewer, user: owner } }),
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
