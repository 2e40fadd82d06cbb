import accepts from '@fastify/accepts'
import cookie from '@fastify/cookie'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify from 'fastify'
import type { Database } from './db/database.ts'
import { serverOptions } from './fastify.config.ts'
import packageJson from './package.json' with { type: 'json' }
import cors from './plugins/http/cors.ts'
import dispatch, { ControllerPaths, routerOptions } from './plugins/http/dispatch.ts'
import errors from './plugins/http/errors/index.ts'
import forwarded from './plugins/http/forwarded.ts'
import headers, { requestId, responseHeaders } from './plugins/http/headers.ts'
import host from './plugins/http/host.ts'
import jsonBody from './plugins/http/json-body.ts'
import prefer from './plugins/http/prefer.ts'
import { connectionsMax, createBoundedServer } from './plugins/http/pressure/connections.ts'
import pressure from './plugins/http/pressure/index.ts'
import routeConfig from './plugins/http/route-config.ts'
import serialization from './plugins/http/serialization.ts'
import { answerClientError } from './plugins/http/socket.ts'
import validation from './plugins/http/validation/index.ts'
import administration from './plugins/identity/administration.ts'
import auth from './plugins/identity/auth.ts'
import oauth from './plugins/identity/oauth/index.ts'
import passkeys from './plugins/identity/passkeys/index.ts'
import passwordResets from './plugins/identity/password-reset.ts'
import passwords from './plugins/identity/passwords/index.ts'
import profile from './plugins/identity/profile.ts'
import providers from './plugins/identity/providers/index.ts'
import { addressLimit, loginLimit, userLimit, visitorLimit } from './plugins/identity/rate-limit.ts'
import removal from './plugins/identity/removal.ts'
import secondFactorPlugin from './plugins/identity/second-factor.ts'
import signUps from './plugins/identity/sign-up.ts'
import activityPlugin from './plugins/patterns/activity/index.ts'
import { addArea } from './plugins/patterns/area/routes.ts'
import changeStreams from './plugins/patterns/change-streams/index.ts'
import circuit from './plugins/patterns/circuit.ts'
import dataExport from './plugins/patterns/data-export.ts'
import featureFlags from './plugins/patterns/feature-flags.ts'
import idempotency from './plugins/patterns/idempotency/index.ts'
import operations from './plugins/patterns/operations/index.ts'
import areaPages from './plugins/patterns/pages/areas.ts'
import pages from './plugins/patterns/pages/index.ts'
import planEvents from './plugins/patterns/plans/events.ts'
import plans from './plugins/patterns/plans/index.ts'
import signedUrl from './plugins/patterns/signed-url.ts'
import waiting from './plugins/patterns/waiting.ts'
import deliveries from './plugins/patterns/webhooks/index.ts'
import discovery from './plugins/reporting/discovery.ts'
import healthPlugin from './plugins/reporting/health.ts'
import { type LogOptions, loggerOptions, RequestLog } from './plugins/reporting/logging.ts'
import mcp from './plugins/reporting/mcp/index.ts'
import metrics from './plugins/reporting/metrics/index.ts'
import openapi from './plugins/reporting/openapi/index.ts'
import tracing from './plugins/reporting/tracing/index.ts'
import background from './plugins/runtime/background.ts'
import baseUrl from './plugins/runtime/base-url.ts'
import changes from './plugins/runtime/changes.ts'
import clock from './plugins/runtime/clock.ts'
import databasePlugin from './plugins/runtime/database.ts'
import mail from './plugins/runtime/mail/index.ts'
import type { Peers } from './plugins/runtime/peers/index.ts'
import peersPlugin from './plugins/runtime/peers/index.ts'
import { localPeers } from './plugins/runtime/peers/local.ts'
import shutdown from './plugins/runtime/shutdown.ts'
import sweep from './plugins/runtime/sweep.ts'
import accessToken from './routes/account/access-token.ts'
import grant from './routes/account/grant.ts'
import account from './routes/account/index.ts'
import accountPages from './routes/account/pages/index.ts'
import passkey from './routes/account/passkey.ts'
import secondFactor from './routes/account/second-factor.ts'
import activityBoard from './routes/activity/board.ts'
import activity from './routes/activity/index.ts'
import audit from './routes/admin/audit.ts'
import mailRoutes from './routes/admin/mail.ts'
import desk from './routes/admin/pages/index.ts'
import users from './routes/admin/users.ts'
import attachmentBoard from './routes/attachment/board.ts'
import attachment from './routes/attachment/index.ts'
import error from './routes/error.ts'
import featureFlag from './routes/feature-flag.ts'
import health from './routes/health.ts'
import memoBoard from './routes/memo/board.ts'
import memo from './routes/memo/index.ts'
import consent from './routes/oauth/consent.ts'
import oauthRoutes from './routes/oauth/index.ts'
import oauthPages from './routes/oauth/pages.ts'
import home from './routes/pages/home.ts'
import passwordReset from './routes/password-reset/index.ts'
import passwordResetPages from './routes/password-reset/pages.ts'
import planBoard from './routes/plan/board.ts'
import plan from './routes/plan/index.ts'
import reaction from './routes/reaction.ts'
import search from './routes/search.ts'
import current from './routes/session/current.ts'
import session from './routes/session/index.ts'
import login from './routes/session/login.ts'
import logout from './routes/session/logout.ts'
import token from './routes/session/token.ts'
import unsent from './routes/session/unsent.ts'
import signUp from './routes/sign-up/index.ts'
import subscription from './routes/subscription.ts'
import todoBoard from './routes/todo/board.ts'
import todo from './routes/todo/index.ts'
import webhook from './routes/webhook.ts'
import { ofDeclarations } from './schemas/area/index.ts'
import { coded } from './schemas/coded.ts'
import { type Config, type Tuning, tuning } from './schemas/config.ts'

