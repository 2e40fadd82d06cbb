import { isIP } from 'node:net'
import { FormatRegistry, type Static, Type } from '@sinclair/typebox'

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`: never a count, which would believe whoever connects. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)
}
FormatRegistry.Set('network', isNetwork)
FormatRegistry.Set('key', (text) => text === '' || Buffer.byteLength(text) >= 32)

const seconds = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 10 * 365 * 86_400, default: value, description })

const flag = (description: string) =>
  Type.Boolean({ default: false, description: `${description} 1 or 0.` })

/** Every environment variable the service reads: type, default and check in one place. */
export const Config = Type.Object({
  SVC_ENV: Type.Union(
    [Type.Literal('development'), Type.Literal('production'), Type.Literal('test')],
    { default: 'development', description: 'development seeds accounts; production never does.' }
  ),
  SVC_HOST: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'Address to listen on.'
  }),
  SVC_PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 3000,
    description: 'Port to listen on; 0 takes a free one.'
  }),
  SVC_BASE_URL: Type.String({
    pattern: '^(https?://[^/]+)?$',
    default: '',
    expected: 'an origin such as https://gatehouse.example, without a path',
    description:
      'Public origin, for example https://gatehouse.example. Empty: the address listened on.'
  }),
  SVC_DATA_DIR: Type.String({
    minLength: 1,
    default: 'data',
    description: 'Folder of the database and of files.'
  }),
  SVC_DATABASE_URL: Type.String({
    pattern: '^(postgres(ql)?://.+)?$',
    default: '',
    expected: 'a postgres:// URL',
    description:
      'PostgreSQL, for example postgres://user:password@host/name. Empty: SQLite in the data folder.'
  }),
  SVC_DATABASE_POOL: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'Connections to PostgreSQL at most, for each process.'
  }),
  SVC_DATABASE_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    maximum: 600_000,
    default: 5000,
    description: 'Longest wait for a connection, a lock or a statement of PostgreSQL.'
  }),
  SVC_REDIS_URL: Type.String({
    pattern: '^(rediss?://.+)?$',
    default: '',
    expected: 'a redis:// or rediss:// URL',
    description:
      'Redis, which several processes or machines share limits through. Empty: each machine for itself.'
  }),
  SVC_REDIS_PREFIX: Type.String({
    pattern: '^\\S+$',
    default: 'gatehouse:',
    expected: 'text without white space',
    description: 'Begins every name in Redis: another one for each service that shares a Redis.'
  }),
  SVC_WORKERS: Type.Integer({
    minimum: 1,
    maximum: 256,
    default: 1,
    description: 'Worker processes on this machine.'
  }),
  SVC_MAX_LAG_MS: Type.Integer({
    minimum: 0,
    maximum: 60_000,
    default: 1000,
    description:
      'Mean delay of the event loop beyond which new requests get SERVICE-OVERLOADED; 0 is no limit.'
  }),
  SVC_METRICS_TOKEN: Type.String({
    default: '',
    description: 'Bearer token of `/metrics` (Prometheus); empty turns it off.'
  }),
  SVC_LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) =>
      Type.Literal(level)
    ),
    {
      default: 'info',
      description: 'Requests that change something or fail are logged at info, other ones at debug.'
    }
  ),
  SVC_BODY_MAX_BYTES: Type.Integer({
    minimum: 1024,
    maximum: 1024 ** 3,
    default: 1024 ** 2,
    description: 'Largest JSON body.'
  }),
  SVC_SESSION_SECURE: flag(
    'Session cookie with the Secure attribute, and HSTS: for service over HTTPS.'
  ),
  SVC_SESSION_IDLE_SECONDS: seconds(7200, 'A session unused for so long is over.'),
  SVC_SESSION_MAX_SECONDS: seconds(86_400, 'A session is over after so long, used or not.'),
  SVC_CORS_ORIGINS: Type.Array(Type.String({ pattern: '^https?://[^/,]+$' }), {
    default: [],
    expected: 'origins such as https://app.example, separated by commas',
    description: 'Origins of other sites that may sign in from a browser, separated by commas.'
  }),
  SVC_TRUST_PROXY: Type.Array(Type.String({ format: 'network' }), {
    default: [],
    expected: 'addresses or CIDR ranges, separated by commas',
    description:
      'Proxies whose `X-Forwarded-*` is believed: addresses or CIDR ranges, separated by commas.'
  }),
  SVC_LOGIN_RATE_MAX: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 300,
    description: 'Sign-ins and token issues per client address in a window. Production: 10.'
  }),
  SVC_LOGIN_RATE_SECONDS: seconds(900, 'Length of that window.'),
  SVC_RATE_MAX: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'Requests per signed-in user in a window; 0 is no limit.'
  }),
  SVC_RATE_SECONDS: seconds(60, 'Length of that window.'),
  SVC_BATCH_MAX: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: 'Items of a batch at most.'
  }),
  SVC_LOCKOUT_FAILURES: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 5,
    description: 'Failed sign-ins in a row that lock an account.'
  }),
  SVC_AGENT_BEARER_TOKEN: Type.String({
    pattern: '^[!-~]*$',
    default: '',
    expected: 'visible ASCII characters without spaces',
    description: 'Token of the agent; empty turns the feature off. Use 32 random bytes or more.'
  }),
  SVC_AGENT_BEARER_USER: Type.String({
    minLength: 1,
    default: 'admin',
    description: 'Login name of the user that the agent token acts as; must exist.'
  }),
  SVC_JWT_SECRET: Type.String({
    format: 'key',
    default: '',
    expected: 'at least 32 bytes',
    description: 'Signs JWTs (HS256), 32 bytes or more; empty turns them off.'
  }),
  SVC_JWT_TTL_SECONDS: seconds(3600, 'Life of an issued JWT.'),
  SVC_JWT_SKEW_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 60,
    default: 0,
    description: 'Difference of clocks that is forgiven in `exp` and `nbf`.'
  }),
  SVC_WEBHOOK_SECRET: Type.String({
    format: 'key',
    default: '',
    expected: 'at least 32 bytes',
    description: 'Verifies inbound webhooks (HMAC-SHA256), 32 bytes or more; empty turns them off.'
  }),
  SVC_URL_SECRET: Type.String({
    format: 'key',
    default: '',
    expected: 'at least 32 bytes',
    description:
      'Signs links (HMAC-SHA256), 32 bytes or more. Empty: made once and kept in the data folder; production must set it.'
  }),
  SVC_URL_TTL_SECONDS: seconds(3600, 'Life of a signed link.'),
  SVC_UPLOAD_MAX_BYTES: Type.Integer({
    minimum: 1,
    maximum: 1024 ** 4,
    default: 10 * 1024 ** 2,
    description: 'Largest file of an upload.'
  }),
  SVC_UPLOAD_TYPES: Type.Array(Type.String({ pattern: '^[a-z]+/[a-z0-9.+-]+$' }), {
    default: [
      'image/png',
      'image/jpeg',
      'image/gif',
      'image/webp',
      'application/pdf',
      'text/plain'
    ],
    expected: 'media types such as image/png, separated by commas',
    description: 'Types that may be uploaded, by content, separated by commas.'
  }),
  SVC_UPLOAD_TIMEOUT_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 3600,
    default: 30,
    description: 'An upload of which nothing has come for so long is given up.'
  }),
  SVC_RESET_TTL_SECONDS: seconds(3600, 'Life of a password-reset token.'),
  SVC_SMTP_URL: Type.String({
    pattern: '^(smtps?://.+)?$',
    default: '',
    expected: 'an smtp:// or smtps:// URL',
    description:
      'Mail server, for example smtps://user:password@mail.example:465. Empty: development writes .eml files to `outbox/` in the data folder.'
  }),
  SVC_MAIL_FROM: Type.String({
    minLength: 3,
    default: 'Gatehouse <no-reply@localhost>',
    description: 'Sender of mail.'
  }),
  SVC_MAIL_RETRY_MS: Type.Integer({
    minimum: 1,
    maximum: 3_600_000,
    default: 1000,
    description: 'Wait before a failed mail is tried again; four times as long each further time.'
  }),
  SVC_CSRF_FIELD: Type.String({
    pattern: '^(?!(action|form_id|id|title|user_id|user_pass)$)[A-Za-z_][A-Za-z0-9_]*$',
    default: 'csrf_token',
    expected: 'a field name of letters, digits and _ that the forms do not use already',
    description: 'Hidden field of the forms that carries the CSRF token.'
  }),
  SVC_LOGOUT_URI: Type.String({
    pattern: '^(/|https?://)\\S*$',
    default: '/login/index',
    expected: 'a path or a URL',
    description: 'Where the pages send a visitor who is not logged in.'
  }),
  SVC_BCRYPT_COST: Type.Integer({
    minimum: 4,
    maximum: 16,
    default: 12,
    description: 'Cost of password hashes: each step doubles the time of a login.'
  })
})

export type Config = Readonly<Static<typeof Config>>
