import { createMemo, createTodo, listTodos, login, replaceMemo } from './gatehouse.ts'
import { useToken } from './session-fetch.ts'

const session = await login({ user_id: 'demo', user_pass: 'demo' })
if (session.status !== 200) throw new Error(session.data.Data.errorCode)
useToken(session.data.Data.csrfToken)

const made = await createTodo({ title: 'Buy milk' })
if (made.status === 200) console.log(`made ${made.data.Data.todo.title}`)

const refused = await createTodo({ title: '' })
if (refused.status === 400) console.log(`refused: ${refused.data.Data.errorCode}`)

const memo = await createMemo({ body: 'first' })
if (memo.status === 200) {
  const etag = memo.headers.get('etag') ?? ''
  const changed = await replaceMemo(
    memo.data.Data.memo.id,
    { body: 'second' },
    { 'if-match': etag }
  )
  console.log(`memo: ${changed.headers.get('etag')}`)
}

// Instead of a session: a Bearer credential with each request.
const authorization = `Bearer ${process.env.GATEHOUSE_TOKEN}`
const listed = await listTodos({ limit: 10 }, {}, { headers: { authorization } })
if (listed.status === 200) console.log(`as an agent: ${listed.data.Data.todos.length} todos`)
