import { readFileSync, writeFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'
// The generator builds its output with the API of TypeScript 5, which later majors do not have.
import ts from 'typescript'
import { type Operation, readDocument } from '../commands/verify/document.ts'
import { catalog, errorCodes } from '../schemas/errors.ts'
import { codesOf } from '../tools/docs/generate.ts'

/** The part of the catalog that a client acts on, and the operations that it may send twice. */
function advice(operations: Operation[]) {
  const rows = errorCodes.map((code) => {
    const { retry, remedy } = catalog[code]
    return `  '${code}': ${JSON.stringify({ retry, remedy })}`
  })
  const namesOf = (isWanted: (operation: Operation) => boolean) =>
    operations
      .filter(isWanted)
      .map(({ method, path }) => `'${method.toLowerCase()} ${path}'`)
      .join(', ')
  const idempotent = namesOf(({ headers }) => headers.has('idempotency-key'))
  const files = namesOf(({ responses }) => '*/*' in (responses[200]?.content ?? {}))
  return `/** Every code of the catalog. */
export type ErrorCode =
${errorCodes.map((code) => `  | '${code}'`).join('\n')}
/** Whether a failed request can succeed as it is, and what to do. */
export interface Advice {
  readonly retry: 'no' | 'later' | 'after_change'
  readonly remedy: string
}
export const catalog: Readonly<Record<ErrorCode, Advice>> = {
${rows.join(',\n')}
}
/** Operations that honour \`Idempotency-Key\`. */
export const idempotent: readonly string[] = [${idempotent}]
/** Operations that answer with a file. */
export const files: readonly string[] = [${files}]
`
}

/** The codes of each operation, as types. In the document the failures of one status stand once, with all of their codes. */
async function failureCodes(operations: Operation[]) {
  const codes = await codesOf(operations.map(({ operationId }) => operationId))
  const rows = operations.map(({ name, operationId }) => {
    const union = codes.get(operationId)?.map((code) => `'${code}'`)
    return `  '${name}': ${union?.join(' | ')}`
  })
  return `/** The codes that each operation can fail with. */
export interface FailureCodes {
${rows.join('\n')}
}
`
}

/** `client/src/schema.ts`: the types of `docs/openapi.json`, and what the client does on failures. Files are `Blob`s. */
export async function clientSchema() {
  const text = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')
  // No type of the client names a header of an answer, and nobody sees the example of a whole body there.
  const document = JSON.parse(text, (key, value) =>
    key === 'headers' || (key === 'example' && Object(value) === value) ? undefined : value
  )
  const blob = ts.factory.createTypeReferenceNode('Blob')
  const types = await openapiTypescript(document, {
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
    // Else a member of a request with a default counts as required.
    defaultNonNullable: false
  })
  const { operations } = readDocument(JSON.parse(text))
  return `// Generated from docs/openapi.json and schemas/errors.ts by \`npm run client\`. Do not edit.\n\n${astToString(types)}${advice(operations)}${await failureCodes(operations)}`
}

if (import.meta.main) {
  writeFileSync(new URL('src/schema.ts', import.meta.url), await clientSchema())
}
