import { type TProperties, Type } from '@sinclair/typebox'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { ownOf } from '../../../db/repositories/index.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { ETag, ok, oneOf, ref, success } from '../../../schemas/common.ts'
import { codesOf } from '../../../schemas/errors.ts'
import { fail } from '../../http/errors/index.ts'
import { etag, IfMatch, versionToReplace } from '../conditional.ts'
import { workflow } from '../workflow.ts'
import type { writesOf } from './writes.ts'

/** Adds the operation that moves a row of an area with states to another (contract MEMO-2). */
export function addState(
  app: FastifyInstance,
  area: Area,
  config: NonNullable<RouteShorthandOptions['config']>,
  writes: Pick<ReturnType<typeof writesOf>, 'rowOf'>
): void {
  const { kind, one, One, aOne, row, states, versions = false } = area
  if (!states) return
  const flow = workflow(states)
  const { absent: notFound } = codesOf(kind)
  const names = Object.keys(states)
  const [first = '', [second = ''] = []] = Object.entries(states)[0] ?? []
  const moves = Object.entries(states).flatMap(([from, next]) =>
    next.length > 0 ? [`from ${from} to ${next.join(' or ')}`] : []
  )
  const answer: TProperties = {
    [one]: ref(row),
    allowed_next: Type.Array(oneOf(names), {
      description: `States that the ${one} can be moved to now.`
    })
  }
  const example = {
    [one]: { ...row.examples[0], state: second, ...(versions && { version: 2 }) },
    allowed_next: states[second]
  }
  const move = Type.Object(
    {
      // Not a choice: a state that does not exist is a move that is not allowed (contract MEMO-3).
      to_state: Type.String({
        description: `The new state, one of ${names.join(', ')}.`,
        examples: [second || first]
      })
    },
    {
      $id: `${One}Transition`,
      description: `The new state of ${aOne}.`,
      examples: [{ to_state: second || first }]
    }
  )

  app.put<{ Params: { id: number }; Body: { to_state: string } }>(
    `/${kind}/state/id_:id`,
    {
      config: {
        ...config,
        fails: [
          notFound,
          'INVALID-TRANSITION',
          ...(versions ? (['PRECONDITION-FAILED'] as const) : [])
        ]
      },
      schema: {
        operationId: `move${One}`,
        summary: `Move ${aOne} to another state`,
        description: `${moves.join(', ').replace(/^f/, 'F')}.`,
        params: area.key,
        ...(versions && { headers: IfMatch }),
        body: ref(move),
        response: {
          200: success(answer, { ...(versions && { headers: { ETag } }), example })
        }
      }
    },
    async (request, reply) => {
      const key = { id: request.params.id, user_id: request.viewer.user.id }
      const own = ownOf(request.repos, area)
      for (;;) {
        // Within the loop: who loses the right meanwhile would try for ever.
        const row = await writes.rowOf(request, key)
        const { state: from = first, version: current = 1 } =
          (await own.find(key)) ?? fail(notFound)
        const ifVersion = versions
          ? versionToReplace(request, { version: current }, { required: false })
          : null
        const to = flow.next(from, request.body.to_state)
        const moved = await own.transition?.({ ...row, ifVersion, from, to })
        // Another request has changed the row meanwhile: read it and decide again.
        if (!moved) continue
        if (versions && moved.version !== undefined) reply.header('etag', etag(moved.version))
        return ok({ [one]: moved, allowed_next: [...flow.allowedNext(to)] })
      }
    }
  )
}
