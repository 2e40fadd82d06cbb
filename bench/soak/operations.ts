import { readFileSync } from 'node:fs'

interface Operation {
  method: string
  /** With `{name}` where a parameter goes. */
  path: string
}

type Paths = Record<string, Record<string, { operationId: string }>>

const file = new URL('../../docs/openapi.json', import.meta.url)
const { paths }: { paths: Paths } = JSON.parse(readFileSync(file, 'utf8'))

/** Every operation of the published document, by its `operationId`. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      { method: method.toUpperCase(), path }
    ])
  )
)

/** Method and path of an operation, its parameters filled in; what the path does not name is query. */
export function target(operationId: string, params: Record<string, string | number> = {}) {
  const operation = operations.get(operationId)
  if (!operation) throw new Error(`the document has no operation ${operationId}`)
  const query = new URLSearchParams()
  let { path } = operation
  for (const [name, value] of Object.entries(params)) {
    const text = String(value)
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(text))
    else query.set(name, text)
  }
  return { method: operation.method, path: query.size > 0 ? `${path}?${query}` : path }
}
