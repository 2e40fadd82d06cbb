import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { buildApp } from '../app.ts'
import { openDatabase } from '../db/open.ts'
import { loadConfig } from '../fastify.config.ts'
import { Config } from '../schemas/config.ts'
import { catalog, errorCodes } from '../schemas/errors.ts'

/** `docs/errors.md`: the error catalog as a table. */
export function errorsMarkdown() {
  const rows = errorCodes.map((code) => {
    const { status, message, condition } = catalog[code]
    const cells = [`\`${code}\``, status, message, condition]
    return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`
  })
  return `<!-- Generated from schemas/errors.ts by \`npm run docs\`. Do not edit. -->

# Errors

Every failure has the status of its code and this body:

\`\`\`json
{"Result":true,"Data":{"status":"failure","errorCode":"<code>","errorMessage":"<message>"}}
\`\`\`

\`VALIDATION-FAILED\` adds \`Data.details\`, a list of \`{ "in", "field", "message" }\`.

| Code | HTTP | Message | Condition |
|---|---|---|---|
${rows.join('')}`
}

/** What a variable may be, in short. */
function allowed(schema: TSchema): string {
  if (schema.anyOf) return schema.anyOf.map((option: TSchema) => option.const).join(', ')
  if (schema.type === 'integer') return `${schema.minimum} to ${schema.maximum}`
  if (schema.type === 'boolean') return '1 or 0'
  return schema.type === 'array' ? 'list' : 'text'
}

/** A default as it would be written into the environment. */
const written = (value: unknown) => String(typeof value === 'boolean' ? Number(value) : value)

/** `docs/configuration.md`: every environment variable as a table. */
export function configurationMarkdown() {
  const rows = Object.entries(Config.properties).map(([name, schema]: [string, TSchema]) => {
    const standard = written(schema.default)
    const cells = [
      `\`${name}\``,
      allowed(schema),
      standard && `\`${standard}\``,
      schema.description
    ]
    return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`
  })
  return `<!-- Generated from schemas/config.ts by \`npm run docs\`. Do not edit. -->

# Configuration

Environment variables; \`npm start\` and \`npm run cli\` also read them from a file \`.env\`. One that is unset or
empty takes its default. A value that cannot be used stops the start with a line that names the variable.

| Variable | Value | Default | Meaning |
|---|---|---|---|
${rows.join('')}`
}

/** Switches on every area, so that the document shows all of them. */
const everything = {
  SVC_ENV: 'test',
  SVC_LOG_LEVEL: 'silent',
  SVC_BCRYPT_COST: '4',
  SVC_JWT_SECRET: 'only-for-the-document'.repeat(2),
  SVC_WEBHOOK_SECRET: 'only-for-the-document'.repeat(2)
}

/** `docs/openapi.json`: the document of the service with every area on. */
export async function openapiJson() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'))
  try {
    const config = loadConfig({ ...everything, SVC_DATA_DIR: folder })
    const database = await openDatabase(config)
    const app = await buildApp({ config, database })
    await app.ready()
    const document = app.swagger()
    await app.close()
    return `${JSON.stringify(document, null, 2)}\n`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  writeFileSync(new URL('errors.md', import.meta.url), errorsMarkdown())
  writeFileSync(new URL('configuration.md', import.meta.url), configurationMarkdown())
  writeFileSync(new URL('openapi.json', import.meta.url), await openapiJson())
}
