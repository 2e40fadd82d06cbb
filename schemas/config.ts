import { isIP } from 'node:net'
import { FormatRegistry, type Static, Type } from '@sinclair/typebox'
import { isLoopback } from './host.ts'
import './object-place.ts'
import './urls.ts'

/**
 * `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. Not a number of hops: then every caller would count as a proxy.
 * Fastify's proxy-addr would end the start at `/0`, and at a zone that is not letters and digits.
 */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '1', ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0 || /%.*[^0-9a-z]/i.test(address)) return false
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : 0
  return bits >= 1 && bits <= (family === 4 ? 32 : 128)
}
FormatRegistry.Set('network', isNetwork)
FormatRegistry.Set('host', (text) => isIP(text) !== 0 || /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(text))
FormatRegistry.Set('ratio', (text) => /^(0?\.\d{1,9}|[01](\.0{0,9})?)$/.test(text))
FormatRegistry.Set('key', (text) => text === '' || Buffer.byteLength(text) >= 32)

/** The address of a provider: https, or http on this machine, which production refuses (fastify.config.ts). */
function isIssuer(text: string) {
  const url = URL.parse(text)
  if (!url || url.username || url.password || /[?#]/.test(text)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}
FormatRegistry.Set('issuer', isIssuer)

const whole = (value: number, [minimum, maximum]: [number, number], description: string) =>
  Type.Integer({ minimum, maximum, default: value, description })

const seconds = (value: number, description: string) =>
  whole(value, [1, 10 * 365 * 86_400], description)

const secret = (description: string) =>
  Type.String({ format: 'key', default: '', expected: 'at least 32 bytes', description })

/** The first is the default. */
const oneOf = (values: readonly string[], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: values[0], description }
  )

const flag = (description: string, isOn = false) => Type.Boolean({ default: isOn, description })

/** Another service at which people sign in (OpenID Connect). */
const Provider = Type.Object(
  {
    /** Its name in paths. */
    id: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }),
    /** Its name for people. */
    name: Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]{1,64}$' }),
    issuer: Type.Optional(Type.String({ format: 'issuer' })),
    /** GitHub has no OpenID Connect, and no issuer. */
    kind: Type.Optional(Type.Literal('github')),
    /** Of a GitHub Enterprise Server. */
    url: Type.Optional(Type.String({ format: 'issuer' })),
    /** Whether addresses count as verified of which the provider does not say it. */
    email: Type.Optional(Type.Literal('trusted')),
    client_id: Type.String({ pattern: '^[!-~]+$' }),
    client_secret: Type.String({ pattern: '^[!-~]+$' })
  },
  { additionalProperties: false }
)

type Provider = Static<typeof Provider>

/** What names a provider beside the `sub` of its accounts. */
export const issuerOf = ({ issuer, url = 'https://github.com' }: Provider) =>
  new URL(issuer ?? `${new URL(url).origin}/login/oauth`).href

