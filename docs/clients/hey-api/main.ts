import { client } from './gatehouse/client.gen.ts'
import { createClient } from './gatehouse/client/index.ts'
import { createMemo, createTodo, listTodos, login, replaceMemo } from './gatehouse/index.ts'
import { sessionFetch, useToken } from './session-fetch.ts'

const baseUrl = 'http://127.0.0.1:3000'
client.setConfig({ baseUrl, fetch: sessionFetch })

const session = await login({ body: { user_id: 'demo', user_pass: 'demo' } })
if (!session.data) throw new Error(session.error.Data.errorCode)
useToken(session.data.Data.csrfToken)

const made = await createTodo({ body: { title: 'Buy milk' } })
if (made.data) console.log(`made ${made.data.Data.todo.title}`)

const refused = await createTodo({ body: { title: '' } })
if (refused.error) console.log(`refused: ${refused.error.Data.errorCode}`)

const memo = await createMemo({ body: { body: 'first' } })
if (memo.data) {
  const headers = { 'if-match': memo.response?.headers.get('etag') ?? '' }
  const path = { id: memo.data.Data.memo.id }
  const changed = await replaceMemo({ path, headers, body: { body: 'second' } })
  console.log(`memo: ${changed.response?.headers.get('etag')}`)
}

// Instead of a session: a Bearer credential with each request.
const token = process.env.GATEHOUSE_TOKEN
const agent = createClient({
  baseUrl,
  auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined)
})
const listed = await listTodos({ client: agent, query: { limit: 10 } })
if (listed.data) console.log(`as an agent: ${listed.data.Data.todos.length} todos`)
