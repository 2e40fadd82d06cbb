import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { confirm, isConfirmed, prefers } from '../../plugins/http/prefer.ts'
import { answerUndo, undoing } from '../../plugins/patterns/activity/undo-answer.ts'
import { pagesOf, rowsPart } from '../../plugins/patterns/data-export.ts'
import { IdempotencyKey, idempotentEffect } from '../../plugins/patterns/idempotency/index.ts'
import { answerOf, short } from '../../plugins/patterns/plans/told.ts'
import { NextCursor, newestFirst, ok, ref, success, successOfMany } from '../../schemas/common.ts'
import { failureFields } from '../../schemas/failures.ts'
import {
  NewPlan,
  Plan,
  PlanKey,
  PlanQuery,
  PlanRefusal,
  PlanState,
  PlanUndoQuery,
  PlanWait,
  planAnswer,
  planChanged,
  planDays,
  planDecided
} from '../../schemas/plan.ts'
import { undoAnswer, undoExamples, undoRefusal } from '../../schemas/undo.ts'

const config = { allow: ['session', 'agent', 'jwt'], scope: 'any' } as const
/** Whether the caller prefers a plan in short. */
function prefersShort(request: FastifyRequest, reply: FastifyReply) {
  const isShort = prefers(request, 'return=minimal')
  if (isShort) confirm(reply, 'return=minimal')
  return isShort
}

/** Plans of the caller: what a program would do, for a person to decide (docs/patterns/plans.md). */
const plan: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('plan', 'What programs would do, for their user to decide.', {
    createPlan: 'decided on `/plan/board`; `"$milk.id"`, a whole value: of step `"as":"milk"`',
    getPlan: 'until it is decided'
  })

  app.dataExport.add(
    rowsPart('plans.json', 'What programs have proposed, and what you decided.', (request) =>
      pagesOf(async (page) => {
        const { plans: rows, next_cursor } = await app.plans.list(request, { ...page, limit: 20 })
        return { rows, next_cursor }
      })
    )
  )

  app.post(
    '/plan/index',
    {
      config: {
        ...config,
        minimal: true,
        withoutApproval: true,
        fails: ['PLAN-INVALID', 'BATCH-TOO-LARGE', 'SCOPE-INSUFFICIENT', 'CONFLICT'],
        mcp: {
          amount: 'minimal',
          description:
            'Proposes calls for your user to approve. Nothing happens until then; `GET /plan/item/id_{id}` tells the decision.'
        }
      },
      schema: {
        operationId: 'createPlan',
        summary: 'Propose a plan',
        description: `Your user decides on \`/plan/board\` within ${planDays} days. The steps are tried, and nothing is kept but the plan. Needs the scope of every step. Repeated, with its \`Idempotency-Key\` or by the same access token while it waits: the plan as it is now.`,
        headers: IdempotencyKey,
        querystring: PlanWait,
        body: ref(NewPlan),
        response: { 200: planAnswer }
      }
    },
    (request, reply) => {
      let isRepeated = false
      return idempotentEffect(
        request,
        reply,
        () =>
          app.plans.propose(request, request.body, (plan, is) => {
            isRepeated = is
            return answerOf(app, plan, { isShort: prefersShort(request, reply) })
          }),
        // It may be decided by now. A repetition is as short as the first answer.
        async ({ Data: { plan } }) => {
          const now = await app.plans.settled(request, plan.id, request.query.wait)
          return answerOf(app, now, { isShort: isConfirmed(reply, 'return=minimal'), isRepeated })
        }
      )
    }
  )

  app.get(
    '/plan/index',
    {
      config: {
        ...config,
        minimal: true,
        mcp: { ofAsking: true, amount: 'minimal', description: 'What you have proposed.' }
      },
      schema: {
        operationId: 'listPlans',
        summary: 'List plans',
        description: 'Newest first, those whose rows your credential may read or write.',
        querystring: PlanQuery,
        response: { 200: success({ plans: newestFirst(Plan), next_cursor: NextCursor }) }
      }
    },
    async (request, reply) => {
      const { plans, next_cursor } = await app.plans.list(request, request.query)
      return ok({ plans: prefersShort(request, reply) ? plans.map(short) : plans, next_cursor })
    }
  )

  app.get(
    '/plan/item/id_:id',
    {
      config: {
        ...config,
        minimal: true,
        fails: ['PLAN-NOT-FOUND'],
        mcp: {
          description: '`state`: pending, applied, or that nothing was and will be done.'
        }
      },
      schema: {
        operationId: 'getPlan',
        summary: 'Read a plan',
        description: 'With `wait`, when it is decided, or after so many seconds.',
        params: PlanKey,
        querystring: PlanWait,
        response: { 200: planAnswer }
      }
    },
    async (request, reply) => {
      const plan = await app.plans.settled(request, request.params.id, request.query.wait)
      return answerOf(app, plan, { isShort: prefersShort(request, reply) })
    }
  )

  app.post(
    '/plan/apply/id_:id',
    {
      config: {
        ...config,
        fails: ['PLAN-NOT-FOUND', 'PLAN-DECIDED', 'SCOPE-INSUFFICIENT', 'CONFLICT'],
        failureFields: {
          'PLAN-DECIDED': planDecided,
          CONFLICT: { ...failureFields.CONFLICT, ...planChanged }
        },
        mcp: false
      },
      schema: {
        operationId: 'applyPlan',
        summary: 'Apply a plan',
        description:
          'As a whole, as its run and in the name of its proposer. If its rows have changed since it was tried: 409, with the plan as it is now.',
        params: PlanKey,
        response: { 200: planAnswer }
      }
    },
    async (request) => answerOf(app, await app.plans.apply(request, request.params.id))
  )

  app.post(
    '/plan/undo/id_:id',
    {
      config: {
        ...config,
        ...undoing,
        fails: ['PLAN-NOT-FOUND', 'CONFLICT', 'BUDGET-SPENT', 'SCOPE-INSUFFICIENT'],
        failureFields: { CONFLICT: { ...undoRefusal, state: Type.Optional(ref(PlanState)) } },
        mcp: false
      },
      schema: {
        operationId: 'undoPlan',
        summary: 'Undo a plan',
        description:
          'What it changed, and nothing else of its run. 200, 207 and 409 as of `POST /activity/undo`.',
        params: PlanKey,
        querystring: PlanUndoQuery,
        response: successOfMany(undoAnswer, undoExamples)
      }
    },
    (request, reply) => {
      const { params, query } = request
      const { dry_run = false } = query
      return answerUndo(request, reply, dry_run, () => app.plans.undo(request, params.id, query))
    }
  )

  app.post(
    '/plan/refuse/id_:id',
    {
      config: {
        ...config,
        // A token that asks may withdraw its own.
        withoutApproval: true,
        fails: ['PLAN-NOT-FOUND', 'PLAN-DECIDED', 'SCOPE-INSUFFICIENT', 'APPROVAL-NEEDED'],
        failureFields: { 'PLAN-DECIDED': planDecided },
        mcp: { ofAsking: true, description: 'Withdraws a plan of yours that waits.' }
      },
      schema: {
        operationId: 'refusePlan',
        summary: 'Refuse a plan',
        description: 'Nothing of it is done. Who proposed it withdraws it by that.',
        params: PlanKey,
        body: ref(PlanRefusal),
        response: { 200: planAnswer }
      }
    },
    async (request) =>
      answerOf(app, await app.plans.refuse(request, request.params.id, request.body.reason))
  )
}

export default plan
