import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { IdentityKey } from '../../../db/repositories/identities.ts'
import { type Config, issuerOf } from '../../../schemas/config.ts'
import { addressPattern } from '../../../schemas/user.ts'
import { fail } from '../../http/errors/index.ts'
import { hashSecret, sameSecret, sealer, urlSecretOf } from '../../runtime/secrets.ts'
import { begunCookies } from '../sign-in/begun.ts'
import { accounts } from './accounts.ts'
import { Away, ProviderProblem } from './problem.ts'
import type { Secrets } from './relying-party.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Sign-in at other services, and the accounts there that are linked. */
    providers: ReturnType<typeof providersOf>
  }
}

type Options = Pick<
  Config,
  'SVC_DATA_DIR' | 'SVC_OIDC_PROVIDERS' | 'SVC_SESSION_SECURE' | 'SVC_URL_SECRET'
>

/** Where providers send browsers back to. */
export const callbackUrl = '/login/callback'

/** Of an account that waits for a password. */
const cookie = 'provider'
/** How long people have at a provider: they may have to find their phone. */
const beginMs = 600_000
/** How long they have to enter their password. */
const confirmMs = 300_000

/** Kept in the cookie of a browser, encrypted: sign-ins that begin and never end cost nothing. */
interface Kept {
  expires_at: number
  /** The id of the provider. */
  provider: string
}

/** A sign-in that has begun. */
interface Begun extends Kept, Secrets {
  /** The query of the login page, which says where to go on. */
  query: string
  /** The session (its hash) whose user links an account; null for a sign-in. */
  session: string | null
}

/** An account at a provider that waits for the password of the user with the same address. */
interface Unlinked extends Kept {
  identity: IdentityKey
  user_id: string
  e_mail: string
}

const random = () => randomBytes(32).toString('base64url')

/** `error` of an answer: the person did not, or may not, go on (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
const refusals = [
  ...['access_denied', 'login_required', 'consent_required', 'interaction_required'],
  'account_selection_required'
]
/** `error` of other answers: we, or the provider, are not set up as we must be (RFC 6749 §4.1.2.1, §5.2). */
const otherErrors = [
  ...['invalid_request', 'invalid_client', 'invalid_grant', 'invalid_scope', 'server_error'],
  ...['unauthorized_client', 'unsupported_grant_type', 'unsupported_response_type'],
  'temporarily_unavailable'
]

/**
 * What the log gets of an error: fixed texts of the library, and codes. Nothing else that it holds: a provider could
 * have put our secret there.
 */
function reasonOf({ message, code, cause, error }: Record<string, unknown>) {
  const { name, message: exact } = Object(cause)
  return [
    message,
    otherErrors.includes(String(error)) ? error : code,
    name === 'OperationProcessingError' && exact
  ]
    .filter(Boolean)
    .join(', ')
}

/** The providers that are configured. Without one, nothing of this is loaded. */
async function configured(app: FastifyInstance, { SVC_OIDC_PROVIDERS }: Options) {
  if (SVC_OIDC_PROVIDERS.length === 0) return []
  const { relyingParty } = await import('./relying-party.ts')
  const { github } = await import('./github.ts')
  return SVC_OIDC_PROVIDERS.map((provider) => ({
    ...(provider.kind === 'github' ? github(provider) : relyingParty(provider, app)),
    id: provider.id,
    name: provider.name,
    issuer: issuerOf(provider),
    isTrusted: provider.email === 'trusted'
  }))
}
type Provider = Awaited<ReturnType<typeof configured>>[number]

