import { type TObject, Type } from '@sinclair/typebox'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Actor } from '../../../db/own/record.ts'
import type { Repositories } from '../../../db/repositories/index.ts'
import { kindOf, RunId } from '../../../schemas/activity.ts'
import { isPublicKind } from '../../../schemas/area/index.ts'
import type { Config } from '../../../schemas/config.ts'
import { type Kind, kinds } from '../../../schemas/kinds.ts'
import { changesState } from '../../http/dispatch.ts'
import { invalid } from '../../http/errors/index.ts'
import { admits, defaultAllow, failScope } from '../../identity/auth.ts'
import type { Identity, Way } from '../../identity/identity.ts'
import type { Newest, Search } from '../search.ts'

/** What an area declares about the rows whose changes it records. */
interface RecordedKind {
  /** Kinds of credential that its operations take. Callers with others can neither see nor undo its changes. */
  allow?: readonly Way[]
  /** The most that a user may have. To undo a deletion must not exceed it. */
  max: number
  search: Search
  newest: Newest
  /** The field that people know a row by. */
  named?: string | undefined
  /** Whether the area draws its own page. Others get one from their operations (plugins/patterns/pages/area.ts). */
  hasPage?: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It undoes recorded changes, and by that makes others, of whatever kinds the caller may write. */
    undoes?: boolean
  }
  interface FastifyInstance {
    activity: {
      /** Declares that an area records changes of this kind; call it once for each kind. */
      add(kind: Kind, recorded: RecordedKind): void
      /** Kinds whose rows the caller may read; null is a visitor without a credential. */
      readable(identity: Identity | null): Kind[]
      /** The kinds whose areas draw no page of their own. */
      withoutPage(): Kind[]
      /** The most that the caller may have of a kind; null if it may not write this kind. */
      room(identity: Identity, kind: Kind): number | null
      /** The field that people know a row of a kind by; undefined if it has none. */
      named(kind: Kind): string | undefined
      /** Rows of a kind that the caller may read. */
      search(kind: Kind, wanted: Parameters<Search>[0]): ReturnType<Search>
      /** Rows of a kind of all users: for administrators. */
      newest(kind: Kind, wanted: Parameters<Newest>[0]): ReturnType<Newest>
      /** Older changes are forgotten. In milliseconds since the epoch. */
      since(): number
      /** Whether changes are recorded at all. */
      isOn: boolean
    }
  }
  interface FastifyRequest {
    /**
     * Who changes something: the argument `by` of every recorded write. Fails with VALIDATION-FAILED if
     * `X-Run-Id` is not a valid name of a run.
     */
    readonly actor: Actor
  }
}

const header = 'x-run-id'
const runId = new RegExp(RunId.pattern ?? '')
const RunHeader = Type.Optional({
  ...RunId,
  description:
    'Any name for the run that this request is part of: `GET /activity/runs` lists it, `POST /activity/undo` undoes it.'
})
/** Of operations that record nothing. */
const UnusedRunHeader = Type.Optional({
  ...RunId,
  'x-name': 'UnusedRunId',
  description: 'Checked, but not used: this request is part of no run that the caller names.'
})

/** Whether a request is part of the run that it names: an undo is a run of its own. */
const takesRun = ({ scope, undoes = false }: FastifyContextConfig = {}) =>
  !undoes && kindOf(scope) !== undefined

/** Whether what an operation does is recorded changes. */
export const isRecorded = ({ scope, undoes = false }: FastifyContextConfig = {}) =>
  undoes || kindOf(scope) !== undefined

type Removed = { id: number; user_id: number }[]

/** How many changes a step measures, or removes, on behalf of one user. */
const pageSize = 1000
const removedAtOnce = 500

/** What the description of a deletion says of its undo. */
export const restoring = ({ activity }: FastifyInstance, what: 'it' | 'them') =>
  activity.isOn
    ? `\`POST /activity/undo\` restores ${what}.`
    : 'For good: changes are not recorded here.'

