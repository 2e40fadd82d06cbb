import { hash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { ReadRepositories } from '../../../db/repositories/index.ts'
import type { Config } from '../../../schemas/config.ts'
import { isLoopback } from '../../../schemas/host.ts'
import {
  type CreationOptions,
  challengeMs,
  maxPasskeys,
  type NewPasskey,
  type PasskeyBegin,
  type PasskeySignIn,
  type RequestOptions
} from '../../../schemas/passkey.ts'
import { conflict, fail, invalid } from '../../http/errors/index.ts'
import { hashSecret, sealer, urlSecretOf } from '../../runtime/secrets.ts'
import { recordEvent } from '../audit.ts'
import type { Account } from '../passwords/index.ts'
import { confirmUser } from '../recent-sign-in.ts'
import { ownSession } from '../session.ts'
import { requireWayIn } from '../ways-in.ts'
import { challenges } from './challenges.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes, lists, removes and checks passkeys. */
    passkeys: ReturnType<typeof passkeysOf>
  }
}

type Options = Pick<Config, 'SVC_DATA_DIR' | 'SVC_URL_SECRET' | 'SVC_SESSION_SECURE'>

/** How much is logged of what the library says: some of it comes from the caller. */
const maxReason = 200

/** The browser that a sign-in begins in. */
const cookie = 'passkey'

const type = 'public-key'

/** EdDSA, ES256 and RS256: every supported version of Node.js can check them. */
const algorithms = [-8, -7, -257]

/** The library takes a tenth of a second and 30 MB: it is loaded when the first answer of an authenticator comes. */
async function load() {
  const library = await import('@simplewebauthn/server')
  // Who made an authenticator counts for nothing here. Without roots no chain of certificates is followed, for which
  // the library would fetch lists from other hosts.
  for (const identifier of ['android-key', 'android-safetynet', 'apple'] as const) {
    library.SettingsService.setRootCertificates({ identifier, certificates: [] })
  }
  return library
}

/**
 * Who asks for passkeys: the host of the base URL, and the only origin that answers may come from. Browsers take no IP
 * address, so that on a development machine it is `localhost`.
 */
function relyingParty(baseUrl: string) {
  const url = new URL(baseUrl)
  if (isLoopback(url.hostname) && !url.hostname.endsWith('localhost')) url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin }
}

/** Who a challenge is for, and for what: the one of a new passkey signs nobody in. */
const maker = (request: FastifyRequest) => `session ${ownSession(request)}`
const visitor = (cookie: string) => `browser ${cookie}`

/** How authenticators know a user: the same for all passkeys of the user, and without a meaning. */
const handleOf = (id: number) => hash('sha256', `gatehouse user ${id}`, 'base64url')

type Row = Omit<Awaited<ReturnType<ReadRepositories['passkeys']['list']>>[number], 'credential_id'>

const shown = ({ id, name, created_at, last_used_at }: Row) => ({
  ...{ id, name, created_at },
  last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString()
})

