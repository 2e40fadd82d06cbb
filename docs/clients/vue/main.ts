import { VueQueryPlugin } from '@tanstack/vue-query'
import { createApp } from 'vue'
import { api } from './todos.ts'
import Todos from './Todos.vue'

if (!(await api.resume()))
  await api.POST('/session/login', { body: { user_id: 'demo', user_pass: 'demo' } })
createApp(Todos).use(VueQueryPlugin).mount(document.body)