/** Every environment variable the service reads: type, default and check in one place. */
export const Config = Type.Object({
  SVC_ENV: Type.Union(
    [Type.Literal('development'), Type.Literal('production'), Type.Literal('test')],
    { default: 'development', description: 'development seeds accounts; production never does.' }
  ),
  SVC_HOST: Type.String({
    format: 'host',
    default: '127.0.0.1',
    expected: 'an address such as 127.0.0.1 or ::1, or a host name',
    description:
      'Address to listen on. Development accepts loopback addresses only (see SVC_DEV_REMOTE).'
  }),
  SVC_PORT: whole(3000, [0, 65_535], 'Port to listen on; 0 picks a free one.'),
  SVC_BASE_URL: Type.String({
    format: 'origin-or-empty',
    default: '',
    expected: 'an origin such as https://gatehouse.example, in lower case and without a path',
    description:
      'Public origin, for example https://gatehouse.example: links begin with it. Empty: the address listened on; production must set it.'
  }),
  SVC_DEV_REMOTE: flag(
    'Development may listen on any address and answers any `Host`, although its accounts have known passwords.'
  ),
  SVC_INSECURE_LINKS: flag(
    'Production may use a mail server, PostgreSQL, Redis and an object store on other hosts without TLS. Only for a network that nobody else can read.'
  ),
  SVC_DATA_DIR: Type.String({
    minLength: 1,
    default: 'data',
    description: 'Folder of the database, and of files if SVC_FILES_URL is empty.'
  }),
  SVC_AREAS_DIR: Type.String({
    default: '',
    description:
      'Folder of declared areas (`NAME.json`). Empty: `areas` in the data folder. Read once, at the start.'
  }),
  SVC_DATABASE_URL: Type.String({
    format: 'postgres-url',
    default: '',
    expected: 'a postgres:// URL',
    description:
      'PostgreSQL, for example postgres://user:password@host/name. On another host, production requires `?sslmode=verify-full`. Empty: SQLite in the data folder.'
  }),
  SVC_DATABASE_DIRECT_URL: Type.String({
    format: 'postgres-url',
    default: '',
    expected: 'a postgres:// URL',
    description:
      'The same database past a pooler that `SVC_DATABASE_URL` names (docs/deploy.md), for messages between processes. Empty: behind a pooler, each process looks into the database instead.'
  }),
  SVC_DATABASE_POOL: whole(10, [1, 1000], 'How many PostgreSQL connections each process may open.'),
  SVC_DATABASE_TIMEOUT_MS: whole(
    5000,
    [100, 600_000],
    'Longest wait for a connection, a lock or a statement of PostgreSQL.'
  ),
  SVC_REDIS_URL: Type.String({
    format: 'redis-url',
    default: '',
    expected: 'a redis:// or rediss:// URL',
    description:
      'Redis, through which several machines share limits and messages. On another host, production requires rediss://. Empty: each machine counts by itself, and messages go through PostgreSQL, if that is the database.'
  }),
  SVC_REDIS_PREFIX: Type.String({
    pattern: '^\\S+$',
    default: 'gatehouse:',
    expected: 'text without white space',
    description: 'Prefix of every name in Redis. Services that share a Redis need different ones.'
  }),
  SVC_WORKERS: whole(1, [1, 256], 'Worker processes on this machine.'),
  SVC_MAX_CONNECTIONS: whole(
    0,
    [0, 1_000_000],
    'How many connections each process accepts; further ones are closed at once. 0: 8192. Never more than the limit of file descriptors (`ulimit -n`) minus 256, or half of it if that is more.'
  ),
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
      description: 'Requests that change something or fail are logged at info, others at debug.'
    }
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    format: 'collector-url',
    default: '',
    expected: 'an http:// or https:// URL',
    description:
      'Collector of OpenTelemetry that gets traces and metrics (OTLP over HTTP), for example http://127.0.0.1:4318. Empty turns both off. These `OTEL_*` are not read from `.env`.'
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(
    ['http/protobuf', 'http/json'],
    'How traces and metrics are written.'
  ),
  OTEL_SDK_DISABLED: oneOf(['false', 'true'], 'Turns both off too.'),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none'], '`none` turns traces off.'),
  OTEL_METRICS_EXPORTER: oneOf(['otlp', 'none'], '`none` turns metrics off, except `/metrics`.'),
  OTEL_TRACES_SAMPLER: oneOf(
    [
      ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
      ...['always_on', 'always_off', 'traceidratio']
    ],
    'Which requests are traced. `parentbased_`: if the caller sends a `traceparent`, that decides.'
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.String({
    format: 'ratio',
    default: '1',
    expected: 'a number from 0 to 1',
    description: 'Which part of the requests `traceidratio` takes, for example 0.1.'
  }),
  OTEL_BSP_SCHEDULE_DELAY: whole(
    5000,
    [1, 600_000],
    'Milliseconds between two sendings of traces.'
  ),
  OTEL_METRIC_EXPORT_INTERVAL: whole(
    60_000,
    [1, 3_600_000],
    'Milliseconds between two sendings of metrics.'
  ),
  SVC_BODY_MAX_BYTES: whole(1024 ** 2, [1024, 1024 ** 3], 'Largest JSON body.'),
  SVC_SESSION_SECURE: flag(
    'Secure attribute of the session cookie, and HSTS: for use over HTTPS. Always on in production if SVC_BASE_URL is https.'
  ),
  SVC_SESSION_IDLE_SECONDS: seconds(7200, 'A session unused for this long expires.'),
  SVC_SESSION_MAX_SECONDS: seconds(86_400, 'A session expires after this long, used or not.'),
  SVC_CORS_ORIGINS: Type.Array(Type.String({ format: 'origin' }), {
    default: [],
    expected: 'origins such as https://app.example or capacitor://localhost, separated by commas',
    description:
      'Origins whose pages may sign in, call the service and read its answers from a browser (CORS), separated by commas. Empty: none; in development, those of this machine.'
  }),
  SVC_TRUST_PROXY: Type.Array(Type.String({ format: 'network' }), {
    default: [],
    expected: 'addresses or CIDR ranges (of 1 bit or more), separated by commas',
    description:
      'Proxies whose `X-Forwarded-*` is trusted: addresses or CIDR ranges, separated by commas.'
  }),
  SVC_LOGIN_RATE_MAX: whole(
    300,
    [1, 1_000_000],
    'Sign-ins and token issues per client address in a window. Production: 10.'
  ),
  SVC_LOGIN_RATE_SECONDS: seconds(900, 'Length of that window.'),
  SVC_RATE_MAX: whole(
    0,
    [0, 1_000_000_000],
    'Requests per signed-in user in a window; 0 is no limit. Production: 600.'
  ),
  SVC_RATE_SECONDS: seconds(60, 'Length of that window.'),
  SVC_USER_TODOS_MAX: whole(100_000, [1, 1_000_000_000], 'How many todos a user may have.'),
  SVC_USER_MEMOS_MAX: whole(10_000, [1, 1_000_000_000], 'How many memos a user may have.'),
  SVC_USER_REACTIONS_MAX: whole(100_000, [1, 1_000_000_000], 'How many reactions a user may have.'),
  SVC_USER_UPLOAD_BYTES: whole(
    1024 ** 3,
    [1, 1024 ** 5],
    'How many bytes the attachments of a user may take up.'
  ),
  SVC_USER_ACTIVITY_BYTES: whole(
    256 * 1024 ** 2,
    [1024 ** 2, 1024 ** 5],
    'How many bytes the recorded changes of a user may take up; the oldest are dropped to make room.'
  ),
  SVC_BEARER_FAIL_MAX: whole(
    60,
    [1, 1_000_000],
    'Wrong Bearer credentials per client address in 60 seconds; a correct one is never counted.'
  ),
  SVC_BATCH_MAX: whole(100, [1, 10_000], 'How many items a batch may have.'),
  SVC_ACTIVITY_DAYS: whole(
    30,
    [0, 3650],
    'How many days changes can be undone and deleted files are kept. 0 turns recording off.'
  ),
  SVC_LOCKOUT_FAILURES: whole(5, [1, 1000], 'Failed sign-ins in a row that lock an account.'),
  SVC_LOCK_MINUTES: whole(
    0,
    [0, 525_600],
    'A lock from wrong passwords ends by itself so many minutes after the last of them. 0: never.'
  ),
  SVC_SIGN_UP: Type.Union([Type.Literal('closed'), Type.Literal('open')], {
    default: 'closed',
    description: 'open: anyone may make an account, once a link that is mailed has been followed.'
  }),
  SVC_OIDC_PROVIDERS: Type.Array(Provider, {
    default: [],
    maxItems: 20,
    expected:
      'a JSON array of objects with id (of a-z, 0-9 and -), name, issuer (an https URL) or "kind": "github", client_id and client_secret, "email": "trusted" if wanted, and nothing else',
    description:
      'Other services at which people can sign in (OpenID Connect, or GitHub), for example `[{"id":"google","name":"Google","issuer":"https://accounts.google.com","client_id":"...","client_secret":"..."}]`; see [deploy.md](deploy.md#sign-in-with-another-service). Except in production, an issuer may be http on this machine.'
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
  SVC_JWT_SECRET: secret('Signs JWTs (HS256), 32 bytes or more; empty turns them off.'),
  SVC_JWT_TTL_SECONDS: seconds(3600, 'Lifetime of a JWT.'),
  SVC_JWT_SKEW_SECONDS: whole(0, [0, 60], 'Clock difference tolerated in `exp` and `nbf`.'),
  SVC_OAUTH: flag(
    'Programs get access by OAuth, with the consent of their users. 0 turns it off.',
    true
  ),
  SVC_OAUTH_REGISTRATION: flag(
    'Programs may make themselves known: by registration (RFC 7591) or by a document at their address.',
    true
  ),
  SVC_WEBHOOK_SECRET: secret(
    'Verifies inbound webhooks (HMAC-SHA256), 32 bytes or more; empty turns them off.'
  ),
  SVC_WEBHOOK_PRIVATE: flag(
    'Outgoing webhooks may go to any address and without TLS. By default they go to public addresses only (in development also to this machine), and in production only by https.'
  ),
  SVC_URL_SECRET: secret(
    'Signs links (HMAC-SHA256) and keeps the secrets of second factors and outgoing webhooks (AES-256-GCM), 32 bytes or more. Empty: made once and kept in the data folder; production must set it.'
  ),
  SVC_URL_TTL_SECONDS: seconds(3600, 'Lifetime of a signed link.'),
  SVC_UPLOAD_MAX_BYTES: whole(10 * 1024 ** 2, [1, 1024 ** 4], 'Largest file that may be uploaded.'),
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
  SVC_FILES_URL: Type.String({
    format: 'object-store-url',
    default: '',
    expected:
      's3://bucket/prefix?region=REGION, with &endpoint=https://HOST for a store that is not AWS (then the region may be left out)',
    description:
      'Object store of the files of attachments, for example s3://bucket/prefix?region=eu-central-1, or s3://bucket/prefix?endpoint=https://store.example for one that is not AWS. On another host, production requires https. Empty: `uploads/` in the data folder.'
  }),
  SVC_FILES_KEY: Type.String({
    pattern: '^[!-~]*$',
    default: '',
    expected: 'visible ASCII characters without spaces',
    description:
      'Access key of the object store. Empty: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or whatever else the AWS SDK finds (a role of the machine, a profile).'
  }),
  SVC_FILES_SECRET: Type.String({
    pattern: '^[!-~]*$',
    default: '',
    expected: 'visible ASCII characters without spaces',
    description: 'Secret of SVC_FILES_KEY.'
  }),
  SVC_FILES_REDIRECT: flag(
    'Downloads are answered with 307 and a signed URL of the object store, which callers must be able to reach. By default, they come through the service.'
  ),
  SVC_RESET_TTL_SECONDS: seconds(3600, 'Lifetime of a password-reset token.'),
  SVC_SMTP_URL: Type.String({
    format: 'smtp-url',
    default: '',
    expected: 'an smtp:// or smtps:// URL',
    description:
      'Mail server, for example smtps://user:password@mail.example:465. With smtp:// to another host production requires STARTTLS. Empty: development writes .eml files to `outbox/` in the data folder.'
  }),
  SVC_MAIL_FROM: Type.String({
    pattern: '^([^<>\\r\\n]*<[^<>@\\s]+@[^<>@\\s]+>|[^<>@\\s]+@[^<>@\\s]+)$',
    default: 'Gatehouse <no-reply@localhost>',
    expected: 'an address, or a name and <address>',
    description: 'Sender of emails.'
  }),
  SVC_MCP_TOKEN: Type.String({
    pattern: '^[\\x21-\\x7e]*$',
    default: '',
    expected: 'a token without white space',
    description:
      'For the commands `mcp` and `call` only: the token that it sends to the service (an access token, the agent token or a JWT). The service itself does not read it.'
  }),
  SVC_CSRF_FIELD: Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    default: 'csrf_token',
    expected: 'a field name of letters, digits and _',
    description:
      'Hidden field of the forms that carries the CSRF token. A name that a form already uses prevents the start.'
  }),
  SVC_LOGOUT_URI: Type.String({
    format: 'redirect-target',
    default: '/login/index',
    expected: 'a path or an http(s) URL, in ASCII',
    description: 'Path or http(s) URL where the pages send a visitor who is not signed in.'
  }),
  SVC_BCRYPT_COST: whole(
    12,
    [4, 16],
    'Cost of password hashes: each step doubles the time of a login.'
  )
})

export type Config = Readonly<Static<typeof Config>>

/** What no operator has to turn, but tests: options of `buildApp`. */
export const tuning = {
  /** If the mean delay of the event loop is longer, in milliseconds, new requests are refused. 0: no limit. */
  maxLagMs: 1000,
  /** Wait before a failed mail is tried again, in milliseconds. Each further wait is four times as long. */
  mailRetryMs: 1000,
  /** An upload fails if nothing of it arrives for so many milliseconds. */
  uploadIdleMs: 30_000
}

export type Tuning = Readonly<typeof tuning>
