import { readFileSync, writeFileSync } from 'node:fs'
import openapiTypescript, { astToString } from 'openapi-typescript'
// The generator builds its output with the API of TypeScript 5, which later majors do not have.
import ts from 'typescript'

/** `client/schema.ts`: the types of `docs/openapi.json`. Files are `Blob`s. */
export async function clientSchema() {
  const document = readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8')
  const blob = ts.factory.createTypeReferenceNode('Blob')
  const types = await openapiTypescript(document, {
    transform: ({ format }) => (format === 'binary' ? blob : undefined)
  })
  return `// Generated from docs/openapi.json by \`npm run client\`. Do not edit.\n\n${astToString(types)}`
}

if (import.meta.main) {
  writeFileSync(new URL('schema.ts', import.meta.url), await clientSchema())
}
