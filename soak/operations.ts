import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Operation {
  method: string
  /** With `{name}` where a parameter goes. */
  path: string
}

type Paths = Record<string, Record<string, { operationId: string }>>

const file = new URL('../docs/openapi.json', import.meta.url)
const { paths }: { paths: Paths } = JSON.parse(readFileSync(file, 'utf8'))

/** Every operation of the published document, by its `operationId`. */
export const operations: Map<string, Operation> = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      { method: method.toUpperCase(), path }
    ])
  )
)

/**
 * Stops a run at once if it could not succeed.
 * @throws Error that names every operation of the document that no file of the soak sends.
 */
export function requireTraffic() {
  const folder = import.meta.dirname
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join()
  const missing = [...operations.keys()].filter((id) => !sources.includes(`'${id}'`))
  if (missing.length === 0) return
  throw new Error(`no traffic sends ${missing.join(', ')}: add it to a file of soak/traffic/`)
}

/** Method and path of an operation, with its parameters. Those that the path does not name go to the query. */
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
