import t from 'tap'
import { signIn, startService } from '../../support/helper.ts'
import { newTodo } from '../../support/todo.ts'

t.test('listeners learn of what is committed, and of nothing else', async (t) => {
  const { app } = await startService(t)
  const { db } = app
  const user_id = Number((await db.repos.users.find({ user_id: 'demo' }))?.id)
  const told: number[] = []
  let missing = 0
  const stop = app.changes.onCommitted((user) => told.push(user))
  await db.repos.todos.insert(newTodo(user_id, 'alone'))
  t.same(told, [user_id], 'a lone write')

  const work = db.transaction(async ({ todos }) => {
    await todos.insert(newTodo(user_id, 'a'))
    await todos.insert(newTodo(user_id, 'b'))
    missing = told.length
  })
  await work
  t.equal(missing, 1, 'nothing before the commit')
  t.same(told, [user_id, user_id], 'a transaction, once')

  const undone = db.transaction(async ({ todos }) => {
    await todos.insert(newTodo(user_id, 'c'))
    throw new Error('rolled back')
  })
  await t.rejects(undone, { message: 'rolled back' })
  t.equal(told.length, 2, 'a transaction that was rolled back')

  const { send } = await signIn(app, 'admin')
  t.equal(told.length, 2, 'a write without a record')
  await send('POST', '/todo/index', { title: 'by HTTP' })
  t.equal(told.length, 3)

  stop()
  await send('POST', '/todo/index', { title: 'unheard' })
  t.equal(told.length, 3, 'a listener that has stopped')
})