function providersOf(app: FastifyInstance, options: Options, all: Provider[]) {
  const { seal, open } = sealer(urlSecretOf(options), 'provider sign-in')
  const attributes = {
    path: '/login',
    httpOnly: true,
    // The provider sends the browser back from another site.
    sameSite: 'lax' as const,
    secure: options.SVC_SESSION_SECURE
  }
  const find = (id: string) => all.find((provider) => provider.id === id)
  const nameOf = (issuer: string) => all.find((provider) => provider.issuer === issuer)?.name

  const begunIn = begunCookies('begun', attributes)

  /** What a browser keeps in a cookie; null if it is nothing of the kind, or has expired. */
  function kept<State extends Kept>(kind: 'begun' | 'unlinked', value: string | undefined) {
    const text = open(kind, value ?? '')
    const state: State | null = text === null ? null : JSON.parse(text)
    return state && state.expires_at > app.now() ? state : null
  }

  /** Talks to a provider. Fails with ProviderProblem; the log says more. */
  async function ask<T>(
    request: FastifyRequest,
    { id, name }: Pick<Provider, 'id' | 'name'>,
    talk: () => Promise<T>
  ) {
    try {
      return await talk()
    } catch (error) {
      const { cause, error: answer } = Object(error)
      const away = [error, cause].find((one) => one instanceof Away)
      const problem = refusals.includes(answer) ? 'refused' : away ? 'away' : 'faulty'
      const reason = away?.message ?? reasonOf(Object(error))
      request.log.warn({ provider: id, problem, reason }, 'a provider signed nobody in')
      throw new ProviderProblem(problem, name)
    }
  }

  return {
    ...accounts(app, nameOf),

    /** Those that are configured. */
    all: all.map(({ id, name }) => ({ id, name })),
    nameOf,

    /**
     * Begins a sign-in; with a session, it links an account with that user. Returns where to send the browser. Fails
     * with NOT-FOUND or ProviderProblem.
     */
    async begin(
      request: FastifyRequest,
      reply: FastifyReply,
      id: string,
      { query = '', session = null as string | null }
    ) {
      const provider = find(id) ?? fail('NOT-FOUND')
      const secrets = { state: random(), nonce: random(), verifier: random() }
      const { href } = await ask(request, provider, () =>
        provider.addressFor(app.baseUrl + callbackUrl, secrets)
      )
      const now = app.now()
      const begun: Begun = { ...secrets, provider: id, expires_at: now + beginMs, query, session }
      const sealed = seal('begun', JSON.stringify(begun))
      begunIn.add(request, reply, sealed, { now, maxAge: beginMs / 1000 })
      return { name: provider.name, href }
    },

    /** Takes the answer of a provider, once, in the browser that has begun. Fails with ProviderProblem. */
    async answer(request: FastifyRequest, reply: FastifyReply) {
      const { search } = new URL(request.originalUrl, app.baseUrl)
      const url = new URL(callbackUrl + search, app.baseUrl)
      const state = url.searchParams.get('state') ?? ''
      const tabs = begunIn
        .all(request)
        .map((cookie) => ({ cookie, begun: kept<Begun>('begun', request.cookies[cookie]) }))
      const one = tabs.find(({ begun }) => begun && sameSecret(state, begun.state))
      const begun = one?.begun
      const provider = begun && find(begun.provider)
      if (!provider) throw new ProviderProblem('not begun')
      const { id, name, issuer, isTrusted } = provider
      const { expires_at, query, session } = begun
      begunIn.remove(reply, one.cookie)
      const row = { state_hash: hashSecret(state), expires_at }
      if (!(await request.repos.answeredSignIns.insert(row))) {
        throw new ProviderProblem('not begun', name)
      }
      const { sub, profile } = await ask(request, provider, () => provider.personAt(url, begun))
      return {
        ...{ provider: { id, name }, identity: { issuer, sub }, query, session },
        /** The address, which the provider has verified, and the name. Fails with ProviderProblem. */
        async verified() {
          const { email, email_verified, name: person } = await ask(request, provider, profile)
          if (typeof email !== 'string' || !addressPattern.test(email)) {
            throw new ProviderProblem('no address', name)
          }
          // Some say it in words, some not at all.
          const isVerified = String(email_verified ?? isTrusted) === 'true'
          if (!isVerified) throw new ProviderProblem('unverified', name)
          return { e_mail: email, name: person }
        }
      }
    },

    /** Lets an account wait in this browser until the user enters a password. */
    wait(reply: FastifyReply, unlinked: Omit<Unlinked, 'expires_at'>) {
      const waiting: Unlinked = { ...unlinked, expires_at: app.now() + confirmMs }
      const sealed = seal('unlinked', JSON.stringify(waiting))
      reply.setCookie(cookie, sealed, { ...attributes, maxAge: confirmMs / 1000 })
    },

    /** What waits in this browser; null if nothing does. */
    waiting: (request: FastifyRequest) => kept<Unlinked>('unlinked', request.cookies[cookie]),

    forget: (reply: FastifyReply) => reply.clearCookie(cookie, attributes)
  }
}

/**
 * Sign-in at other services (contract PROVIDER-1), which are called providers here: our part of OpenID Connect, and
 * whom their accounts sign in.
 */
export default fp<Options>(
  async (app, options) => {
    app.sweep.add('answered sign-ins', (now) => app.db.repos.answeredSignIns.removeExpired({ now }))
    app.decorate('providers', providersOf(app, options, await configured(app, options)))
  },
  {
    name: 'providers',
    fastify: '5.x',
    dependencies: [
      ...['errors', 'base-url', 'clock', 'database', 'sweep', 'auth', '@fastify/cookie']
    ]
  }
)