function passkeysOf(app: FastifyInstance, options: Options) {
  const { key } = sealer(urlSecretOf(options), 'passkey challenge')
  const { make, expiryOf } = challenges(key)
  const attributes = {
    path: '/session',
    httpOnly: true,
    sameSite: 'strict' as const,
    secure: options.SVC_SESSION_SECURE
  }

  /**
   * Checks an answer with the library, which throws what is wrong with it. Returns what it says of the answer, with the
   * challenge; null if the answer is not right.
   */
  async function judge<Verdict extends { verified: boolean }>(
    request: FastifyRequest,
    holder: string,
    verify: (expected: {
      expectedChallenge: (challenge: string) => boolean
      expectedOrigin: string
      expectedRPID: string
      requireUserVerification: true
    }) => Promise<Verdict>
  ) {
    const { id, origin } = relyingParty(app.baseUrl)
    let used = { challenge_hash: '', expires_at: 0 }
    try {
      const verdict = await verify({
        expectedChallenge(challenge) {
          const expires_at = expiryOf(challenge, holder, app.now())
          if (expires_at === null) return false
          used = { challenge_hash: hashSecret(challenge), expires_at }
          return true
        },
        expectedOrigin: origin,
        expectedRPID: id,
        requireUserVerification: true
      })
      return verdict.verified ? { verdict, used } : null
    } catch (error) {
      // Mostly a wrong SVC_BASE_URL: the operator has to know.
      const reason = (error as Error).message.slice(0, maxReason)
      request.log.info({ reason }, 'a passkey was refused')
      return null
    }
  }

  return {
    /** The origin at which browsers can use passkeys. */
    origin: () => relyingParty(app.baseUrl).origin,

    /** Whether any user has one. */
    isUsed: async () => (await app.repos.passkeys.any({})) !== undefined,

    /** Those of the caller, newest first. */
    async list({ viewer: { user } }: FastifyRequest) {
      return (await app.repos.passkeys.list({ user_id: user.id })).map(shown)
    },

    /** What a browser needs to make one. */
    async begin(request: FastifyRequest, { user_pass }: PasskeyBegin): Promise<CreationOptions> {
      await confirmUser(request, user_pass)
      const { id: user_id, user_id: name, user_name: displayName } = request.viewer.user
      const own = await app.repos.passkeys.list({ user_id })
      if (own.length >= maxPasskeys) conflict('quota')
      return {
        challenge: make(maker(request), app.now()),
        rp: { id: relyingParty(app.baseUrl).id, name: 'Gatehouse' },
        user: { id: handleOf(user_id), name, displayName },
        pubKeyCredParams: algorithms.map((alg) => ({ alg, type })),
        timeout: challengeMs,
        attestation: 'none',
        excludeCredentials: own.map(({ credential_id: id }) => ({ id, type })),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required'
        }
      }
    },

    /**
     * Keeps one that a browser has made. VALIDATION-FAILED if it does not answer a challenge of this session; CONFLICT if
     * the user has as many as there may be, or the credential is a passkey already.
     */
    async add(request: FastifyRequest, { name, credential }: NewPasskey) {
      const { verifyRegistrationResponse } = await load()
      const response = { ...credential, clientExtensionResults: {} }
      const judged = await judge(request, maker(request), (expected) =>
        verifyRegistrationResponse({
          ...expected,
          response,
          supportedAlgorithmIDs: algorithms
        })
      )
      if (!judged?.verdict.registrationInfo) {
        const message =
          'must answer a challenge that this session got within the last five minutes, at the address of the service, with the user verified'
        throw invalid({ in: 'body', field: 'credential', message })
      }
      const { used, verdict } = judged
      const { id, publicKey, counter } = verdict.registrationInfo.credential
      const { user } = request.viewer
      const row = await request.transaction(async (repos) => {
        // Locks the user: two at once would see the same count.
        await repos.users.hold(user)
        const session = { id_hash: ownSession(request), now: app.now() }
        if (!(await repos.sessions.find(session))) fail('SESSION-CLOSED')
        if (!(await repos.usedPasskeyChallenges.insert(used))) {
          throw invalid({ in: 'body', field: 'credential', message: 'was sent before' })
        }
        if ((await repos.passkeys.count({ user_id: user.id })) >= maxPasskeys) conflict('quota')
        const inserted = await repos.passkeys.insert({
          ...{ user_id: user.id, name, credential_id: id, counter, now: app.timestamp() },
          public_key: Buffer.from(publicKey).toString('base64url')
        })
        if (!inserted) conflict('taken', { data: { taken: 'credential' } })
        await recordEvent(repos, request, 'passkey-created', {
          subject: user.user_id,
          detail: name
        })
        return inserted
      })
      return shown(row)
    },

    /** Removes one of the caller, or fails with PASSKEY-NOT-FOUND; with CONFLICT if it is the last way in. */
    remove(request: FastifyRequest, id: number) {
      const { user } = request.viewer
      const { id: user_id, user_id: subject } = user
      return request.transaction(async (repos) => {
        await repos.users.hold(user)
        const removed = await repos.passkeys.removeOwn({ id, user_id })
        const { name: detail } = removed ?? fail('PASSKEY-NOT-FOUND')
        await requireWayIn(app, repos, user)
        await recordEvent(repos, request, 'passkey-removed', { subject, detail })
      })
    },

    /** What a browser needs to sign in with one, and a cookie that binds the challenge to the browser. */
    beginSignIn(request: FastifyRequest, reply: FastifyReply): RequestOptions {
      // Kept if there is one: the challenge of another tab stays good.
      const holder = request.cookies[cookie] || randomBytes(32).toString('base64url')
      reply.setCookie(cookie, holder, { ...attributes, maxAge: challengeMs / 1000 })
      return {
        challenge: make(visitor(holder), app.now()),
        rpId: relyingParty(app.baseUrl).id,
        timeout: challengeMs,
        userVerification: 'required'
      }
    },

    /**
     * Checks the answer of a sign-in, and marks it as used. Returns the account, or fails with LOGIN-FAILED or
     * ACCOUNT-LOCKED. A counter that goes backwards may be that of a copy: it is refused and recorded.
     */
    async verify(request: FastifyRequest, { credential }: PasskeySignIn): Promise<Account> {
      const passkey = await app.repos.passkeys.find({ credential_id: credential.id })
      const account = passkey && (await app.repos.users.find(passkey))
      const who = { user_id: account?.id, subject: account?.user_id, via: 'passkey' } as const
      const holder = request.cookies[cookie]
      const isOwn = account && credential.response.userHandle === handleOf(account.id)
      const judged =
        isOwn && holder
          ? await judge(request, visitor(holder), async (expected) =>
              (await load()).verifyAuthenticationResponse({
                ...expected,
                response: { ...credential, clientExtensionResults: {} },
                credential: {
                  id: credential.id,
                  publicKey: Buffer.from(passkey.public_key, 'base64url'),
                  // Compared below, after the signature, and at once with those of other requests.
                  counter: 0
                }
              })
            )
          : null
      const isRight = await request.transaction(async (repos) => {
        if (passkey && judged && (await repos.usedPasskeyChallenges.insert(judged.used))) {
          const { newCounter: counter } = judged.verdict.authenticationInfo
          if (await repos.passkeys.use({ id: passkey.id, counter, now: app.now() })) return true
          const kept = await repos.passkeys.find({ credential_id: credential.id })
          const detail = `${passkey.name}: ${counter} after ${kept?.counter}`
          if (kept) await recordEvent(repos, request, 'passkey-counter', { ...who, detail })
        }
        await recordEvent(repos, request, 'login-failed', { ...who, detail: 'passkey' })
        return false
      })
      if (!account || !isRight) return fail('LOGIN-FAILED')
      await app.checkLock(request, account)
      return account
    }
  }
}

/** Passkeys: discoverable WebAuthn credentials, which count as both factors (contract PASSKEY-1). */
export default fp<Options>(
  async (app, options) => {
    // Kept for longer than they are good: the clock of another process may be behind.
    app.sweep.add('used passkey challenges', (now) =>
      app.db.repos.usedPasskeyChallenges.removeExpired({ now: now - challengeMs })
    )
    app.decorate('passkeys', passkeysOf(app, options))
  },
  {
    name: 'passkeys',
    fastify: '5.x',
    dependencies: [
      ...['errors', 'base-url', 'clock', 'database', 'sweep', 'passwords', '@fastify/cookie'],
      'providers'
    ]
  }
)
