/** Signs in, creates a todo, lists todos, handles a failure and signs out: `npx node client/example.ts ADDRESS`. */
import { createClient, ServiceError } from './src/index.ts'

const api = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:3000' })

const login = await api.POST('/session/login', { body: { user_id: 'demo', user_pass: 'demo' } })
console.log(`signed in as ${login.data.user.user_name}`)

const created = await api.POST('/todo/index', { body: { title: 'Buy milk' } })
console.log(`made todo ${created.data.todo.id}`)

for await (const { title, is_completed } of api.pages('/todo/index')) {
  console.log(`${is_completed ? '[x]' : '[ ]'} ${title}`)
}

try {
  await api.PATCH('/todo/item/id_{id}', {
    params: { path: { id: created.data.todo.id } },
    body: { title: '' }
  })
} catch (error) {
  if (!(error instanceof ServiceError)) throw error
  // `code` is one of the catalog's: a misspelt one does not compile.
  if (error.code !== 'TODO-TITLE-REQUIRED') throw error
  console.log(`refused: ${error.status} ${error.message} ${error.remedy}`)
}

await api.POST('/session/logout')
console.log('signed out')
