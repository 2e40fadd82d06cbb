import { createClient, type Todo } from 'gatehouse-client'
import { liveList } from 'gatehouse-client/tanstack'

export const api = createClient({ baseUrl: 'http://127.0.0.1:3000' })
export const todos = liveList(api, '/todo/index')

export const add = (title: string) => {
  const now = new Date().toISOString()
  const row = { id: Date.now(), title, is_completed: false, created_at: now, updated_at: now }
  return todos.optimistic(
    (rows) => [row, ...rows],
    () => api.POST('/todo/index', { body: { title } })
  )
}
export const toggle = ({ id, is_completed }: Todo) => {
  const body = { is_completed: !is_completed }
  return todos.optimistic(
    (rows) => rows.map((row) => (row.id === id ? { ...row, ...body } : row)),
    () => api.PATCH('/todo/item/id_{id}', { params: { path: { id } }, body })
  )
}
