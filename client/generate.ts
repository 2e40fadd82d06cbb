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
  return `/** Whether a failed request can succeed as it is, and what to do. */
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

const { factory } = ts

/** Moves each schema out of `components`, to a name of its own that editors show and callers import. */
function nameSchemas(types: ts.Node[]): ts.Node[] {
  const named: ts.Node[] = []
  function move(schema: ts.TypeElement) {
    if (!ts.isPropertySignature(schema) || !schema.type || !ts.isIdentifier(schema.name)) {
      throw new Error('a schema whose name is not that of a type')
    }
    const { name, type, questionToken } = schema
    const exported = [factory.createToken(ts.SyntaxKind.ExportKeyword)]
    const declared = ts.isTypeLiteralNode(type)
      ? factory.createInterfaceDeclaration(exported, name, undefined, undefined, type.members)
      : factory.createTypeAliasDeclaration(exported, name, undefined, type)
    ts.setSyntheticLeadingComments(declared, ts.getSyntheticLeadingComments(schema))
    named.push(declared)
    const itself = factory.createTypeReferenceNode(name)
    return factory.createPropertySignature(undefined, name, questionToken, itself)
  }
  const isNamed = ({ name }: { name?: ts.Node }, text: string) =>
    name !== undefined && ts.isIdentifier(name) && name.text === text
  const others = types.map((node) => {
    if (!ts.isInterfaceDeclaration(node) || !isNamed(node, 'components')) return node
    const members = node.members.map((member) => {
      if (!ts.isPropertySignature(member) || !isNamed(member, 'schemas')) return member
      if (!member.type || !ts.isTypeLiteralNode(member.type)) return member
      const type = factory.createTypeLiteralNode(member.type.members.map(move))
      return factory.updatePropertySignature(member, undefined, member.name, undefined, type)
    })
    const { modifiers, name } = node
    return factory.updateInterfaceDeclaration(node, modifiers, name, [], [], members)
  })
  return [...others, ...named]
}

/** `client/src/schema.ts`: the types of `docs/openapi.json`, and what the client does on failures. Files are `Blob`s. */
export async function clientSchema() {
  const text = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')
  // No type of the client names a header of an answer, and nobody sees the example of a whole body there.
  const document = JSON.parse(text, (key, value) =>
    key === 'headers' || (key === 'example' && Object(value) === value) ? undefined : value
  )
  const blob = factory.createTypeReferenceNode('Blob')
  const types = await openapiTypescript(document, {
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
    // Else a member of a request with a default counts as required.
    defaultNonNullable: false
  })
  const { operations } = readDocument(JSON.parse(text))
  const source = astToString(nameSchemas(types))
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    // Editors show a tag, and what stands before it, apart from the description.
    .replaceAll(/^ *\* Format: .*\n/gm, '')
    .replaceAll('@description ', '')
  return `// Generated from docs/openapi.json and schemas/errors.ts by \`npm run client\`. Do not edit.\n\n${source}${advice(operations)}${await failureCodes(operations)}`
}

if (import.meta.main) {
  writeFileSync(new URL('src/schema.ts', import.meta.url), await clientSchema())
}
