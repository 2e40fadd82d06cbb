import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addArea } from '../../plugins/patterns/area/routes.ts'
import type { Config } from '../../schemas/config.ts'
import { todo as area } from '../../schemas/todo.ts'

/** To-do items of the signed-in user. Those of other users are not found. */
const todo: FastifyPluginAsyncTypebox<
  Pick<Config, 'SVC_BATCH_MAX' | 'SVC_USER_TODOS_MAX'>
> = async (app, options) => {
  addArea(app, area, {
    max: options.SVC_USER_TODOS_MAX,
    hasPage: true,
    batchMax: options.SVC_BATCH_MAX,
    wanted: {
      listTodos: 'list todos',
      createTodo: 'create one',
      createTodos: 'create many',
      changeTodos: 'change many',
      deleteTodos: 'delete many'
    },
    words: {
      create: 'It is not completed at first.',
      replace: '`is_completed` is unchanged if left out.'
    }
  })
}

export default todo