interface AppOptions extends LogOptions {
  config: Config
  /** Opened and migrated; the app closes it. */
  database: Database
  tuning?: Partial<Tuning>
  /** Milliseconds since the epoch. */
  now?: () => number
  /** What the processes of the service share; the app closes it. The default serves one process. */
  peers?: Peers
  /**
   * Makes validators and serializers now, so that a mistake in a schema stops the start. Without it, each is made at its
   * first use.
   */
  isEager?: boolean
}

/*
 * What a request passes, in this order, and the codes with which it can end there. Hooks have the names
 * of their functions; test/areas.test.ts compares them with the running service. Those of a plugin come
 * in the order in which plugins are registered below, those of a route after them.
 *
 *    the parser of Node             REQUEST-INVALID (plugins/http/socket.ts)
 *    onRequest
 *      beginSpan                    begins the trace of the request, if a collector gets traces; sets X-Trace-Id
 *      fastifyCookieHandler         reads the cookies
 *      setHeaders                   sets the common headers and X-Request-Id, reads the route's config
 *      handleCors                   answers a preflight of a listed origin
 *      readForwarded                leaves only addresses in X-Forwarded-For, if proxies are trusted
 *      checkHost                    REQUEST-INVALID (an unclear Host; development: one of another machine)
 *      dispatch                     REQUEST-INVALID, NOT-FOUND, METHOD-NOT-ALLOWED, ROUTE-CONFLICT
 *      refuseOverload               SERVICE-OVERLOADED
 *      limitAddress                 RATE-LIMIT-EXCEEDED, by address (config.addressLimit)
 *      guard                        SESSION-CLOSED, JWT-INVALID, ACCESS-TOKEN-INVALID, SCOPE-INSUFFICIENT,
 *                                   FORBIDDEN, CSRF-TOKEN-INVALID; RATE-LIMIT-EXCEEDED, by wrong credentials
 *      limitVisitor                 RATE-LIMIT-EXCEEDED, by address, of callers without a credential
 *      limitUser                    RATE-LIMIT-EXCEEDED, by user
 *      handleSession                begins or finds the session, where one may begin or end
 *      anonymous                    @fastify/view and @fastify/multipart prepare the request
 *      refuseForeignOrigin          403 of /mcp
 *      allowAnyOrigin               pages of any origin may read what no cookie counts for
 *      verify                       SIGNED-URL-INVALID, SIGNED-URL-EXPIRED
 *      checkMetricsToken            SESSION-CLOSED
 *      refuseReader                 SCOPE-INSUFFICIENT, for an undo by a credential that may write nothing
 *      replaceType                  decides how the body is read (config.body)
 *      checkOrigin                  CSRF-TOKEN-INVALID, for a sign-in from a foreign page
 *      checkType                    415 of /mcp
 *      requireReadable              SCOPE-INSUFFICIENT, for a subscription of a token that may read nothing
 *      requireForm                  UPLOAD-FILE-REQUIRED, for an upload that is no form
 *      requireToken                 CSRF-TOKEN-INVALID, for the upload of a page that is no form
 *      checkResetToken              NOT-FOUND, TOKEN-EXPIRED, TOKEN-ALREADY-USED
 *    preParsing
 *      refuseUnread                 SERVICE-OVERLOADED, by user: answers that wait to be read
 *    parsing                        BODY-TOO-LARGE, BODY-INVALID (plugins/http/json-body.ts)
 *    preValidation
 *      resumeSpan                   goes on with the trace after the parsing
 *      refuseUnapproved             APPROVAL-NEEDED (but for a dry run)
 *      refuseUnknown                VALIDATION-FAILED (unknown fields, with Prefer: handling=strict)
 *      nullBody                     a form that was not sent is null
 *      allowNoBody                  or an object, for a second factor
 *      verifyFormToken              CSRF-TOKEN-INVALID, for a form
 *      verifyCodeForm               the same, before there is a session
 *    validation                     the code that the schema names, else VALIDATION-FAILED; drops members of the body
 *                                   that the schema does not name
 *    preHandler
 *      sendPosition                 X-Next-After of a list: from where its stream goes on
 *      allowRequest                 lets a form of the sign-in send people back to a program
 *      readArguments                reads arguments of /mcp as their client means them
 *      checkScope                   403 of /mcp, for a tool outside the scopes
 *      receive                      UPLOAD-TOO-LARGE, UPLOAD-MIME-REJECTED, SERVICE-OVERLOADED
 *    the handler                    CONFLICT or the first answer again (plugins/patterns/idempotency/index.ts);
 *                                   the codes that the route lists in config.fails
 *    onError
 *      keepError                    why a step of a plan has failed
 *    onSend
 *      fastifyCookieOnSendHandler   sends cookies
 *      countUnread                  SERVICE-OVERLOADED, instead of an answer that could not wait to be read
 *      skipSentCookie               one cookie for a session that began or ended
 *      saveSession                  of @fastify/session
 *      challenge                    the credentials that /mcp takes
 *      sendAsEvent                  an answer of /mcp as the event of a stream
 *      discard                      deletes an upload that failed
 *      headRouteOnSendHandler       HEAD has no content
 *      dropLength                   nor its length, with 304
 *    onResponse
 *      endSpan                      ends the span of the request
 *      observe                      counts and measures
 *      countSignIn                  counts sign-ins
 *      anonymous                    @fastify/multipart ends the upload
 */

