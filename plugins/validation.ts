import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import type { ErrorCode } from '../schemas/errors.ts'
import { Failure } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** A check of single values, for a body whose parts are judged one by one: null, or what is wrong. */
    violation(schema: object): (value: unknown) => Failure | null
  }
}

/** More than a caller can use; bounds the answer to a hostile body. */
const maxDetails = 50

type Part = 'body' | 'params' | 'query' | 'headers'

const parts: Record<string, Part> = {
  body: 'body',
  params: 'params',
  querystring: 'query',
  headers: 'headers'
}

type ErrorCodes = Partial<Record<string, ErrorCode>>
const codesOf = (schema: unknown): ErrorCodes =>
  (schema as { 'x-error-codes'?: ErrorCodes } | undefined)?.['x-error-codes'] ?? {}

/** The code that a schema gives to a violation; null and absence both count as `required`. */
function codeOf({ keyword, data, params, parentSchema }: ErrorObject): ErrorCode | undefined {
  const properties: Record<string, unknown> = parentSchema?.properties ?? {}
  if (keyword === 'required') return codesOf(properties[params.missingProperty]).required
  if (keyword === 'type' && data === null) {
    const codes = codesOf(parentSchema)
    if (codes.required ?? codes.type) return codes.required ?? codes.type
    const missing: string[] = parentSchema?.required ?? []
    return missing.map((name) => codesOf(properties[name]).required).find(Boolean)
  }
  return codesOf(parentSchema)[keyword]
}

function toFailure(all: ErrorObject[], part: Part): Failure {
  // Of a value of the wrong type nothing else needs to be said.
  const mistyped = new Set(all.flatMap((e) => (e.keyword === 'type' ? [e.instancePath] : [])))
  const errors = all.filter((e) => e.keyword === 'type' || !mistyped.has(e.instancePath))
  const code = errors.map(codeOf).find(Boolean)
  if (code) return new Failure(code)
  const details = errors.slice(0, maxDetails).map(({ instancePath, keyword, params, message }) => {
    const path = instancePath.slice(1).split('/')
    if (keyword === 'required') path.push(params.missingProperty)
    return { in: part, field: path.filter(Boolean).join('.'), message: message ?? 'is not valid' }
  })
  return new Failure('VALIDATION-FAILED', { data: { details } })
}

/**
 * Path and query values arrive as text. Those that the schema types as integer or boolean are
 * converted when they are written plainly (`7`, `true`), and only then: `1e3`, `0x10` and `1.5`
 * stay text, which the schema refuses.
 */
function plainValues(schema: FastifySchema['params']) {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  const typed = Object.entries(properties).map(([name, { type }]) => ({ name, type }))
  return (input: Record<string, unknown>) => {
    const output = { ...input }
    for (const { name, type } of typed) {
      const text = input[name]
      if (typeof text !== 'string') continue
      if (type === 'integer' && /^\d+$/.test(text)) output[name] = Number(text)
      if (type === 'boolean' && /^(true|false)$/.test(text)) output[name] = text === 'true'
    }
    return output
  }
}

function createAjv(components: object[]) {
  const ajv = new Ajv({ allErrors: true, verbose: true, useDefaults: true, strict: false })
  // JSON Schema counts characters only.
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    validate: (max: number, text: string) => Buffer.byteLength(text) <= max,
    error: { message: ({ schema }) => `must NOT have more than ${schema} bytes` }
  })
  return ajv.addSchema(components)
}

/**
 * Validates by the TypeBox schemas alone: values in bodies are never coerced, nothing is dropped,
 * and a violation answers the code that the schema names (`x-error-codes`), else VALIDATION-FAILED.
 */
export default fp(
  async (app) => {
    let ajv: Ajv | undefined

    app.decorate('violation', (schema: object) => {
      let validate: ValidateFunction | undefined
      return (value: unknown) => {
        ajv ??= createAjv(Object.values(app.getSchemas()) as object[])
        validate ??= ajv.compile(schema)
        return validate(value) ? null : toFailure(validate.errors ?? [], 'body')
      }
    })

    app.setValidatorCompiler<FastifySchema['params']>(({ schema, httpPart = 'body' }) => {
      ajv ??= createAjv(Object.values(app.getSchemas()) as object[])
      const validate = ajv.compile(schema as object)
      const part = parts[httpPart] ?? 'body'
      const check = (value: unknown) =>
        validate(value) ? { value } : { error: toFailure(validate.errors ?? [], part) }
      if (part === 'body') return check
      const convert = plainValues(schema)
      return (input: Record<string, unknown>) => check(convert(input))
    })
  },
  { name: 'validation', fastify: '5.x', dependencies: ['errors'] }
)
