import createClient from 'openapi-fetch'
import type { paths } from './gatehouse.ts'
import { sessionFetch, useToken } from './session-fetch.ts'

const baseUrl = 'http://127.0.0.1:3000'
const api = createClient<paths>({ baseUrl, fetch: sessionFetch })

const session = await api.POST('/session/login', { body: { user_id: 'demo', user_pass: 'demo' } })
if (session.error) throw new Error(session.error.Data.errorCode)
useToken(session.data.Data.csrfToken)

const made = await api.POST('/todo/index', { body: { title: 'Buy milk' } })
if (made.data) console.log(`made ${made.data.Data.todo.title}`)

const refused = await api.POST('/todo/index', { body: { title: '' } })
if (refused.error) console.log(`refused: ${refused.error.Data.errorCode}`)

const memo = await api.POST('/memo/index', { body: { body: 'first' } })
if (memo.data) {
  const header = { 'if-match': memo.response.headers.get('etag') ?? '' }
  const path = { id: memo.data.Data.memo.id }
  const body = { body: 'second' }
  const changed = await api.PUT('/memo/item/id_{id}', { params: { path, header }, body })
  console.log(`memo: ${changed.response.headers.get('etag')}`)
}

// Instead of a session: a Bearer credential with each request.
const headers = { authorization: `Bearer ${process.env.GATEHOUSE_TOKEN}` }
const agent = createClient<paths>({ baseUrl, headers })
const listed = await agent.GET('/todo/index', { params: { query: { limit: 10 } } })
if (listed.data) console.log(`as an agent: ${listed.data.Data.todos.length} todos`)
