import t from 'tap'
import { changesState } from '../../plugins/http/dispatch.ts'
import { operations } from './document/operations.ts'
import { type Caller, exampleCall, send, startEverything, validCall } from './document/service.ts'

/** Operations whose `{id}` names nothing that one user owns, and why. */
const notOwned: Record<string, string> = {
  setFlagOverride: 'the id of a user; others than administrators are refused by role',
  removeFlagOverride: 'the same',
  getUser: 'the same',
  changeUser: 'the same',
  deleteUser: 'the same',
  endUserSessions: 'the same',
  endUserPasskeys: 'the same',
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

t.test("a list hides other users' rows", async (t) => {
  const service = await startEverything(t)
  for (const list of operations) {
    const creator = operations.find(({ path, method }) => path === list.path && method === 'POST')
    const hasPages = list.parameters.some(({ name }) => name === 'cursor')
    if (list.method !== 'GET' || list.path.includes('{') || !(creator || hasPages)) continue
    if (creator) {
      const call = await validCall(creator, service)
      await send(
        service,
        creator,
        { ...call, headers: { ...call.headers, 'x-run-id': 'a' } },
        'admin'
      )
    }
    const rows = async (as: Caller) => {
      const answer = await send(service, list, exampleCall(list), as)
      if (answer.statusCode === 403) return []
      const lists = Object.values(JSON.parse(answer.body).Data).filter(Array.isArray)
      return lists.flat().filter((row) => typeof row === 'object')
    }
    t.not((await rows('admin')).length, 0, `${list.operationId}: the owner sees rows`)
    t.same(await rows('demo'), [], `${list.operationId}: another user sees none`)
  }
})

t.test('an operation says who may call it; one that writes needs the scope to write', async (t) => {
  const { app } = await startEverything(t)
  const areaOf = (url: string) => url.split('/')[1]
  const scoped = new Set(
    app.operations.filter(({ config }) => config.scope?.includes(':')).map(({ url }) => areaOf(url))
  )
  for (const { id, method, url, config } of app.operations) {
    const { allow, scope } = config
    t.ok(allow ?? scope, `${id}: config names allow or scope`)
    if (!scoped.has(areaOf(url))) continue
    const isOpen = scope === 'any' || allow?.includes('anyone')
    if (changesState(method)) t.match(scope, /:write$/, `${id} writes: config.scope says so`)
    else t.ok(isOpen || scope?.endsWith(':read'), `${id} reads: config.scope says so`)
  }
})
