import t from 'tap'
import { ConfigError, databaseFile, loadConfig } from '../fastify.config.ts'

/** What loadConfig says of an environment; empty where it takes it. */
function problemOf(env: Record<string, string>) {
  try {
    loadConfig(env)
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

t.test('defaults are those of the contract and of design section 7', async (t) => {
  t.hasStrict(loadConfig({}), {
    SVC_ENV: 'development',
    SVC_HOST: '127.0.0.1',
    SVC_PORT: 3000,
    SVC_BASE_URL: 'http://127.0.0.1:3000',
    SVC_DATA_DIR: 'data',
    SVC_BODY_MAX_BYTES: 1024 ** 2,
    SVC_SESSION_SECURE: false,
    SVC_SESSION_IDLE_SECONDS: 7200,
    SVC_SESSION_MAX_SECONDS: 86_400,
    SVC_CORS_ORIGINS: [],
    SVC_BCRYPT_COST: 12,
    SVC_LOGIN_RATE_MAX: 300,
    SVC_LOGIN_RATE_SECONDS: 900,
    SVC_RATE_MAX: 0,
    SVC_RATE_SECONDS: 60,
    SVC_LOCKOUT_FAILURES: 5,
    SVC_AGENT_BEARER_TOKEN: '',
    SVC_AGENT_BEARER_USER: 'admin',
    SVC_JWT_SECRET: '',
    SVC_JWT_SKEW_SECONDS: 0,
    SVC_RESET_TTL_SECONDS: 3600
  })
  t.equal(databaseFile(loadConfig({})), 'data/gatehouse.db')
})

t.test(
  'values are read in their types; an empty one is the default (design section 7)',
  async (t) => {
    const config = loadConfig({
      SVC_PORT: '0',
      SVC_HOST: '',
      SVC_SESSION_SECURE: '1',
      SVC_BASE_URL: 'https://gatehouse.example',
      SVC_CORS_ORIGINS: 'https://a.example, http://b.example:8080',
      UNRELATED: 'x'
    })
    t.hasStrict(config, {
      SVC_PORT: 0,
      SVC_HOST: '127.0.0.1',
      SVC_SESSION_SECURE: true,
      SVC_BASE_URL: 'https://gatehouse.example',
      SVC_CORS_ORIGINS: ['https://a.example', 'http://b.example:8080']
    })
    t.notOk('UNRELATED' in config)
    t.ok(Object.isFrozen(config))
  }
)

t.test('a bad value is named, and never shown (design section 7)', async (t) => {
  const secret = 'hunter2'
  const cases: [name: string, values: string[]][] = [
    ['SVC_PORT', [secret, '-1', '65536', '1e3', '0x50', '80 ', '3000.5', '99999999999999999999']],
    ['SVC_ENV', [secret, 'Production', 'prod']],
    ['SVC_BASE_URL', [secret, 'other.example', 'https://x.example/path', 'ftp://x.example']],
    ['SVC_LOG_LEVEL', [secret, 'INFO']],
    ['SVC_BODY_MAX_BYTES', [secret, '0', '1023', '1MB']],
    ['SVC_SESSION_SECURE', [secret, 'true', 'yes', '2']],
    ['SVC_SESSION_IDLE_SECONDS', [secret, '0', '-5']],
    ['SVC_SESSION_MAX_SECONDS', [secret, '0']],
    ['SVC_CORS_ORIGINS', [secret, '*', 'https://a.example/', 'https://a.example,', 'null']],
    ['SVC_BCRYPT_COST', [secret, '3', '17']],
    ['SVC_JWT_SECRET', [secret, 'x'.repeat(31)]]
  ]
  for (const [name, values] of cases) {
    for (const value of values) {
      const message = problemOf({ [name]: value })
      t.match(message, new RegExp(`^${name} must be [^\\n;]+$`), `${name}=${value}`)
      if (value.length > 5) t.notOk(message.includes(value), 'the value is not shown')
    }
  }
  t.match(
    problemOf({ SVC_PORT: 'x', SVC_ENV: 'y' }),
    /^SVC_ENV must be one of [^;]+; SVC_PORT must be a whole number from 0 to 65535$/,
    'all at once'
  )
})