/** The whole service, in the order in which it is put together. */
export async function buildApp({
  config,
  database,
  now = Date.now,
  peers = localPeers(now),
  isEager = true,
  tuning: tuned,
  ...logging
}: AppOptions) {
  const limits = { ...tuning, ...tuned }
  const paths = new ControllerPaths()
  const commonHeaders = responseHeaders(config)
  const app = Fastify({
    ...serverOptions(config),
    genReqId: requestId,
    logger: loggerOptions(config, logging),
    logController: new RequestLog(config.SVC_LOG_LEVEL),
    routerOptions,
    rewriteUrl: paths.rewrite,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, commonHeaders.program),
    serverFactory: (handle) => {
      const max = connectionsMax(config.SVC_MAX_CONNECTIONS)
      const onFull = () =>
        app.log.warn({ max }, 'connections are refused: the maximum number is open')
      return createBoundedServer(handle, { max, onFull })
    }
  }).withTypeProvider<TypeBoxTypeProvider>()

  // Runtime. Plugins close in reverse order: background work ends while mail and database are still open.
  await app.register(clock, { now })
  await app.register(baseUrl, config)
  await app.register(peersPlugin, { peers })
  await app.register(databasePlugin, { database })
  await app.register(changes)
  await app.register(sweep)
  await app.register(mail, { ...config, ...limits })
  // Of reporting, but here: its spans begin before all other hooks, and are sent when all work has ended.
  await app.register(tracing, config)
  await app.register(background)
  await app.register(shutdown)

  // HTTP
  await app.register(accepts)
  await app.register(cookie)
  await app.register(routeConfig)
  await app.register(errors, { logoutUri: config.SVC_LOGOUT_URI })
  await app.register(headers, commonHeaders)
  await app.register(cors, config)
  if (config.SVC_TRUST_PROXY.length > 0) await app.register(forwarded)
  await app.register(host, config)
  await app.register(dispatch, {
    paths,
    outside: [
      ...['/.well-known', '/api-docs', '/assets', '/favicon.ico', '/llms.txt', '/mcp', '/metrics'],
      ...[
        '/area.schema.json',
        '/login/with_:id',
        '/oauth',
        '/password-reset',
        '/robots.txt',
        '/skill.md'
      ]
    ]
  })
  await app.register(pressure, limits)
  await app.register(jsonBody, config)
  await app.register(validation, { isEager })
  await app.register(serialization, { isEager })
  await app.register(prefer)

  // Identity
  await app.register(addressLimit)
  await app.register(auth, config)
  await app.register(visitorLimit)
  await app.register(userLimit, config)
  await app.register(secondFactorPlugin, config)
  await app.register(passwords, config)
  await app.register(providers, config)
  await app.register(passkeys, config)
  await app.register(passwordResets, config)
  await app.register(signUps, config)
  await app.register(removal, config)
  await app.register(profile, config)
  await app.register(administration, config)
  await app.register(oauth, config)

  // Patterns
  await app.register(circuit)
  await app.register(featureFlags)
  await app.register(idempotency)
  await app.register(activityPlugin, config)
  await app.register(deliveries, config)
  await app.register(planEvents)
  await app.register(changeStreams)
  await app.register(waiting)
  await app.register(signedUrl, config)
  await app.register(dataExport)
  await app.register(operations)
  await app.register(plans, config)

  // Reporting
  await app.register(openapi, { ...packageJson, ...config })
  await app.register(discovery, config)
  await app.register(metrics, config)
  await app.register(healthPlugin, config)
  await app.register(mcp, { ...packageJson, ...config })

  // Areas
  const signIn = { ...config, loginLimit: loginLimit(config) }
  await app.register(health)
  await app.register(error)
  await app.register(session, signIn)
  await app.register(current, config)
  await app.register(accessToken)
  await app.register(account)
  await app.register(passkey)
  await app.register(secondFactor)
  if (app.jwt) await app.register(token, { ...signIn, jwt: app.jwt })
  if (app.oauth) {
    await app.register(grant)
    await app.register(oauthRoutes, { ...config, oauth: app.oauth })
  }
  await app.register(passwordReset)
  await app.register(audit)
  await app.register(users)
  await app.register(todo, config)
  await app.register(memo, config)
  await app.register(attachment, { ...config, ...limits })
  await app.register(search)
  await app.register(activity)
  if (app.activity.isOn) await app.register(plan)
  if (app.deliveries.isOn) await app.register(subscription)
  await app.register(mailRoutes)
  await app.register(webhook, config)
  await app.register(reaction, config)
  await app.register(featureFlag)
  for (const area of ofDeclarations.filter(({ one }) => !coded.some(({ name }) => name === one)))
    await app.register(async (app) =>
      addArea(app, area, { ...area, batchMax: config.SVC_BATCH_MAX })
    )
  // Pages, last: an HTML action takes the methods of its path that no area above has claimed.
  await app.register(async (app) => {
    await app.register(pages, signIn)
    const first = [home, login, unsent, todoBoard, memoBoard, attachmentBoard]
    for (const page of first) await app.register(page, signIn)
    await app.register(areaPages, { ...signIn, ...limits })
    await app.register(activityBoard, signIn)
    if (app.activity.isOn) await app.register(planBoard, signIn)
    const last = [accountPages, desk, logout, passwordResetPages]
    for (const page of last) await app.register(page, signIn)
    if (app.signUps.isOpen) await app.register(signUp, signIn)
    if (app.oauth) {
      await app.register(consent, { ...signIn, oauth: app.oauth })
      await app.register(oauthPages, { oauth: app.oauth })
    }
  })

  return app
}

export type App = Awaited<ReturnType<typeof buildApp>>
