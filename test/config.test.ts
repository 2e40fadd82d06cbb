import Fastify from 'fastify'
import t from 'tap'
import { databaseFile } from '../db/sqlite/file.ts'
import { ConfigError, loadConfig, requireSafeStart, serverOptions } from '../fastify.config.ts'

/** The problem that loadConfig, or `check` after it, reports; empty if there is none. */
function problemOf(env: Record<string, string>, check = (_: ReturnType<typeof loadConfig>) => {}) {
  try {
    check(loadConfig(env))
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

t.test('every variable has a sound default (contract CONFIG-1)', async (t) => {
  t.hasStrict(loadConfig({}), {
    SVC_ENV: 'development',
    SVC_HOST: '127.0.0.1',
    SVC_PORT: 3000,
    SVC_BASE_URL: '',
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
  t.equal(databaseFile(loadConfig({}).SVC_DATA_DIR), 'data/gatehouse.db')
})

t.test('limits of production are stricter, unless the environment says otherwise', async (t) => {
  const production = { SVC_ENV: 'production' }
  t.hasStrict(loadConfig(production), {
    SVC_LOGIN_RATE_MAX: 10,
    SVC_RATE_MAX: 600,
    SVC_RATE_SECONDS: 60
  })
  t.equal(loadConfig({ ...production, SVC_RATE_MAX: '0' }).SVC_RATE_MAX, 0)
})

t.test(
  'values are read in their types; an empty one is the default (contract CONFIG-1)',
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

const provider = {
  ...{ id: 'acme', name: 'Acme', issuer: 'https://a.example' },
  ...{ client_id: 'client', client_secret: 'hunter2' }
}

t.test('origins of apps and extensions are listed as they are sent', async (t) => {
  const schemes = ['capacitor', 'ionic', 'tauri', 'app', 'chrome-extension', 'vscode-webview']
  const origins = schemes.map((scheme) => `${scheme}://localhost`)
  t.same(loadConfig({ SVC_CORS_ORIGINS: origins.join() }).SVC_CORS_ORIGINS, origins)
})

t.test('providers are JSON; production takes https only, also on this machine', async (t) => {
  const env = (SVC_ENV: string, issuer: string) => ({
    SVC_ENV,
    SVC_OIDC_PROVIDERS: JSON.stringify([{ ...provider, issuer }])
  })
  const local = 'http://localhost:4000/realms/a'
  const { SVC_OIDC_PROVIDERS: given } = loadConfig(env('development', local))
  t.same(given, [{ ...provider, issuer: local }])
  t.throws(() => loadConfig(env('production', local)), {
    message: 'SVC_OIDC_PROVIDERS must be a list of https issuers in production'
  })
  const second = JSON.stringify([provider, { ...provider, id: 'b', client_secret: 'a b' }])
  t.throws(() => loadConfig({ SVC_OIDC_PROVIDERS: second }), {
    message: /^[^\n;]* \(wrong: client_secret of number 2\)$/
  })
})

t.test('a provider has an issuer or is GitHub, and is trusted for one tenant only', async (t) => {
  const load = (more: object) =>
    loadConfig({ SVC_OIDC_PROVIDERS: JSON.stringify([{ ...provider, ...more }]) })
      .SVC_OIDC_PROVIDERS
  const github = { issuer: undefined, kind: 'github' }
  for (const more of [github, { ...github, url: 'https://github.example' }]) {
    t.match(load(more), [{ kind: 'github' }])
  }
  for (const more of [
    ...[{ kind: 'github' }, { issuer: undefined }, { url: 'https://github.example' }],
    ...[{ ...github, kind: 'gitlab' }, { email: 'all' }]
  ]) {
    t.throws(
      () => load(more),
      { message: /^SVC_OIDC_PROVIDERS must be [^\n]*$/ },
      JSON.stringify(more)
    )
  }
  const entra = (tenant: string) => ({
    issuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
    email: 'trusted'
  })
  t.match(load(entra('8eaef023-2b34-4da1-9baa-8bc8c9d6a490')), [{ email: 'trusted' }])
  for (const tenant of ['common', 'organizations', 'consumers']) {
    t.throws(() => load(entra(tenant)), { message: /only of one tenant/ }, tenant)
  }
})

t.test('a bad value is named, and never shown (contract CONFIG-1)', async (t) => {
  const secret = 'hunter2'
  const cases: [name: string, values: string[]][] = [
    ['SVC_PORT', [secret, '-1', '65536', '1e3', '0x50', '80 ', '3000.5', '99999999999999999999']],
    ['SVC_ENV', [secret, 'Production', 'prod']],
    ['SVC_HOST', [secret.repeat(2).concat(' '), 'http://x', '[::1]', 'a:80', '-x']],
    [
      'SVC_BASE_URL',
      [
        ...[secret, 'other.example', 'https://x.example/path', 'https://x.example/'],
        ...['ftp://x.example', 'https://x.example?a=b', 'https://x.example#a'],
        ...[
          'https://u:pw@x.example',
          'https://exa mple',
          'https://X.example',
          'https://x.example:443'
        ]
      ]
    ],
    [
      'SVC_SMTP_URL',
      [secret, 'smtp:///', 'smtp:mail.example', 'smtp://a b', 'smtp://h:x', 'smtp://h/path'].concat(
        ['smtp://h?a=b', 'smtp://u:%zz@h', 'http://h', 'smtp://[::1']
      )
    ],
    ['SVC_MAIL_FROM', [secret, `${secret} <>`, `${secret} <a@b`, 'a@b, c@d', 'a@b>\r\nTo: <c@d>']],
    [
      'SVC_REDIS_URL',
      [secret, 'redis:///1', 'redis://h:99999', 'redis://h/name', 'http://h', 'redis://[x]']
    ],
    [
      'SVC_DATABASE_URL',
      [secret, 'postgres://u@h:x/n', 'postgres://u:%zz@h/n', 'mysql://h/n', 'postgres://a b/n']
    ],
    [
      'SVC_LOGOUT_URI',
      [
        secret,
        '//other.example',
        '/\\other.example',
        '/é',
        '/a b',
        '/a\r\nX: y',
        'https:/x',
        'https://'
      ].concat([
        'javascript:alert(1)',
        'ftp://x.example/',
        'https://u:pw@x.example/',
        'https://exa^mple/'
      ])
    ],
    ['SVC_LOG_LEVEL', [secret, 'INFO']],
    ['SVC_BODY_MAX_BYTES', [secret, '0', '1023', '1MB']],
    ['SVC_SESSION_SECURE', [secret, 'true', 'yes', '2']],
    ['SVC_SESSION_IDLE_SECONDS', [secret, '0', '-5']],
    ['SVC_SESSION_MAX_SECONDS', [secret, '0']],
    [
      'SVC_OIDC_PROVIDERS',
      [secret, '{}', '7', '[7]', '[{}]', `[{"id":"${secret}"}]`].concat(
        ...[
          { id: 'A' },
          { name: '' },
          { name: 'a\nb' },
          { issuer: 'http://a.example' },
          { issuer: 'https://u@a.example' },
          { issuer: 'https://a.example?x' },
          { issuer: secret },
          { client_id: '' },
          { client_secret: `${secret} ` },
          { [secret]: secret }
        ].map((wrong) => JSON.stringify([{ ...provider, ...wrong }])),
        JSON.stringify([provider, provider]),
        JSON.stringify([provider, { ...provider, id: 'b', issuer: 'https://a.example/' }])
      )
    ],
    [
      'SVC_CORS_ORIGINS',
      [secret, '*', 'https://a.example/', 'https://a.example,', 'null', 'http://exa mple'].concat([
        'https://A.example',
        'https://a.example:443',
        'https://u@a.example',
        'https://a.example?',
        'https://*.example',
        'app://*',
        'app://a/',
        'app:a'
      ])
    ],
    [
      'SVC_TRUST_PROXY',
      [secret, '0.0.0.0/0', '::/0', '10.0.0.1/00', '::ffff:10.0.0.1/0', '10.0.0.1/33'].concat([
        ...['::1/129', '10.0.0.0/255.0.0.0', '10.0.0.1/', '10.0.0.1/-1', '10.0.0.1/8/8'],
        ...['10.0.0.1,0.0.0.0/0', 'fe80::1%en-0', 'fe80::1%eth0.1/64', 'fe80::1%a:b', 'loopback']
      ])
    ],
    [
      'SVC_FILES_URL',
      [
        ...[
          secret,
          's3://',
          's3://files',
          's3://files?region=',
          's3://Files?region=x',
          's3://a?region=x'
        ],
        ...[
          's3://k:s@files?region=x',
          's3://files:1?region=x',
          's3://files?region=x#y',
          's3://files?region=x&x=y'
        ],
        ...['s3://files?region=x&region=y', 's3://files/a//b?region=x', 's3://files/.a?region=x'],
        ...['s3://files/%61?region=x', 's3://files?endpoint=', 's3://files?endpoint=store.example'],
        ...[
          's3://files?endpoint=ftp://h',
          's3://files?endpoint=https://u:p@h',
          'https://files?region=x'
        ]
      ]
    ],
    ['SVC_FILES_KEY', [`${secret} x`, 'é']],
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
    'all problems at once'
  )
})

t.test('usable hosts and URLs are accepted (contract CONFIG-1)', async (t) => {
  const cases: [name: string, values: string[]][] = [
    ['SVC_HOST', ['::1', '::', '0.0.0.0', 'localhost', 'my-host.example', 'fe80::1%eth0']],
    ['SVC_BASE_URL', ['http://[::1]:3000', 'https://gatehouse.example:8443', 'http://localhost']],
    ['SVC_SMTP_URL', ['smtp://[::1]:25', 'smtps://user%40x:p%2Fw@mail.example:465/', 'smtp://h']],
    ['SVC_REDIS_URL', ['redis://[::1]:6379/2', 'rediss://user:pw@h', 'redis://h/?family=6']],
    [
      'SVC_DATABASE_URL',
      [
        'postgres://u:p%40w@[::1]:5432/n',
        'postgresql://%2Frun%2Fpostgresql/n',
        'postgres:///n?host=/run'
      ]
    ],
    [
      'SVC_FILES_URL',
      [
        ...[
          's3://files?region=eu-central-1',
          's3://my.files/a/b-1/?region=x',
          's3://files/?region=x'
        ],
        ...[
          's3://files?endpoint=https://h:9000/path',
          's3://files/p?region=x&endpoint=http://[::1]:9000'
        ]
      ]
    ],
    ['SVC_LOGOUT_URI', ['/', '/a?b=%C3%A9#c', 'https://sso.example:444/out?to=x', 'http://[::1]/']]
  ]
  for (const [name, values] of cases) {
    for (const value of values) t.equal(problemOf({ [name]: value }), '', `${name}=${value}`)
  }
})

t.test('Fastify takes every proxy that the configuration takes (contract CONFIG-1)', async (t) => {
  for (const SVC_TRUST_PROXY of [
    ...[
      '10.0.0.1',
      '10.0.0.0/1',
      '10.0.0.1/32',
      '10.0.0.0/008',
      '::1',
      '::/1',
      'fd00::/8',
      '::1/128'
    ],
    ...['::ffff:10.0.0.1', '::ffff:10.0.0.0/104', '::10.0.0.1', 'fe80::1%eth0', 'FE80::1%3/64'],
    ...['10.0.0.1, fd00::/8', '64:ff9b::10.0.0.1', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8']
  ]) {
    const options = serverOptions(loadConfig({ SVC_TRUST_PROXY }))
    t.doesNotThrow(() => Fastify(options), SVC_TRUST_PROXY)
  }
})

t.test('development listens on loopback alone (contract SAFE-5)', async (t) => {
  const start = (env: Record<string, string>) => problemOf(env, requireSafeStart)
  for (const SVC_HOST of ['127.0.0.1', '127.8.8.8', '::1', 'localhost', 'a.localhost']) {
    t.equal(start({ SVC_HOST }), '', SVC_HOST)
  }
  for (const SVC_HOST of ['0.0.0.0', '::', '192.0.2.1', 'gatehouse.example', '127.0.0.1.example']) {
    t.match(
      start({ SVC_HOST }),
      /^SVC_HOST must be a loopback [^\n]+SVC_DEV_REMOTE=1[^\n]+$/,
      SVC_HOST
    )
    t.equal(start({ SVC_HOST, SVC_DEV_REMOTE: '1' }), '', `${SVC_HOST}, allowed`)
    t.equal(start({ SVC_HOST, SVC_ENV: 'test' }), '', `${SVC_HOST} in a test`)
  }
})

t.test('production needs SVC_BASE_URL and SVC_URL_SECRET (contract SAFE-5)', async (t) => {
  const env = { SVC_ENV: 'production' }
  const needs = { SVC_BASE_URL: 'https://x.example', SVC_URL_SECRET: 'x'.repeat(32) }
  const start = (more: Record<string, string>) => problemOf({ ...env, ...more }, requireSafeStart)
  t.match(start({}), /^SVC_BASE_URL must be set [^;]+; SVC_URL_SECRET must be set [^;]+$/)
  t.match(start({ ...needs, SVC_BASE_URL: '' }), /^SVC_BASE_URL must be set in production[^;]+$/)
  t.match(
    start({ ...needs, SVC_URL_SECRET: '' }),
    /^SVC_URL_SECRET must be set in production[^;]+$/
  )
  t.equal(start({ ...needs, SVC_HOST: '0.0.0.0' }), '')
  t.equal(problemOf(env), '', 'commands need neither')
})

t.test('production cookies are Secure if the address is https (contract SESSION-1)', async (t) => {
  const isSecure = (SVC_ENV: string, SVC_BASE_URL: string, SVC_SESSION_SECURE = '') =>
    loadConfig({ SVC_ENV, SVC_BASE_URL, SVC_SESSION_SECURE }).SVC_SESSION_SECURE
  t.equal(isSecure('production', 'https://x.example'), true)
  t.equal(isSecure('production', 'https://x.example', '0'), true)
  t.equal(isSecure('production', 'http://x.example'), false)
  t.equal(isSecure('production', 'http://x.example', '1'), true)
  t.equal(isSecure('development', 'https://x.example'), false)
})

t.test('the settings of an object store belong together (contract CONFIG-1)', async (t) => {
  const SVC_FILES_URL = 's3://files?region=x'
  t.equal(problemOf({ SVC_FILES_KEY: 'x' }), 'SVC_FILES_SECRET must be set with SVC_FILES_KEY')
  t.equal(problemOf({ SVC_FILES_SECRET: 'x' }), 'SVC_FILES_KEY must be set with SVC_FILES_SECRET')
  t.equal(problemOf({ SVC_FILES_REDIRECT: '1' }), 'SVC_FILES_REDIRECT needs SVC_FILES_URL')
  t.equal(problemOf({ SVC_FILES_REDIRECT: '1', SVC_FILES_URL }), '')
  t.equal(problemOf({ SVC_FILES_KEY: 'x', SVC_FILES_SECRET: 'x', SVC_FILES_URL }), '')
})

t.test('production requires TLS to other hosts (contract SAFE-5)', async (t) => {
  const open = {
    SVC_REDIS_URL: ['redis://h', 'redis://10.0.0.1', 'redis://localhost.example'],
    SVC_FILES_URL: [
      's3://files?endpoint=http://h',
      's3://files?region=x&endpoint=http://10.0.0.1:9000'
    ],
    SVC_DATABASE_URL: [
      ...['postgres://h/n', 'postgres://h/n?sslmode=require', 'postgres://h/n?sslmode=no-verify'],
      ...['postgres://127.0.0.1/n?host=h', 'postgres://h/n?sslmode=verify-full&sslmode=disable']
    ]
  }
  const closed = {
    SVC_REDIS_URL: ['rediss://h', 'redis://127.0.0.1', 'redis://[::1]', 'redis://localhost'],
    SVC_FILES_URL: [
      ...['s3://files?region=x', 's3://files?endpoint=https://h'],
      ...['s3://files?endpoint=http://127.0.0.1:9000', 's3://files?endpoint=http://[::1]']
    ],
    SVC_DATABASE_URL: [
      ...['postgres://h/n?sslmode=verify-full', 'postgres://localhost/n', 'postgres://[::1]/n'],
      ...[
        'postgres://%2Frun%2Fpostgresql/n',
        'postgres:///n?host=/run',
        'postgres://h/n?host=127.0.0.1'
      ]
    ],
    SVC_SMTP_URL: ['smtp://h', 'smtps://h']
  }
  for (const [name, values] of Object.entries(open)) {
    for (const value of values) {
      const env = { SVC_ENV: 'production', [name]: value }
      t.match(problemOf(env), new RegExp(`^${name} must [^;]+SVC_INSECURE_LINKS=1[^;]+$`), value)
      t.equal(problemOf({ ...env, SVC_INSECURE_LINKS: '1' }), '', `${value}, allowed`)
      t.equal(problemOf({ [name]: value }), '', `${value} in development`)
    }
  }
  for (const [name, values] of Object.entries(closed)) {
    for (const value of values)
      t.equal(problemOf({ SVC_ENV: 'production', [name]: value }), '', value)
  }
})

t.test('variables of OpenTelemetry are checked as all others (contract CONFIG-1)', async (t) => {
  const cases: Record<string, string[]> = {
    OTEL_EXPORTER_OTLP_ENDPOINT: ['collector', 'ftp://collector.example'],
    OTEL_EXPORTER_OTLP_PROTOCOL: ['grpc'],
    OTEL_SDK_DISABLED: ['1'],
    OTEL_TRACES_SAMPLER: ['sometimes'],
    OTEL_TRACES_SAMPLER_ARG: ['1.1', '-1', '10%']
  }
  for (const [name, values] of Object.entries(cases)) {
    for (const value of values) t.match(problemOf({ [name]: value }), `${name} must be `, value)
  }
  for (const ratio of ['0', '0.1', '.25', '1', '1.0']) {
    t.equal(problemOf({ OTEL_TRACES_SAMPLER_ARG: ratio }), '')
  }
})
