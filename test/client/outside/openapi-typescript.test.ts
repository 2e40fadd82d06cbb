import t from 'tap'
import { followRecipe } from './recipe.ts'
import { outside } from './run.ts'

t.setTimeout(400_000)

t.test('docs/clients.md: openapi-typescript and openapi-fetch', outside, (t) =>
  followRecipe(t, 'openapi-typescript and openapi-fetch', {
    imports: "import type { operations } from './gatehouse.ts'",
    body: (id) => `operations['${id}']['requestBody']['content']['application/json']`,
    code: (id, status) =>
      `operations['${id}']['responses'][${status}]['content']['application/json']['Data']['errorCode']`,
    required: (id) => `operations['${id}']['parameters']['header']`,
    header: (id, status) => `operations['${id}']['responses'][${status}]['headers']`
  })
)
