import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { createClient, type Todo } from 'gatehouse-client'
import { liveList } from 'gatehouse-client/tanstack'
import { createRoot } from 'react-dom/client'

const api = createClient({ baseUrl: 'http://127.0.0.1:3000' })
const todos = liveList(api, '/todo/index')

const add = (title: string) => {
  const now = new Date().toISOString()
  const row = { id: Date.now(), title, is_completed: false, created_at: now, updated_at: now }
  return todos.optimistic(
    (rows) => [row, ...rows],
    () => api.POST('/todo/index', { body: { title } })
  )
}
const toggle = ({ id, is_completed }: Todo) => {
  const body = { is_completed: !is_completed }
  return todos.optimistic(
    (rows) => rows.map((row) => (row.id === id ? { ...row, ...body } : row)),
    () => api.PATCH('/todo/item/id_{id}', { params: { path: { id } }, body })
  )
}

function Todos() {
  const list = useQuery(todos.queryOptions)
  const adding = useMutation({ mutationFn: add })
  const toggling = useMutation({ mutationFn: toggle })
  const error = list.error ?? adding.error ?? toggling.error
  return (
    <main>
      <form
        action={(form: FormData) => {
          adding.mutate(String(form.get('title')))
        }}
      >
        <input name="title" aria-label="What is to be done" />
        <button type="submit">Add</button>
      </form>
      {error && <p role="alert">{error.message}</p>}
      <ul>
        {list.data?.map((todo) => (
          <li key={todo.id}>
            <label>
              <input
                type="checkbox"
                checked={todo.is_completed}
                onChange={() => toggling.mutate(todo)}
              />
              {todo.title}
            </label>
          </li>
        ))}
      </ul>
    </main>
  )
}

if (!(await api.resume()))
  await api.POST('/session/login', { body: { user_id: 'demo', user_pass: 'demo' } })
const root = createRoot(document.body)
root.render(
  <QueryClientProvider client={new QueryClient()}>
    <Todos />
  </QueryClientProvider>
)
