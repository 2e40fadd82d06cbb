import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Response, Schema } from '../../../plugins/reporting/openapi/document.ts'
import { described, operations } from '../../contract/document/operations.ts'
import { startService, temporaryFolder } from '../../support/helper.ts'
import { runIn } from './run.ts'

const docs = new URL('../../../docs/', import.meta.url).pathname
const recipes = readFileSync(join(docs, 'clients.md'), 'utf8')
/** The part of the document under a heading. */
export const section = (heading: string) =>
  recipes.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
/** The blocks of code in a part. */
export const blocks = (text: string) =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, content = '']) => ({
    language,
    content
  }))

/** Copies a program of docs/clients/ into a folder. It calls the service at this address. */
export function copyProgram(name: string, folder: string, address: string) {
  for (const file of readdirSync(join(docs, 'clients', name))) {
    const text = readFileSync(join(docs, 'clients', name, file), 'utf8')
    writeFileSync(join(folder, file), text.replaceAll('http://127.0.0.1:3000', address))
  }
}

/** The compiler of the project, which is faster than that of a recipe. */
const tsc = new URL('../../../node_modules/typescript-7/bin/tsc', import.meta.url).pathname

const { resolve } = described
/** The schema of a property, by its path. */
const propertyOf = (schema: Schema, ...path: string[]) =>
  path.reduce((part, name) => resolve(resolve(part).properties?.[name] ?? {}), schema)

/** The codes that a documented answer can have, as a TypeScript type. */
function codesOf({ content }: Response): string {
  const schema = content?.['application/json']?.schema ?? {}
  const { enum: codes = [] } = propertyOf(schema, 'Data', 'errorCode')
  return codes.map((code) => `'${code}'`).join(' | ')
}

/** The type of a header's value. */
function typeOf(schema: Schema = {}) {
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  return schema.type === 'integer' ? 'number' : String(schema.type)
}

/** Where a generator puts the types of an operation. Without `header`, it does not type response headers. */
export interface Dialect {
  imports: string
  /** `index` is the position of the body among the parameters: after those of the path. */
  body(id: string, index: number): string
  code(id: string, status: string): string
  required(id: string): string
  header?(id: string, status: string): string
}

/** A line for each thing that the generated types must say. `tsc` names the lines that do not hold. */
function assertions({ imports, body, code, required, header }: Dialect) {
  const lines = [
    imports,
    'type IsAny<A> = 0 extends 1 & A ? true : false',
    'type Same<A, B> = IsAny<A> extends true ? false : [A, B] extends [B, A] ? true : { found: A }',
    'type IsClosed<Body> = string extends Body ? false : true',
    'const holds = <_ extends true>() => {}'
  ]
  for (const operation of operations) {
    const { operationId: id, parameters, body: sent } = operation
    const index = parameters.filter((parameter) => parameter.in === 'path').length
    // A webhook's body is any JSON.
    if (sent && !sent.isForm && id !== 'receiveWebhook')
      lines.push(`holds<IsClosed<${body(id, index)}>>()`)
    for (const parameter of parameters) {
      if (parameter.in !== 'header' || !parameter.required) continue
      lines.push(`holds<Same<NonNullable<${required(id)}>['${parameter.name}'], string>>()`)
      lines.push(`holds<{} extends ${required(id)} ? false : true>()`)
    }
    for (const [status, answer] of Object.entries(operation.responses)) {
      for (const [name, { schema }] of Object.entries(answer.headers ?? {})) {
        if (!header) break
        const value = `${header(id, status)}['${name}']`
        lines.push(`holds<Same<NonNullable<${value}>, ${typeOf(schema)}>>()`)
      }
      if (Number(status) < 400) continue
      lines.push(`holds<Same<${code(id, status)}, ${codesOf(answer)}>>()`)
    }
  }
  return lines
}

const token = 'a-token-for-the-recipes-of-the-docs'

/** `getTodo` -> `GetTodo`. */
export const pascal = (id: string) => id.charAt(0).toUpperCase() + id.slice(1)

/**
 * Does what docs/clients.md says under a heading, in an empty folder and with a service of its own. Then
 * compares the generated types with the document, and the program's output with the output shown.
 */
export async function followRecipe(t: Test, heading: string, dialect: Dialect) {
  const env = { SVC_AGENT_BEARER_TOKEN: token, SVC_AGENT_BEARER_USER: 'demo' }
  const { app } = await startService(t, {
    ...env,
    SVC_JWT_SECRET: 'x'.repeat(32),
    SVC_WEBHOOK_SECRET: 'x'.repeat(32)
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const folder = join(temporaryFolder(t), 'project')
  mkdirSync(folder)
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
  copyProgram('typescript', folder, address)
  copyProgram(heading, folder, address)

  const all = blocks(
    section('From Node.js') + section(heading).replaceAll('http://127.0.0.1:3000', address)
  )
  const isRun = (content: string) => content.includes('main.ts')
  const commands: string[] = []
  let [start, shown] = ['', '']
  for (const { language, content } of all) {
    if (language === 'sh' && isRun(content)) start = content
    else if (language === 'sh') commands.push(content)
    else if (language === '') shown = content
    else throw new Error(`no rule says how to run this: ${content}`)
  }
  for (const command of commands) await runIn(folder, 'bash', '-euc', command)
  const code = dialect.code('createTodo', '400')
  const wrong = [`holds<Same<${code}, 'BODY-INVALID'>>()`, 'holds<IsClosed<unknown>>()']
  const lines = [...assertions(dialect), ...wrong]
  put('assertions.ts', lines.join('\n'))
  const failed = await runIn(folder, process.execPath, tsc, '-p', '.').catch(String)
  const found = [...failed.matchAll(/^(?:Error: .*: )?(\S+)\((\d+),/gm)].map(([, file, line]) => [
    file,
    line
  ])
  const wanted = [lines.length - 1, lines.length].map((line) => ['assertions.ts', String(line)])
  t.same(found, wanted, `its types say what the document says: ${failed}`)
  rmSync(join(folder, 'assertions.ts'))
  const said = await runIn(folder, 'env', `GATEHOUSE_TOKEN=${token}`, 'bash', '-euc', start)
  t.equal(said, shown)
}
