import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TProperties, TSchema } from '@sinclair/typebox'
import { type App, buildApp } from '../../app.ts'
import { openDatabase } from '../../db/open.ts'
import { loadConfig } from '../../fastify.config.ts'
import { declarationSchema, types } from '../../schemas/area/language.ts'
import { Config } from '../../schemas/config.ts'
import { adviceOf, catalog, conflictReasons, conflicts, errorCodes } from '../../schemas/errors.ts'

/** A row of a table. */
const row = (...cells: unknown[]) =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`

/** `docs/errors.md`: the error catalog as a table. */
export function errorsMarkdown() {
  const rows = errorCodes.map((code) => {
    const { status, message, condition, retry, remedy } = catalog[code]
    return row(`\`${code}\``, status, message, condition, retry, remedy)
  })
  const reasons = conflictReasons.map((reason) => {
    const { retry, remedy } = adviceOf('CONFLICT', reason)
    return row(`\`${reason}\``, conflicts[reason].message, retry, remedy)
  })
  return `<!-- Generated from schemas/errors.ts by \`npm run docs\`. Do not edit. -->

# Errors

Every failure has the status of its code and this body:

\`\`\`json
{"Result":true,"Data":{"status":"failure","errorCode":"<code>","errorMessage":"<message>"}}
\`\`\`

\`VALIDATION-FAILED\` adds \`Data.details\`, a list of \`{ "in", "field", "message" }\`. The \`Link\` with \`rel="help"\` leads
to \`GET /error/item/code_{code}\`; \`GET /error/index\` is this table. \`retry\` says whether the same request can succeed:
\`no\`, \`later\` (after \`Retry-After\` seconds, if that header is there), or \`after_change\` of something in it.

| Code | HTTP | Message | Condition | Retry | What to do |
|---|---|---|---|---|---|
${rows.join('')}
## CONFLICT, by \`Data.reason\`

The \`Link\` of such a failure leads to \`GET /error/item/code_CONFLICT?reason=...\`; \`Data.message\` says what is so.

| Reason | Message | Retry | What to do |
|---|---|---|---|
${reasons.join('')}`
}

/** The allowed values of a variable, in short. */
function allowed(schema: TSchema): string {
  if (schema.anyOf) return schema.anyOf.map((option: TSchema) => option.const).join(', ')
  if (schema.type === 'integer') return `${schema.minimum} to ${schema.maximum}`
  if (schema.type === 'boolean') return '1 or 0'
  if (schema.items?.type === 'object') return 'JSON'
  return schema.type === 'array' ? 'list' : 'text'
}

/** A default as it is written in the environment. */
const written = (value: unknown) => String(typeof value === 'boolean' ? Number(value) : value)

/** `docs/configuration.md`: every environment variable as a table. */
export function configurationMarkdown() {
  const rows = Object.entries(Config.properties).map(([name, schema]: [string, TSchema]) => {
    const standard = written(schema.default)
    const usual = standard && `\`${standard}\``
    return row(`\`${name}\``, allowed(schema), usual, schema.description)
  })
  return `<!-- Generated from schemas/config.ts by \`npm run docs\`. Do not edit. -->

# Configuration

Environment variables. The service, and commands on its own data, also read \`SVC_*\` from a file \`.env\` in the folder they are started
from; the environment takes precedence. Commands for a service elsewhere (\`login\`, \`logout\`, \`mcp\`, \`call\`, \`verify\`) read no \`.env\`, and mind no mistake in other settings than their own. An empty variable takes its default. A value that cannot be used stops the start with a line that names the variable; a name that is unknown is warned of, and so is a line of \`.env\` that is no variable. \`.env\` is UTF-8; a byte order mark is skipped.

| Variable | Value | Default | Meaning |
|---|---|---|---|
${rows.join('')}`
}

/** Switches on every area, so that the document shows all of them. */
const everything = {
  SVC_ENV: 'test',
  SVC_LOG_LEVEL: 'silent',
  SVC_BASE_URL: 'http://127.0.0.1:3000',
  SVC_BCRYPT_COST: '4',
  SVC_AGENT_BEARER_TOKEN: 'only-for-the-document'.repeat(2),
  SVC_JWT_SECRET: 'only-for-the-document'.repeat(2),
  SVC_WEBHOOK_SECRET: 'only-for-the-document'.repeat(2)
}

