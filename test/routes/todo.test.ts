import t from 'tap'
import { outcome, signIn, startService } from '../helper.ts'

t.test('a todo of another user is reported as not found (contract: Todo item)', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app, 'demo')
  const admin = await signIn(app, 'admin')
  const { id } = (await demo.send('POST', '/todo/index', { title: 'mine' })).json().Data.todo

  t.equal(outcome(await admin.send('GET', `/todo/item/id_${id}`)), '404 TODO-NOT-FOUND')
  t.equal(
    outcome(await admin.send('PUT', `/todo/item/id_${id}`, { title: 'theirs' })),
    '404 TODO-NOT-FOUND'
  )
  t.equal(outcome(await admin.send('DELETE', `/todo/item/id_${id}`)), '404 TODO-NOT-FOUND')
  t.same((await admin.send('GET', '/todo/index')).json().Data.todos, [])
  t.equal((await demo.send('GET', `/todo/item/id_${id}`)).json().Data.todo.title, 'mine')
})
