import t from 'tap'
import { slow } from '../../support/selection.ts'
import { type Dialect, followRecipe, pascal } from './recipe.ts'

const dialects: Record<string, Dialect> = {
  'hey-api': {
    imports: "import type * as api from './gatehouse/index.ts'",
    body: (id) => `api.${pascal(id)}Data['body']`,
    code: (id, status) => `api.${pascal(id)}Errors[${status}]['Data']['errorCode']`,
    required: (id) => `api.${pascal(id)}Data['headers']`
  },
  'openapi-typescript': {
    imports: "import type { operations } from './gatehouse.ts'",
    body: (id) => `operations['${id}']['requestBody']['content']['application/json']`,
    code: (id, status) =>
      `operations['${id}']['responses'][${status}]['content']['application/json']['Data']['errorCode']`,
    required: (id) => `operations['${id}']['parameters']['header']`,
    header: (id, status) => `operations['${id}']['responses'][${status}]['headers']`
  },
  orval: {
    imports: "import type * as api from './gatehouse.ts'",
    body: (id, index) => `Parameters<typeof api.${id}>[${index}]`,
    code: (id, status) => `api.${id}Response${status}['data']['Data']['errorCode']`,
    required: (id) => `api.${pascal(id)}Headers`
  }
}

for (const [name, dialect] of Object.entries(dialects)) {
  t.test(`docs/clients.md: ${name}`, slow, (t) => followRecipe(t, name, dialect))
}
