import { randomBytes } from 'node:crypto'
import fastifySession, { type SessionStore } from '@fastify/session'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../../schemas/config.ts'
import type { SignInWay } from '../../../schemas/user.ts'
import { fail } from '../../http/errors/index.ts'
import { hashSecret } from '../../runtime/secrets.ts'
import { recordEvent } from '../audit.ts'
import type { Account } from '../passwords/index.ts'
import { cookieAttributes, type SessionLimits, sentSessions, sessionCookie } from '../session.ts'

export type SessionOptions = SessionLimits & Pick<Config, 'SVC_SESSION_SECURE'>

/** How many characters of a `User-Agent` are kept. */
const maxUserAgent = 255

/** The cookie carries only the random id. It needs no signature: an altered id is simply unknown. */
const unsigned = {
  sign: (value: string) => value,
  unsign: (value: string) => ({ valid: true, renew: false, value })
}

/**
 * What @fastify/session needs from the `sessions` table: whether the id of a cookie is known, and how
 * to end a session. `signIn` writes the row of a new session.
 */
const sessionStore = ({ db: { repos }, now }: FastifyInstance): SessionStore => ({
  get(id, callback) {
    repos.sessions
      .find({ id_hash: hashSecret(id), now: now() })
      .then(
        (found) => callback(null, found ? { cookie: { originalMaxAge: null } } : null),
        callback
      )
  },
  set: (_id, _session, callback) => callback(),
  destroy(id, callback) {
    repos.sessions.remove({ id_hash: hashSecret(id) }).then(() => callback(), callback)
  }
})

/**
 * @fastify/session, only for the routes that begin and end sessions. Other routes read the same table
 * through the auth plugin, which is faster (docs/decisions.md).
 */
export default fp<SessionOptions>(
  async (app, options) => {
    const attributes = cookieAttributes(options)
    // Runs before the hook of @fastify/session, which would send a third cookie if the id in the request
    // is not the new one.
    app.addHook('onSend', async function skipSentCookie({ cookies, session }) {
      // A request that ended before the cookies were read has neither.
      if (session) cookies[sessionCookie] = session.encryptedSessionId
    })
    await app.register(fastifySession, {
      secret: unsigned,
      cookieName: sessionCookie,
      cookie: attributes,
      saveUninitialized: false,
      rolling: false,
      store: sessionStore(app)
    })

    app.decorateReply(
      'signIn',
      async function signIn(this: FastifyReply, account: Account, via: SignInWay): Promise<string> {
        const { request } = this
        const oldId = request.session.sessionId
        const others = sentSessions(request).slice(1)
        await request.session.regenerate()
        const csrf_token = randomBytes(32).toString('hex')
        const now = app.now()
        const ends_at = now + options.SVC_SESSION_MAX_SECONDS * 1000
        await request.transaction(async ({ users, sessions, audit }) => {
          // Locks the user. A concurrent change of password then either ends this session too, or comes
          // first and makes this sign-in fail.
          if (!(await users.keepPassword(account))) fail('LOGIN-FAILED')
          await sessions.insert({
            id_hash: hashSecret(request.session.sessionId),
            user_id: account.id,
            csrf_token,
            expires_at: Math.min(now + options.SVC_SESSION_IDLE_SECONDS * 1000, ends_at),
            ends_at,
            now: new Date(now).toISOString(),
            now_ms: now,
            via,
            address: request.ip,
            user_agent: request.headers['user-agent']?.slice(0, maxUserAgent) ?? null
          })
          for (const id of others) await sessions.remove({ id_hash: hashSecret(id) })
          const who = { user_id: account.id, subject: account.user_id, via }
          await recordEvent({ audit }, request, 'login', who)
        })
        // Stores nothing (see sessionStore); @fastify/session sends a cookie only for a saved session.
        await request.session.save()
        // The old id comes first (contract SESSION-1); @fastify/session adds the new one after it.
        this.header('set-cookie', app.serializeCookie(sessionCookie, oldId, attributes))
        return csrf_token
      }
    )

    app.decorateReply('signOut', async function signOut(this: FastifyReply) {
      const { request } = this
      const ids = new Set([request.session.sessionId, ...sentSessions(request)])
      await request.transaction(async (repos) => {
        for (const id of ids) await repos.sessions.remove({ id_hash: hashSecret(id) })
        const subject = request.viewer.user.user_id
        await recordEvent(repos, request, 'logout', { subject })
      })
      await request.session.destroy()
      this.clearCookie(sessionCookie, attributes)
    })
  },
  {
    name: 'session',
    fastify: '5.x',
    dependencies: ['clock', 'cors', 'database', '@fastify/cookie']
  }
)

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Begins a new session with a new id, ends the old one, and returns the CSRF token. `via` is how the user
     * signed in. Fails with LOGIN-FAILED if the password has changed meanwhile.
     */
    signIn(account: Account, via: SignInWay): Promise<string>
    /** Ends the session and its cookie. */
    signOut(): Promise<void>
  }
}

/** What says which pages are the service's own. */
export type OwnPages = Pick<Config, 'SVC_BASE_URL'>

/**
 * Refuses a sign-in, or the issue of a token, that a foreign page sends. Such a page could post one,
 * because bodies are read whatever their Content-Type. A CSRF token cannot prevent it: there is no
 * session yet.
 */
export function refuseForeignPage({ SVC_BASE_URL }: OwnPages) {
  const base = URL.parse(SVC_BASE_URL)
  function isForeign({ headers, protocol, server }: FastifyRequest) {
    const { origin, 'sec-fetch-site': site } = headers
    if (site === 'same-origin') return false
    if (origin !== undefined && server.origins.isListed(origin)) return false
    if (site === 'cross-site') return true
    if (origin === undefined || origin === base?.origin) return false
    const page = URL.parse(origin)
    // Of a host that uses TLS, a page that came without it may be anybody's. A proxy may have removed the TLS.
    const isOpen = page?.protocol === 'http:' && (protocol === 'https' || page.host === base?.host)
    return isOpen || page?.host !== headers.host
  }
  return async function checkOrigin(request: FastifyRequest) {
    if (!isForeign(request)) return
    const { origin } = request.headers
    if (origin !== undefined) request.server.origins.noteRefusal(origin)
    fail('CSRF-TOKEN-INVALID')
  }
}
