import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Config } from './schemas/config.ts'

/** A configuration that cannot be used; `message` names each variable and what is wrong with it. */
export class ConfigError extends Error {}

/** Where production differs from the defaults of the schema. */
const productionDefaults: Readonly<Record<string, string>> = { SVC_LOGIN_RATE_MAX: '10' }

/** Text of the environment in the type that the schema asks for; left as it is where it does not fit. */
function parse(schema: TSchema, text: string): unknown {
  switch (schema.type) {
    case 'integer':
      return /^\d{1,15}$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === '1' ? true : text === '0' ? false : text
    case 'array':
      return text.split(',').map((item) => item.trim())
    default:
      return text
  }
}

/** What a value must be, in words, from its schema. */
function expected(schema: TSchema): string {
  if (schema.expected) return schema.expected
  switch (schema.type) {
    case 'integer':
      return `a whole number from ${schema.minimum} to ${schema.maximum}`
    case 'boolean':
      return '1 or 0'
    default:
      return schema.anyOf
        ? `one of ${schema.anyOf.map((option: TSchema) => option.const).join(', ')}`
        : 'a valid value'
  }
}

/**
 * Reads `SVC_*` from the environment, once. A variable that is unset or empty takes its default.
 * @throws ConfigError naming every bad variable; never its value, which may be a secret.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env
): Config {
  const input: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, schema] of Object.entries(Config.properties)) {
    const text = env[name] || (env.SVC_ENV === 'production' ? productionDefaults[name] : undefined)
    const value = text ? parse(schema, text) : Value.Create(schema)
    if (!Value.Check(schema, value)) problems.push(`${name} must be ${expected(schema)}`)
    input[name] = value
  }
  if (problems.length > 0) throw new ConfigError(problems.join('; '))
  input.SVC_BASE_URL ||= `http://${input.SVC_HOST}:${input.SVC_PORT}`
  Value.Assert(Config, input)
  return Object.freeze(input)
}

/** The SQLite file of a configuration. */
export const databaseFile = (config: Config) => join(config.SVC_DATA_DIR, 'gatehouse.db')
