import { randomBytes } from 'node:crypto'
import fastifySession from '@fastify/session'
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from 'fastify'
import fp from 'fastify-plugin'
import type { NewAuditEvent } from '../db/repositories/audit.ts'
import type { Config } from '../schemas/config.ts'
import { auditEvent } from './audit.ts'
import { hashSessionId, type SessionLimits, sessionCookie } from './auth/session.ts'
import { fail } from './errors.ts'
import type { Account } from './passwords.ts'

declare module 'fastify' {
  interface Session {
    /** Key of the signed-in user; absent in a session that nobody signed in to. */
    userId?: number
    csrfToken?: string
    /** When the password that opened it was set, and the record of it; neither is stored in it. */
    passwordChangedAt?: number
    audit?: NewAuditEvent
  }
}

export type SessionOptions = SessionLimits & Pick<Config, 'SVC_SESSION_SECURE'>

/** The cookie carries the random id alone: an altered one is an unknown one, so it needs no HMAC. */
const unsigned = {
  sign: (value: string) => value,
  unsign: (value: string) => ({ valid: true, renew: false, value })
}

/** @fastify/session's store over the `sessions` table. Only a signed-in session is kept. */
class SessionStore {
  readonly #app: FastifyInstance
  readonly #limits: SessionLimits

  constructor(app: FastifyInstance, limits: SessionLimits) {
    this.#app = app
    this.#limits = limits
  }

  get(id: string, callback: (error: unknown, session?: Session | null) => void) {
    const { repos, now } = this.#app
    repos.sessions
      .find({ id_hash: hashSessionId(id), now: now() })
      .then(
        (found) =>
          found && {
            cookie: { originalMaxAge: null },
            userId: found.id,
            csrfToken: found.csrf_token
          }
      )
      .then((session) => callback(null, session ?? null), callback)
  }

  set(
    id: string,
    { userId, csrfToken, passwordChangedAt, audit }: Session,
    callback: (error?: unknown) => void
  ) {
    if (userId === undefined || csrfToken === undefined || passwordChangedAt === undefined) {
      return callback()
    }
    const account = { id: userId, password_changed_at: passwordChangedAt }
    const now = this.#app.now()
    const ends_at = now + this.#limits.SVC_SESSION_MAX_SECONDS * 1000
    const session = {
      id_hash: hashSessionId(id),
      user_id: userId,
      csrf_token: csrfToken,
      expires_at: Math.min(now + this.#limits.SVC_SESSION_IDLE_SECONDS * 1000, ends_at),
      ends_at
    }
    this.#app.db
      .transaction(async (repos) => {
        // A change of password ends the sessions there are; this one must be there by then, or never.
        if (!(await repos.users.keepPassword(account))) fail('LOGIN-FAILED')
        await repos.sessions.insert(session)
        if (audit) await repos.audit.insert(audit)
      })
      .then(() => callback(), callback)
  }

  destroy(id: string, callback: (error?: unknown) => void) {
    this.#app.repos.sessions.remove({ id_hash: hashSessionId(id) }).then(() => callback(), callback)
  }
}

/**
 * @fastify/session for the scope that makes and ends sessions. Every other route reads the same
 * table through the auth plugin (docs/performance.md).
 */
export default fp<SessionOptions>(
  async (app, options) => {
    const attributes = {
      path: '/',
      httpOnly: true,
      sameSite: 'lax' as const,
      secure: options.SVC_SESSION_SECURE
    }
    // Before @fastify/session's own: it sends a third cookie where the one that came has another id.
    app.addHook('onSend', async function forgetSentCookie({ cookies, session }) {
      // A request that ended before the cookies were read has neither.
      if (session) cookies[sessionCookie] = session.encryptedSessionId
    })
    await app.register(fastifySession, {
      secret: unsigned,
      cookieName: sessionCookie,
      cookie: attributes,
      saveUninitialized: false,
      rolling: false,
      store: new SessionStore(app, options)
    })

    app.decorateReply(
      'signIn',
      async function signIn(this: FastifyReply, account: Account): Promise<string> {
        const { request } = this
        const oldId = request.session.sessionId
        await request.session.regenerate()
        const csrfToken = randomBytes(32).toString('hex')
        request.session.userId = account.id
        request.session.csrfToken = csrfToken
        request.session.passwordChangedAt = account.password_changed_at
        request.session.audit = auditEvent(request, 'login', {
          user_id: account.id,
          subject: account.user_id,
          via: 'password'
        })
        try {
          await request.session.save()
        } catch (error) {
          // Else @fastify/session saves it again when the failure is sent, which then fails anew.
          await request.session.destroy().catch(() => {})
          throw error
        }
        // The contract's two cookies: the old id first; @fastify/session adds the new one after it.
        this.header('set-cookie', app.serializeCookie(sessionCookie, oldId, attributes))
        return csrfToken
      }
    )

    app.decorateReply('signOut', async function signOut(this: FastifyReply) {
      const { request } = this
      const id_hash = hashSessionId(request.session.sessionId)
      await app.db.transaction(async ({ sessions, audit }) => {
        await sessions.remove({ id_hash })
        const subject = request.viewer.user.user_id
        await audit.insert(auditEvent(request, 'logout', { subject }))
      })
      await request.session.destroy()
      this.clearCookie(sessionCookie, attributes)
    })
  },
  { name: 'session', fastify: '5.x', dependencies: ['clock', 'database', '@fastify/cookie'] }
)

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Starts a new session under a new id, ends the old one, and returns the CSRF token. Ends with
     * LOGIN-FAILED where the account has another password by now.
     */
    signIn(account: Account): Promise<string>
    /** Ends the session and its cookie. */
    signOut(): Promise<void>
  }
}

/**
 * Refuses a sign-in sent by a foreign page. Bodies are read whatever their type, so such a page
 * could post one; there is no session yet whose token could tell.
 */
export function refuseForeignPage(ownOrigins: readonly string[]) {
  return async function checkOrigin({ headers }: FastifyRequest) {
    const site = headers['sec-fetch-site']
    if (site === 'same-origin') return
    if (site === 'cross-site') fail('CSRF-TOKEN-INVALID')
    const { origin } = headers
    if (origin === undefined || ownOrigins.includes(origin)) return
    if (URL.parse(origin)?.host !== headers.host) fail('CSRF-TOKEN-INVALID')
  }
}
