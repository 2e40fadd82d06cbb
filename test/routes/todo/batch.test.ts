import t from 'tap'
import { outcome, restart, signIn, startService } from '../../support/helper.ts'

const shared = await startService(t)

t.test(
  'POST /todo/batch creates each good item and names each bad one (contract BATCH-1)',
  async (t) => {
    const { app } = await restart(shared)
    const demo = await signIn(app)
    const items = [{ title: ' a ' }, { title: ' ' }, { title: 'b' }, { title: 3 }, null, []]
    const response = await demo.send('POST', '/todo/batch', { items })
    t.equal(response.statusCode, 207)
    const { Result, Data } = response.json()
    t.equal(Result, true)
    t.equal(Data.status, 'partial')
    t.equal(Data.succeeded, 2)
    t.equal(Data.failed, 4)
    t.same(
      Data.items.map((item: { index: number; errorCode?: string; todo?: { title: string } }) => [
        item.index,
        item.errorCode ?? item.todo?.title
      ]),
      [
        [0, 'a'],
        [1, 'TODO-TITLE-REQUIRED'],
        [2, 'b'],
        [3, 'VALIDATION-FAILED'],
        [4, 'TODO-TITLE-REQUIRED'],
        [5, 'VALIDATION-FAILED']
      ]
    )
    t.same(
      Data.items.map((item: { details?: object }) => item.details),
      [
        undefined,
        undefined,
        undefined,
        [{ in: 'body', field: 'title', message: 'must be string' }],
        undefined,
        [{ in: 'body', field: '', message: 'must be object' }]
      ],
      'VALIDATION-FAILED says what is wrong, as it does for a single todo'
    )
    t.equal(Data.items[0].status, 'success')
    t.type(Data.items[0].todo.id, 'number')
    t.equal(Data.items[0].todo.is_completed, false)
    t.equal(Data.items[1].status, 'failure')
    t.equal(Data.items[1].errorMessage, 'TODO title is required.')
    t.equal((await demo.send('GET', '/todo/index')).json().Data.todos.length, 2)
  }
)

t.test('all items succeed: 200; none does: 422, a failure with the items', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const all = await demo.send('POST', '/todo/batch', { items: [{ title: 'a' }, { title: 'b' }] })
  t.equal(outcome(all), '200 success')
  t.equal(all.json().Data.succeeded, 2)

  const none = await demo.send('POST', '/todo/batch', { items: [{}, 1] })
  t.equal(outcome(none), '422 BATCH-ITEM-FAILED')
  t.equal(none.json().Data.status, 'failure')
  t.same(
    none.json().Data.items.map((item: { errorCode: string }) => item.errorCode),
    ['TODO-TITLE-REQUIRED', 'VALIDATION-FAILED']
  )
  t.equal(outcome(await demo.send('POST', '/todo/batch', { items: [] })), '200 success')
})

t.test(
  'a batch over the maximum is refused before anything is done (contract BATCH-1)',
  async (t) => {
    const { app } = await startService(t, { SVC_BODY_MAX_BYTES: String(8 * 1024 ** 2) })
    const demo = await signIn(app)
    const batch = (size: number, item: unknown = { title: 'x' }) =>
      demo.send('POST', '/todo/batch', { items: Array(size).fill(item) })
    t.equal(outcome(await batch(1)), '200 success')
    t.equal(outcome(await batch(100)), '200 success')
    for (const tooMany of [await batch(101), await batch(1_000_000, 1)]) {
      t.equal(outcome(tooMany), '400 BATCH-TOO-LARGE')
      t.equal(tooMany.json().Data.maximum, 100)
    }
    t.equal((await demo.send('GET', '/todo/index?limit=500')).json().Data.todos.length, 101)

    const small = await startService(t, { SVC_BATCH_MAX: '2' })
    const other = await signIn(small.app)
    const three = { items: Array(3).fill({ title: 'x' }) }
    t.equal(outcome(await other.send('POST', '/todo/batch', three)), '400 BATCH-TOO-LARGE')
  }
)

t.test('what is not an array of items is refused as a whole', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  for (const payload of [{ items: 'x' }, { items: {} }, { items: null }, {}, null, [], 'x']) {
    const response = await demo.send('POST', '/todo/batch', payload)
    t.equal(outcome(response), '422 VALIDATION-FAILED', JSON.stringify(payload))
  }
})

t.test('an item with U+0000 fails alone (contract BATCH-1)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const titles = async () => {
    const { todos } = (await demo.send('GET', '/todo/index')).json().Data
    return todos.map(({ title }: { title: string }) => title).sort()
  }
  const codes = (response: Awaited<ReturnType<typeof demo.send>>) =>
    response.json().Data.items.map((item: { errorCode?: string }) => item.errorCode)

  const items = [{ title: 'a' }, { title: 'b\0' }, { title: 'c' }]
  const created = await demo.send('POST', '/todo/batch', { items })
  t.equal(outcome(created), '207 partial')
  t.same(codes(created), [undefined, 'VALIDATION-FAILED', undefined])
  t.same(created.json().Data.items[1].details, [
    { in: 'body', field: 'title', message: 'must not contain U+0000' }
  ])
  t.same(await titles(), ['a', 'c'])

  const [first, , last] = created.json().Data.items
  const changes = [
    { id: first.todo.id, title: '\0', is_completed: true },
    { id: last.todo.id, title: 'd' }
  ]
  const changed = await demo.send('PATCH', '/todo/batch', { items: changes })
  t.equal(outcome(changed), '207 partial')
  t.same(codes(changed), ['VALIDATION-FAILED', undefined])
  t.same(await titles(), ['a', 'd'])
  const unchanged = await demo.send('GET', `/todo/item/id_${first.todo.id}`)
  t.equal(unchanged.json().Data.todo.is_completed, false, 'nothing of the item is kept')

  const none = await demo.send('POST', '/todo/batch', { items: [{ title: '\0' }] })
  t.equal(outcome(none), '422 BATCH-ITEM-FAILED')
  t.same(codes(none), ['VALIDATION-FAILED'])
})
