import { type Static, Type } from '@sinclair/typebox'

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
    description:
      'Public origin, for example https://gatehouse.example. Empty: the address listened on.'
  }),
  SVC_DATA_DIR: Type.String({
    minLength: 1,
    default: 'data',
    description: 'Folder of the database and of files.'
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
    description: 'Origins of other sites that may sign in from a browser, separated by commas.'
  }),
  SVC_BCRYPT_COST: Type.Integer({
    minimum: 4,
    maximum: 16,
    default: 12,
    description: 'Cost of password hashes: each step doubles the time of a login.'
  })
})

export type Config = Readonly<Static<typeof Config>>