/** The `activity` pattern (docs/patterns/activity.md): who changed what, and how long that is remembered. */
export default fp<Pick<Config, 'SVC_ACTIVITY_DAYS' | 'SVC_USER_ACTIVITY_BYTES'>>(
  async (app, { SVC_ACTIVITY_DAYS: days, SVC_USER_ACTIVITY_BYTES: max }) => {
    app.readsConfig('undoes')
    const recorded = new Map<Kind, RecordedKind>()

    app.decorate('activity', {
      add: (kind, what) => recorded.set(kind, what),
      withoutPage: () => [...recorded].filter(([, { hasPage }]) => !hasPage).map(([kind]) => kind),
      named: (kind) => recorded.get(kind)?.named,
      readable: (identity) =>
        kinds.filter((kind) => (identity ? mayUse(identity, kind, 'read') : isPublicKind(kind))),
      room: (identity, kind) =>
        mayUse(identity, kind, 'write') ? (recorded.get(kind)?.max ?? null) : null,
      search: async (kind, wanted) =>
        (await recorded.get(kind)?.search(wanted)) ?? { rows: [], rest: 0 },
      newest: async (kind, wanted) =>
        (await recorded.get(kind)?.newest(wanted)) ?? { rows: [], rest: 0 },
      // With 0 days, a change is forgotten at once.
      isOn: days > 0,
      since: () => app.now() - days * 86_400_000 + (days === 0 ? 1 : 0)
    })

    function mayUse(identity: Identity, kind: Kind, what: 'read' | 'write') {
      const area = recorded.get(kind)
      if (!area) return false
      return admits({ allow: area.allow ?? defaultAllow, scope: `${kind}:${what}` }, identity)
    }

    app.decorateRequest('actor', {
      getter(this: FastifyRequest) {
        return {
          user_id: this.viewer.user.id,
          at: app.timestamp(),
          via: this.viewer.via,
          token_id: this.viewer.token?.id ?? null,
          spends: this.viewer.token?.spends ?? null,
          run: runOf(this),
          request_id: this.id,
          traceparent: this.place?.traceparent ?? null
        }
      }
    })

    /** Ends the request of a token that may write no kind at all: it can undo nothing. */
    function refuseReader({ viewer }: FastifyRequest, _reply: unknown, done: () => void) {
      const mayWrite = kinds.some((kind) => mayUse(viewer, kind, 'write'))
      if (viewer.token && !mayWrite) {
        const [kind = 'todo'] = kinds.filter((kind) => mayUse(viewer, kind, 'read'))
        failScope(app, viewer, `${kind}:write`)
      }
      done()
    }
    app.addHook('onRoute', function refuseReaders(route) {
      if (route.config?.undoes) {
        route.onRequest = [refuseReader, ...[route.onRequest ?? []].flat()]
      }
    })

    app.addHook('onRoute', function documentRunId(route) {
      const { schema, config, method } = route
      const isOpen = config?.allow?.includes('anyone')
      if (!schema?.operationId || isOpen || !changesState(String(method))) return
      const headers = (schema.headers ?? Type.Object({})) as TObject
      route.schema = {
        ...schema,
        headers: Type.Object({
          ...headers.properties,
          [header]: takesRun(config) ? RunHeader : UnusedRunHeader
        })
      }
    })

    /** Removes changes, and marks for each user how far, so that nobody reads on past a gap. */
    const forget = (remove: (changes: Repositories['changes']) => Promise<Removed>) =>
      app.db.transaction(async ({ changes }) => {
        const removed = await remove(changes)
        const newest = new Map<number, number>()
        for (const { user_id, id } of removed) {
          newest.set(user_id, Math.max(id, newest.get(user_id) ?? 0))
        }
        for (const [user_id, id] of newest) await changes.forget({ user_id, id })
        return removed
      })

    app.sweep.add('activity', async () => {
      const before = new Date(app.activity.since()).toISOString()
      const step = (limit: number) => forget((changes) => changes.removeOld({ before, limit }))
      await app.sweep.inSteps(step)
    })

    app.sweep.add('activity beyond the maximum', async () => {
      const { changes } = app.db.repos
      // Each user's changes, from the newest: as long as there is room for them.
      let [user_id, before, room] = [0, 0, 0]
      async function step() {
        const page = await changes.measure({ user_id, before, room, limit: pageSize })
        if (page.beyond !== null) {
          const last = { user_id, id: page.beyond, limit: removedAtOnce }
          return forget((repo) => repo.removeUpTo(last))
        }
        if (page.oldest !== null) {
          before = page.oldest
          room -= page.bytes
          return [page]
        }
        const next = await changes.nextUser({ user_id })
        if (!next) return []
        user_id = next.user_id
        before = Number.MAX_SAFE_INTEGER
        room = max
        return [next]
      }
      await app.sweep.inSteps(step, 1)
    })
  },
  {
    name: 'activity',
    fastify: '5.x',
    dependencies: ['auth', 'clock', 'database', 'sweep', 'idempotency', 'route-config']
  }
)

function runOf({ headers }: FastifyRequest): string | null {
  const run = headers[header]
  if (run === undefined) return null
  if (typeof run === 'string' && runId.test(run)) return run
  throw invalid({ in: 'headers', field: header, message: `must match pattern "${RunId.pattern}"` })
}
