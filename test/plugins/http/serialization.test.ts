import { Type } from '@sinclair/typebox'
import t from 'tap'
import { oneOf, orNull, ref, success } from '../../../schemas/common.ts'
import { startService } from '../../support/helper.ts'

const Place = Type.Object({ name: Type.String(), near: orNull(Type.String()) }, { $id: 'Place' })
const Fields = {
  text: orNull(Type.String()),
  time: orNull(Type.String({ format: 'date-time' })),
  count: orNull(Type.Integer()),
  word: orNull(oneOf(['low', 'high'])),
  list: orNull(Type.Array(Type.Boolean())),
  place: orNull(ref(Place)),
  left: Type.Optional(orNull(Type.String())),
  either: Type.Union([Type.Integer(), Type.Array(Type.Integer()), Type.Null()])
}
const full = {
  text: 'a "b"\n\u00e9',
  time: '2026-11-21T09:30:00.000Z',
  count: 7,
  word: 'low',
  list: [true, false],
  place: { name: 'here', near: null },
  either: [1]
}
const empty = Object.fromEntries(Object.keys(full).map((name) => [name, null]))

t.test('values that may be null are sent as JSON.stringify writes them', async (t) => {
  let data: object = {}
  const { app } = await startService(t, {}, (app) =>
    app.get(
      '/sample/index',
      { config: { allow: ['anyone'] }, schema: { response: { 200: success(Fields) } } },
      async () => ({ Result: true, Data: { status: 'success', ...data } }) as never
    )
  )
  for (data of [full, empty, { ...full, either: 3, left: null }, { ...empty, left: '' }]) {
    const { body } = await app.inject('/sample/index')
    t.equal(body, JSON.stringify({ Result: true, Data: { status: 'success', ...data } }))
  }
})

t.test('two services of one process share no components', async (t) => {
  const startWith = (name: string) =>
    startService(t, {}, (app) =>
      app.post(
        '/sample/index',
        {
          config: { allow: ['anyone'] },
          schema: {
            body: ref(Type.Object({ [name]: Type.Integer() }, { $id: 'NewSample' })),
            response: { 200: ref(Type.Object({ [name]: Type.Integer() }, { $id: 'Sample' })) }
          }
        },
        async () => ({ first: 1, second: 2 })
      )
    )
  const [one, other] = [await startWith('first'), await startWith('second')]
  const post = async ({ app }: typeof one, payload: object) =>
    (await app.inject({ method: 'POST', url: '/sample/index', payload })).body
  t.equal(await post(one, { first: 1 }), '{"first":1}')
  t.equal(await post(other, { second: 1 }), '{"second":2}')
  t.match(await post(one, { second: 1 }), /VALIDATION-FAILED/)
  t.match(await post(other, { first: 1 }), /VALIDATION-FAILED/)
})
