import { kindList } from '../../../db/repositories/runs.ts'
import { kinds } from '../../../schemas/kinds.ts'
import type { Attempt } from '../document/attempts.ts'
import { type Everything, json, type Preparations, sendExample } from '../document/service.ts'
import { call } from '../document/triggers.ts'

export const errors = {
  'PLAN-INVALID': '422 A step of the plan cannot be done.',
  'PLAN-NOT-FOUND': '404 Plan was not found.',
  'PLAN-DECIDED': '409 The plan is already decided.'
}

/** A plan of the caller that waits. Those before it are refused: only fifty may wait. */
async function makePlan(service: Everything) {
  const { app } = service
  const now = app.now()
  for (const name of ['admin', 'demo']) {
    const user_id = (await app.repos.users.find({ user_id: name }))?.id ?? 0
    const seen = { user_id, kinds: kindList(kinds), now, before: 1e9, limit: 100 }
    for (const { id } of await app.repos.plans.list({ ...seen, state: 'pending' })) {
      const decision = { state: 'refused', decided_at: now, reason: null } as const
      const by = { decided_via: 'session', decided_token_id: null }
      const of = { id, user_id, now, version: undefined }
      await app.db.repos.plans.decide({ ...of, ...decision, ...by })
    }
  }
  const { body } = await sendExample(service, 'createPlan')
  return String(JSON.parse(body).Data.plan.id)
}

const withPlan: Preparations[string] = async (call, service) => {
  call.params.id = await makePlan(service)
}

export const prepare: Preparations = {
  getPlan: withPlan,
  applyPlan: withPlan,
  refusePlan: withPlan,
  undoPlan: async (call, service) => {
    await withPlan(call, service)
    await sendExample(service, 'applyPlan', { params: call.params })
  }
}

const unknown = { purpose: 'x', steps: [{ operation: 'never', arguments: {} }] }

/** The id of a plan that was refused. */
const decided: Attempt['change'] = async (call, service) => {
  call.params.id = await makePlan(service)
  await sendExample(service, 'refusePlan', { params: { id: call.params.id } })
}

/** The id of an applied plan of two new todos, of which the second was changed since. */
const changedSince: Attempt['change'] = async (call, service) => {
  await makePlan(service)
  const step = { operation: 'createTodo', arguments: { title: 'Buy milk' } }
  const proposal = JSON.stringify({ purpose: 'x', steps: [step, step] })
  const planOf = ({ body }: { body: string }) => JSON.parse(body).Data.plan
  const { id } = planOf(await sendExample(service, 'createPlan', { body: proposal }))
  call.params.id = String(id)
  const { params } = call
  const { changes } = planOf(await sendExample(service, 'applyPlan', { params }))
  await sendExample(service, 'changeTodo', { params: { id: String(changes[1].key) } })
}

export const attempts: Record<string, Attempt[]> = {
  applyPlan: [{ name: 'a decided one', change: decided, expected: [409] }],
  refusePlan: [{ name: 'a decided one', change: decided, expected: [409] }],
  undoPlan: [
    { name: 'some of it', change: changedSince, expected: [207] },
    { name: 'a refused one', change: decided, expected: [409] }
  ],
  createPlan: [{ name: 'an unknown step', change: json(unknown), expected: [422] }]
}

export const triggers = {
  'PLAN-INVALID': call('createPlan', { json: unknown }),
  'PLAN-NOT-FOUND': call('getPlan', { params: { id: '999999' } }),
  async 'PLAN-DECIDED'(service: Everything) {
    const id = await makePlan(service)
    await call('refusePlan', { params: { id }, json: {} })(service)
    return call('refusePlan', { params: { id }, json: {} })(service)
  }
}
