import type { Attempt } from '../document/attempts.ts'
import {
  type Call,
  type Everything,
  json,
  type Preparations,
  sendExample
} from '../document/service.ts'
import { call } from '../document/triggers.ts'

export const errors = { 'RUN-NOT-FOUND': '404 Run was not found.' }

let runs = 0

/** Something to undo: a todo that a run has made. */
async function makeRun(service: Everything) {
  const run = `run-${runs++}`
  await sendExample(service, 'createTodo', { headers: { 'x-run-id': run } })
  return run
}

export const prepare: Preparations = {
  async undoActivity(call, service) {
    json({ run: await makeRun(service) })(call)
  }
}

async function nameSome(call: Call, service: Everything) {
  await makeRun(service)
  const { body } = await sendExample(service, 'listActivity')
  json({ ids: [JSON.parse(body).Data.changes[0].id, 999_999] })(call)
}

export const attempts: Record<string, Attempt[]> = {
  undoActivity: [
    { name: 'some of it', change: nameSome, expected: [207] },
    { name: 'none of it', change: json({ ids: [999_999] }), expected: [409] },
    { name: 'an unknown run', change: json({ run: 'never-was' }), expected: [404] }
  ]
}

export const triggers = {
  'RUN-NOT-FOUND': call('undoActivity', { body: JSON.stringify({ run: 'never-was' }) })
}
