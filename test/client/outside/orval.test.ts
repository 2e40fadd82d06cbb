import t from 'tap'
import { followRecipe, pascal } from './recipe.ts'
import { outside } from './run.ts'

t.setTimeout(400_000)

t.test('docs/clients.md: orval', outside, (t) =>
  followRecipe(t, 'orval', {
    imports: "import type * as api from './gatehouse.ts'",
    body: (id, index) => `Parameters<typeof api.${id}>[${index}]`,
    code: (id, status) => `api.${id}Response${status}['data']['Data']['errorCode']`,
    required: (id) => `api.${pascal(id)}Headers`
  })
)
