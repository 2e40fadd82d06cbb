import { readFileSync, writeFileSync } from 'node:fs'
import { type Operation, readDocument } from '../commands/verify/document.ts'
import { adviceOf, conflictReasons, errorCodes } from '../schemas/errors.ts'
import { codesOf } from '../tools/docs/generate.ts'
import { typesOf } from './types.ts'

/** The part of the catalog that a client acts on, and the operations that it may send twice. */
function advice(operations: Operation[]) {
  const rows = errorCodes.map((code) => `  '${code}': ${JSON.stringify(adviceOf(code))}`)
  const ofConflict = conflictReasons.map(
    (reason) => `  '${reason}': ${JSON.stringify(adviceOf('CONFLICT', reason))}`
  )
  const namesOf = (isWanted: (operation: Operation) => boolean) =>
    operations
      .filter(isWanted)
      .map(({ method, path }) => `'${method.toLowerCase()} ${path}'`)
      .join(', ')
  const idempotent = namesOf(({ headers }) => headers.has('idempotency-key'))
  const files = namesOf(({ responses }) => '*/*' in (responses[200]?.content ?? {}))
  return `/** Whether a failed request can succeed as it is, and what to do. */
export interface Advice {
  readonly retry: 'no' | 'later' | 'after_change'
  readonly remedy: string
}
export const catalog: Readonly<Record<ErrorCode, Advice>> = {
${rows.join(',\n')}
}
/** The same of CONFLICT, by its reason. */
export const conflicts: Readonly<Record<ConflictReason, Advice>> = {
${ofConflict.join(',\n')}
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

/** `client/src/schema.ts`: the types of `docs/openapi.json`, and what the client does on failures. */
export async function clientSchema() {
  const text = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')
  const { operations } = readDocument(JSON.parse(text))
  return `// Generated from docs/openapi.json and schemas/errors.ts by \`npm run client\`. Do not edit.\n\n${await typesOf(text)}${advice(operations)}${await failureCodes(operations)}`
}

if (import.meta.main) {
  writeFileSync(new URL('src/schema.ts', import.meta.url), await clientSchema())
}
