import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Config, issuerOf } from './schemas/config.ts'
import { isLoopback } from './schemas/host.ts'
import { isPrivateStore } from './schemas/object-place.ts'
import { isPrivateDatabase, isPrivateRedis } from './schemas/urls.ts'
import { writtenText } from './schemas/written-text.ts'

/** An invalid configuration; `message` names each variable and what is wrong with it. */
export class ConfigError extends Error {}

/** Where production differs from the defaults of the schema. */
const productionDefaults: Readonly<Record<string, string>> = {
  SVC_LOGIN_RATE_MAX: '10',
  SVC_RATE_MAX: '600'
}

const isOfObjects = ({ items }: TSchema) => items?.type === 'object'

/** A text that is no JSON stays as it is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Converts a text from the environment to the type of the schema. A text that does not fit stays as it is. */
function parse(schema: TSchema, text: string): unknown {
  switch (schema.type) {
    case 'integer':
      return /^\d{1,15}$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === '1' ? true : text === '0' ? false : text
    case 'array':
      return isOfObjects(schema) ? parseJson(text) : text.split(',').map((item) => item.trim())
    default:
      return text
  }
}

/** What a value must be, in words. */
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

/** Which field of which object is wrong, if that can be said without a word of the value. */
function place(schema: TSchema, value: unknown) {
  if (!isOfObjects(schema)) return ''
  const [, index, field = ''] = Value.Errors(schema, value).First()?.path.split('/') ?? []
  if (index === undefined) return ''
  const named = field in schema.items.properties ? `${field} of ` : ''
  return ` (wrong: ${named}number ${Number(index) + 1})`
}

type Environment = Readonly<Record<string, string | undefined>>

/** The environment, and the `SVC_*` variables that a file `.env` in the working folder adds; no others. */
export function environment(): Environment {
  const added = Object.entries(parseEnv(envFile()))
  return {
    ...Object.fromEntries(added.filter(([name]) => name.startsWith('SVC_'))),
    ...process.env
  }
}

