import t from 'tap'
import { operations } from './document/operations.ts'
import { send, startEverything, validCall } from './document/service.ts'

/** Operations whose `{id}` names nothing that one user owns, and why. */
const notOwned: Record<string, string> = {
  setFlagOverride: 'the id of a user; others than administrators are refused by role',
  removeFlagOverride: 'the same',
  getUser: 'the same',
  changeUser: 'the same',
  endUserSessions: 'the same',
  downloadAttachment: 'whoever has the signed link may download'
}

const withId = operations.filter(({ path }) => path.includes('{id}'))

t.test('the exceptions are operations with an {id}', async (t) => {
  for (const name of Object.keys(notOwned)) {
    t.ok(
      withId.some(({ operationId }) => operationId === name),
      name
    )
  }
})

t.test("another user's row is not found (contract TODO-1, JWT)", async (t) => {
  const service = await startEverything(t)
  for (const operation of withId) {
    if (operation.operationId in notOwned) continue
    // The row belongs to admin.
    const call = await validCall(operation, service)
    const stranger = await send(service, operation, call, 'demo')
    t.equal(stranger.statusCode, 404, `${operation.operationId} as another user`)
    t.match(JSON.parse(stranger.body).Data.errorCode, /-NOT-FOUND$/)
    const owner = await send(service, operation, call, 'admin')
    t.equal(owner.statusCode, 200, `${operation.operationId} as its owner, unharmed`)
  }
})
