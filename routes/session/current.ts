import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { needsApproval } from '../../plugins/identity/auth.ts'
import { changesLeft } from '../../plugins/identity/own-access-tokens.ts'
import { limitsOf } from '../../plugins/identity/rate-limit.ts'
import type { Operation } from '../../plugins/patterns/operations/index.ts'
import { maxLimit, ok, ref, success } from '../../schemas/common.ts'
import type { Config } from '../../schemas/config.ts'
import { Caller, CurrentQuery, LimitState } from '../../schemas/session.ts'
import { User } from '../../schemas/user.ts'

/** The operations by area, each with its method and path; apart from them those that are called as steps of plans. */
function byArea(operations: readonly Operation[], asks: boolean) {
  const areas = Map.groupBy(operations, ({ schema }) => schema.tags?.[0] ?? '')
  const waysOf = (some: Operation[] = []) =>
    Object.fromEntries(some.map(({ id, method, path }) => [id, `${method} ${path}`]))
  return [...areas].map(([area, all]) => {
    const { plan, now } = Object.groupBy(all, ({ config, method }) =>
      asks && needsApproval(config, method) ? 'plan' : 'now'
    )
    return { area, operations: waysOf(now), ...(plan && { as_plan: waysOf(plan) }) }
  })
}

const noLimit = 'Your requests are not limited: each of `limits` counts only what it says.'

/** Who the caller is and what it may do. Not in the scope of sign-in: it only reads the session, as any area does. */
const current: FastifyPluginAsyncTypebox<
  Pick<Config, 'SVC_BATCH_MAX' | 'SVC_UPLOAD_MAX_BYTES'>
> = async (app, { SVC_BATCH_MAX: batch, SVC_UPLOAD_MAX_BYTES: upload_bytes }) => {
  const maximum = { batch, page: maxLimit, upload_bytes }
  app.get(
    '/session/current',
    {
      config: {
        allow: ['session', 'agent', 'jwt'],
        scope: 'any',
        mcp: {
          description: 'Who you are, your limits, and the most that is taken at once.',
          // `tools/list` shows what this credential may call.
          omit: ['operations', 'can']
        }
      },
      schema: {
        operationId: 'getCurrentSession',
        tags: ['session'],
        summary: 'Who am I?',
        description:
          'And what it may do, and how much of it. A page that was reloaded finds its `csrfToken` here.',
        querystring: CurrentQuery,
        response: {
          200: success({
            user: ref(User),
            ...Caller,
            limits: Type.Array(ref(LimitState), {
              description: 'What is left of each limit that counts this credential.'
            })
          })
        }
      }
    },
    async (request) => {
      const { user, via, expiresAt, token } = request.viewer
      const limits = await limitsOf(app, request)
      const asks = token?.asks ?? false
      const operations = app.operationsOf(request.viewer)
      return ok({
        user,
        role: user.role,
        via,
        scopes: token && [...token.scopes],
        expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        token_id: token?.id ?? null,
        asks,
        changes_max: token?.changesMax ?? null,
        changes_left: await changesLeft(request),
        parent_id: token?.parentId ?? null,
        next_after: await app.repos.feed.newest({ user_id: user.id }),
        csrfToken: request.csrfToken,
        limits: limits.map(({ name, counts, max, seconds, remaining, reset }) => ({
          name,
          counts,
          max,
          window_seconds: seconds,
          remaining,
          reset_seconds: reset
        })),
        limits_message: app.limits.has('user') ? null : noLimit,
        ...(request.query.operations && { operations: operations.map(({ id }) => id) }),
        can: byArea(operations, asks),
        maximum
      })
    }
  )
}

export default current
