import { randomUUID } from 'node:crypto'
import accepts from '@fastify/accepts'
import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify from 'fastify'
import type { Database } from './db/open.ts'
import packageJson from './package.json' with { type: 'json' }
import auth from './plugins/auth.ts'
import background from './plugins/background.ts'
import circuit from './plugins/circuit.ts'
import clock from './plugins/clock.ts'
import databasePlugin from './plugins/database.ts'
import dispatch, { ControllerPaths, routerOptions } from './plugins/dispatch.ts'
import errors, { toFailure } from './plugins/errors.ts'
import featureFlags from './plugins/feature-flags.ts'
import headers, { responseHeaders } from './plugins/headers.ts'
import idempotency from './plugins/idempotency.ts'
import jsonBody from './plugins/json-body.ts'
import { RequestLog, serializers, standardOutput } from './plugins/logging.ts'
import mail from './plugins/mail.ts'
import metrics from './plugins/metrics.ts'
import openapi from './plugins/openapi.ts'
import overload from './plugins/overload.ts'
import passwords from './plugins/passwords.ts'
import { addressLimit, userLimit } from './plugins/rate-limit.ts'
import { localShared } from './plugins/shared/local.ts'
import type { Shared } from './plugins/shared/shared.ts'
import sharedPlugin from './plugins/shared.ts'
import shutdown from './plugins/shutdown.ts'
import signedUrl from './plugins/signed-url.ts'
import sweep from './plugins/sweep.ts'
import uploads from './plugins/uploads.ts'
import validation from './plugins/validation.ts'
import { answerClientError, refuse } from './plugins/wire.ts'
import attachment from './routes/attachment/index.ts'
import audit from './routes/audit.ts'
import featureflag from './routes/featureflag.ts'
import health from './routes/health.ts'
import mailRoutes from './routes/mail.ts'
import memo from './routes/memo.ts'
import pages from './routes/pages/index.ts'
import passwordReset from './routes/password-reset.ts'
import reaction from './routes/reaction.ts'
import session from './routes/session.ts'
import todo from './routes/todo.ts'
import todoBatch from './routes/todo-batch.ts'
import token from './routes/token.ts'
import webhook from './routes/webhook.ts'
import { components } from './schemas/components.ts'
import type { Config } from './schemas/config.ts'

export interface AppOptions {
  config: Config
  /** Open and migrated; the app closes it. */
  database: Database
  /** Milliseconds since the epoch. */
  now?: () => number
  /** What the processes of the service share; the app closes it. For one process where not given. */
  shared?: Shared
  /** Where log lines go; standard output where nothing is given. */
  logStream?: { write(line: string): void }
  /** Pretty lines for people. */
  prettyLogs?: boolean
}

/** The whole service, in the order in which it is put together. */
export async function buildApp({
  config,
  database,
  now = Date.now,
  shared = localShared(now),
  ...logging
}: AppOptions) {
  const paths = new ControllerPaths()
  const commonHeaders = responseHeaders({ secure: config.SVC_SESSION_SECURE })
  const app = Fastify({
    logger: {
      level: config.SVC_LOG_LEVEL,
      serializers,
      ...(logging.prettyLogs
        ? {
            transport: {
              target: 'pino-pretty',
              options: { ignore: 'pid,hostname', singleLine: true }
            }
          }
        : { stream: logging.logStream ?? standardOutput() })
    },
    logController: new RequestLog({ logsReads: ['debug', 'trace'].includes(config.SVC_LOG_LEVEL) }),
    genReqId: () => randomUUID(),
    bodyLimit: config.SVC_BODY_MAX_BYTES,
    routerOptions,
    trustProxy: config.SVC_TRUST_PROXY.length > 0 && config.SVC_TRUST_PROXY,
    rewriteUrl: (request) => paths.canonical(request.url ?? '/'),
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders).header('x-request-id', request.id)
      app.sendFailure(toFailure(error), request, reply)
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, commonHeaders),
    http: { requireHostHeader: false },
    forceCloseConnections: 'idle',
    // Node's own default, which Fastify turns off: nobody holds a connection with half a request.
    requestTimeout: 300_000,
    pluginTimeout: 60_000,
    return503OnClosing: false
  }).withTypeProvider<TypeBoxTypeProvider>()
  // An expectation we do not know may be ignored (RFC 9110 §10.1.1); Node would answer outside the envelope.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  // Left alone, Node hangs up on CONNECT without an answer.
  app.server.on('connect', (_request, socket) => refuse(socket, commonHeaders))

  await app.register(accepts)
  await app.register(errors, { logoutUri: config.SVC_LOGOUT_URI })
  await app.register(clock, { now })
  await app.register(headers, { headers: commonHeaders })
  await app.register(dispatch, {
    paths,
    outside: ['/api-docs', '/assets', '/metrics', '/password-reset']
  })
  await app.register(shutdown)
  await app.register(overload, config)
  await app.register(jsonBody)
  await app.register(validation)
  await app.register(databasePlugin, { database })
  await app.register(cookie)
  await app.register(sharedPlugin, { shared })
  await app.register(addressLimit)
  await app.register(auth, config)
  await app.register(userLimit, config)
  await app.register(passwords, config)
  await app.register(mail, config)
  // Closing goes backwards: what waits here is done while mail and database are open.
  await app.register(background)
  await app.register(circuit)
  await app.register(featureFlags)
  await app.register(idempotency)
  await app.register(sweep)
  await app.register(signedUrl, config)
  await app.register(uploads, config)
  await app.register(openapi, {
    version: packageJson.version,
    components
  })

  const loginLimit = {
    name: 'login',
    max: config.SVC_LOGIN_RATE_MAX,
    seconds: config.SVC_LOGIN_RATE_SECONDS
  }
  await app.register(metrics, config)
  await app.register(health, config)
  const signIn = {
    ...config,
    loginLimit,
    ownOrigins: [new URL(config.SVC_BASE_URL).origin, ...config.SVC_CORS_ORIGINS]
  }
  await app.register(session, signIn)
  if (app.jwt) await app.register(token, { ...config, jwt: app.jwt, loginLimit })
  await app.register(passwordReset, config)
  await app.register(audit)
  await app.register(todo)
  await app.register(todoBatch, config)
  await app.register(memo)
  await app.register(attachment)
  await app.register(mailRoutes)
  if (config.SVC_WEBHOOK_SECRET) await app.register(webhook, config)
  await app.register(reaction)
  await app.register(featureflag)
  // Last: an HTML action takes the methods of its path that no area above has.
  await app.register(pages, signIn)

  return app
}

export type App = Awaited<ReturnType<typeof buildApp>>