/** The text of `.env`; empty if there is none. @throws ConfigError if it cannot be read */
function envFile() {
  try {
    return writtenText(readFileSync('.env'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw new ConfigError(`cannot read .env: ${message}`)
    return ''
  }
}

/** The numbers of the lines of `.env` that are neither a variable, a comment nor empty: probably mistyped. */
export function strayLines(): number[] {
  // A value in quotes may have several lines, which are none of these.
  const text = envFile().replaceAll(/=[ \t]*(["'`])[\s\S]*?\1/g, (value) =>
    value.replaceAll(/[^\n]/g, '=')
  )
  return text.split('\n').flatMap((line, i) => (/^\s*$|^\s*#|=/.test(line) ? [] : [i + 1]))
}

/** The configuration of a worker, without `.env`: it gets what its primary process has read. */
export const loadWithoutFile = () => loadConfig(process.env)

/**
 * What a command that talks to a service elsewhere needs. Not from `.env`: a folder that somebody else wrote could
 * replace the token, or switch TLS off. Any other setting concerns the service of this machine, and has its default
 * here, so that a mistake in it stops nothing. `SVC_PORT` counts where it may name the service.
 */
export function loadCaller(hasUrl: boolean): Config {
  const { SVC_MCP_TOKEN, SVC_INSECURE_LINKS, SVC_PORT } = process.env
  return loadConfig({ SVC_MCP_TOKEN, SVC_INSECURE_LINKS, ...(hasUrl ? {} : { SVC_PORT }) })
}

/**
 * Reads `SVC_*` from the environment, once. A variable that is unset or empty takes its default.
 * @throws ConfigError naming every bad variable; never its value, which may be a secret.
 */
export function loadConfig(env: Environment = environment()): Config {
  const input: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, schema] of Object.entries(Config.properties)) {
    const text = env[name] || (env.SVC_ENV === 'production' ? productionDefaults[name] : undefined)
    const value = text ? parse(schema, text) : Value.Create(schema)
    if (!Value.Check(schema, value)) {
      problems.push(`${name} must be ${expected(schema)}${place(schema, value)}`)
    }
    input[name] = value
  }
  refuse(problems)
  Value.Assert(Config, input)
  refuse(incompleteStore(input))
  const isProduction = input.SVC_ENV === 'production'
  refuse(unclearProviders(input))
  if (isProduction && input.SVC_BASE_URL.startsWith('https:')) input.SVC_SESSION_SECURE = true
  if (isProduction && !input.SVC_INSECURE_LINKS) refuse(openLinks(input))
  return Object.freeze(input)
}

/**
 * Names of `SVC_*` variables that are no settings: probably misspelt. They stop nothing, because an
 * environment can have such names for other reasons (Kubernetes makes some for a service named `svc`).
 */
export const unknownNames = () =>
  Object.keys(environment())
    .filter((name) => name.startsWith('SVC_') && !(name in Config.properties))
    .sort()

function refuse(problems: string[]) {
  if (problems.length > 0) throw new ConfigError(problems.join('; '))
}

/** Issuers of Microsoft Entra ID at which every company, and everybody, has an account. */
const tenants =
  /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)\b/i

/** Problems: providers that cannot be told apart, or that production would reach without TLS. */
function unclearProviders({ SVC_OIDC_PROVIDERS: providers, SVC_ENV }: Config) {
  const issuers = providers.map((provider) => new URL(issuerOf(provider)))
  const isOneKind = providers.every(({ issuer, kind, url }) =>
    kind ? issuer === undefined : issuer !== undefined && url === undefined
  )
  const isOfAnybody = providers.some(
    ({ issuer, email }) => email === 'trusted' && issuer !== undefined && tenants.test(issuer)
  )
  const areDistinct = [providers.map(({ id }) => id), issuers.map(({ href }) => href)].every(
    (list) => new Set(list).size === list.length
  )
  const isOpen = SVC_ENV === 'production' && issuers.some(({ protocol }) => protocol === 'http:')
  return [
    ...(areDistinct
      ? []
      : ['SVC_OIDC_PROVIDERS must be a list that has no id and no issuer twice']),
    ...(isOpen ? ['SVC_OIDC_PROVIDERS must be a list of https issuers in production'] : []),
    ...(isOneKind
      ? []
      : ['SVC_OIDC_PROVIDERS must be a list whose members have either issuer or "kind": "github"']),
    ...(isOfAnybody
      ? ['SVC_OIDC_PROVIDERS must trust addresses only of one tenant: put its id into the issuer']
      : [])
  ]
}

/** Problems: settings of an object store that mean nothing without another one. */
function incompleteStore(config: Config) {
  const { SVC_FILES_URL, SVC_FILES_KEY, SVC_FILES_SECRET, SVC_FILES_REDIRECT } = config
  const problems: string[] = []
  if (SVC_FILES_KEY && !SVC_FILES_SECRET)
    problems.push('SVC_FILES_SECRET must be set with SVC_FILES_KEY')
  if (SVC_FILES_SECRET && !SVC_FILES_KEY)
    problems.push('SVC_FILES_KEY must be set with SVC_FILES_SECRET')
  if (SVC_FILES_REDIRECT && !SVC_FILES_URL) problems.push('SVC_FILES_REDIRECT needs SVC_FILES_URL')
  return problems
}

/** Problems: connections of a production service that other hosts could read. */
function openLinks(config: Config) {
  const { SVC_REDIS_URL, SVC_FILES_URL } = config
  const reason = 'in production, for TLS (SVC_INSECURE_LINKS=1 does without)'
  const problems: string[] = []
  for (const name of ['SVC_DATABASE_URL', 'SVC_DATABASE_DIRECT_URL'] as const) {
    if (config[name] && !isPrivateDatabase(config[name])) {
      problems.push(`${name} must have ?sslmode=verify-full ${reason}`)
    }
  }
  if (SVC_REDIS_URL && !isPrivateRedis(SVC_REDIS_URL)) {
    problems.push(`SVC_REDIS_URL must begin with rediss:// ${reason}`)
  }
  if (SVC_FILES_URL && !isPrivateStore(SVC_FILES_URL)) {
    problems.push(`SVC_FILES_URL must have an endpoint that begins with https:// ${reason}`)
  }
  return problems
}

/**
 * Checks the settings that matter only for a process that serves requests; commands skip this.
 * @throws ConfigError with one line that names the variable and how to correct it.
 */
export function requireSafeStart(config: Config) {
  const problems: string[] = []
  if (config.SVC_ENV === 'development' && !config.SVC_DEV_REMOTE && !isLoopback(config.SVC_HOST)) {
    problems.push(
      'SVC_HOST must be a loopback address in development, whose passwords are public (SVC_DEV_REMOTE=1 allows any address)'
    )
  }
  if (config.SVC_ENV === 'production') {
    if (!config.SVC_BASE_URL) {
      problems.push('SVC_BASE_URL must be set in production, to the origin that callers use')
    }
    if (!config.SVC_URL_SECRET) {
      problems.push(
        'SVC_URL_SECRET must be set in production, to at least 32 bytes (openssl rand -hex 32)'
      )
    }
  }
  refuse(problems)
}

/** The options of Fastify's server. */
export const serverOptions = (config: Config) => ({
  trustProxy: config.SVC_TRUST_PROXY.length > 0 && config.SVC_TRUST_PROXY,
  forceCloseConnections: 'idle' as const,
  pluginTimeout: 60_000,
  return503OnClosing: false
})
