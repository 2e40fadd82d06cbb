import t from 'tap'
import { followRecipe, pascal } from './recipe.ts'
import { outside } from './run.ts'

t.setTimeout(400_000)

t.test('docs/clients.md: hey-api', outside, (t) =>
  followRecipe(t, 'hey-api', {
    imports: "import type * as api from './gatehouse/index.ts'",
    body: (id) => `api.${pascal(id)}Data['body']`,
    code: (id, status) => `api.${pascal(id)}Errors[${status}]['Data']['errorCode']`,
    required: (id) => `api.${pascal(id)}Data['headers']`
  })
)