/** The agent token needs a user to act as. */
const agentUser = {
  user_id: 'admin',
  user_name: 'Admin',
  e_mail: 'admin@example.com',
  role: 'admin',
  password_hash: 'none',
  now: '2026-11-21T09:30:00.000Z',
  now_ms: 0
} as const

/** Starts the service with every area on, calls `read`, and closes it. */
async function ofEverything<T>(
  read: (app: App) => T,
  env: Record<string, string> = {}
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'))
  try {
    const config = loadConfig({ ...everything, ...env, SVC_DATA_DIR: folder })
    const database = await openDatabase(config)
    await database.transaction((repos) => repos.users.insert(agentUser))
    const app = await buildApp({ config, database })
    await app.ready()
    const result = read(app)
    await app.close()
    return result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `docs/openapi.json`: the document of the service with every area on; `env` for other settings. */
export const openapiJson = (env?: Record<string, string>) =>
  ofEverything((app) => `${JSON.stringify(app.swagger(), null, 2)}\n`, env)

/** The codes that each of these operations can fail with, with every area on. */
export const codesOf = (operationIds: readonly string[]) =>
  ofEverything((app) => {
    app.swagger()
    return new Map(operationIds.map((id) => [id, app.codesOf(id)]))
  })

/** `docs/mcp-tools.md`: every tool as a table. */
export const toolsMarkdown = () =>
  ofEverything(({ mcpTools }) => {
    const rows = [...mcpTools.values()].map(({ operation, definition }) => {
      const { name, description, inputSchema } = definition
      const required = inputSchema.required ?? []
      const members = Object.keys(inputSchema.properties).map(
        (member) => `\`${member}\`${required.includes(member) ? '' : '?'}`
      )
      return row(
        `\`${name}\``,
        members.join(' '),
        `${operation.method} ${operation.path}`,
        description
      )
    })
    return `<!-- Generated from the routes by \`npm run docs\`. Do not edit. -->

# Tools

The tools of [\`POST /mcp\`](mcp.md), for a caller who may call all of them. A \`?\` marks an argument that may be left out.

| Tool | Arguments | Operation | Notes |
|---|---|---|---|
${rows.join('')}`
  })

/** Words for people about what members of a declaration are. */
const meanings = (members: TProperties) =>
  Object.entries(members).map(([name, { description = '' }]) => `\`${name}\`: ${description}`)

/** `docs/areas.md`, with the tables that follow from what a declaration can say. */
export function areasMarkdown(text: string) {
  const ofAll = ['description', 'was', 'optional', 'unique', 'index', 'default']
  const rows = Object.entries(types).map(([type, { takes, ...kind }]) => {
    const own = Object.keys(kind.members).filter((name) => !ofAll.includes(name))
    const lacks = ['optional', 'unique', 'index', 'default'].filter(
      (name) => !(name in kind.members)
    )
    return row(
      ...[`\`${type}\``, 'written' in kind ? kind.written : ''],
      own.map((name) => `\`${name}\``).join(', '),
      `${takes}${lacks.length > 0 ? `; no ${lacks.map((name) => `\`${name}\``).join(', ')}` : ''}`
    )
  })
  const { fields: _fields, name: _name, $schema: _schema, ...beside } = declarationSchema.properties
  const keys = [
    ...meanings(beside).map((text) => `- ${text}\n`),
    'In a field:\n\n',
    ...meanings({ ...types.text.members, ...types['one-of'].members, ...types.ref.members }).map(
      (text) => `- ${text}\n`
    )
  ]
  const parts: Record<string, string> = {
    types: `| Type | On the command line | In the file | Takes |\n|---|---|---|---|\n${rows.join('')}`,
    keys: keys.join('').replace('In a field', '\nIn a field')
  }
  return text.replaceAll(
    /(<!-- (\w+) -->\n).*?(<!-- end -->)/gs,
    (_all, begin, part, end) => `${begin}${parts[part]}${end}`
  )
}

if (import.meta.main) {
  const docs = new URL('../../docs/', import.meta.url)
  writeFileSync(new URL('errors.md', docs), errorsMarkdown())
  writeFileSync(new URL('configuration.md', docs), configurationMarkdown())
  writeFileSync(new URL('openapi.json', docs), await openapiJson())
  writeFileSync(new URL('mcp-tools.md', docs), await toolsMarkdown())
  const areas = new URL('areas.md', docs)
  writeFileSync(areas, areasMarkdown(readFileSync(areas, 'utf8')))
}
