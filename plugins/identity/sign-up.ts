import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../schemas/config.ts'
import { addressKey } from '../../schemas/names.ts'
import { type SignUp, signUpHours } from '../../schemas/sign-up.ts'
import { conflict, fail } from '../http/errors/index.ts'
import { hashSecret } from '../runtime/secrets.ts'
import { recordEvent } from './audit.ts'
import { countMail } from './mail-limit.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Accounts that people make for themselves; whether that is open. */
    signUps: ReturnType<typeof signUpsOf>
  }
}

const hourMs = 3_600_000

type Options = Pick<Config, 'SVC_SIGN_UP'>

function signUpsOf(app: FastifyInstance, { SVC_SIGN_UP }: Options) {
  const key = (token: string) => ({ token_hash: hashSecret(token), now: app.now() })

  async function mailTo(wanted: SignUp, query: string, signal: AbortSignal) {
    const { e_mail: to } = wanted
    const user = await app.repos.users.findByMail(wanted.e_mail)
    if (user) {
      const text = knownText(app.baseUrl, user.user_id)
      return app.mail.deliver({ to: user.e_mail, subject: 'You have an account', text }, signal)
    }
    const token = randomBytes(32).toString('hex')
    const expires_at = app.now() + signUpHours * hourMs
    await app.db.repos.signUps.insert({ ...wanted, token_hash: hashSecret(token), expires_at })
    const text = newText(`${app.baseUrl}/signup/confirm/token_${token}${query}`)
    return app.mail.deliver({ to, subject: 'Confirm your email address', text }, signal)
  }

  return {
    isOpen: SVC_SIGN_UP === 'open',

    /**
     * Mails a link to confirm the address or, if it is a user's, that there is an account. All of it comes after the
     * answer, whose time would else say which. `query` is what the visitor wanted before. RATE-LIMIT-EXCEEDED,
     * SERVICE-OVERLOADED
     */
    async begin({ user_id, user_name, e_mail }: SignUp, query: string) {
      await countMail(app, `sign-up:${hashSecret(addressKey(e_mail))}`)
      const wanted = { user_id, user_name, e_mail }
      if (!app.background.add('sign-up', (signal) => mailTo(wanted, query, signal))) {
        fail('SERVICE-OVERLOADED')
      }
    },

    /** What the owner of this link has asked for. NOT-FOUND if it was used, or has expired. */
    find: async (token: string) => (await app.repos.signUps.find(key(token))) ?? fail('NOT-FOUND'),

    /**
     * Uses the link up and adds the user. NOT-FOUND as with `find`; CONFLICT, with `taken` in `Data`, if login name or
     * address are another user's by now: then the link stays good.
     */
    end: (
      request: FastifyRequest,
      token: string,
      { user_id, password_hash }: { user_id: string; password_hash: string }
    ) =>
      request.transaction(async (repos) => {
        const wanted = (await repos.signUps.use(key(token))) ?? fail('NOT-FOUND')
        const at = { now: app.timestamp(), now_ms: app.now() }
        const isAdded = await repos.users.insert({
          ...wanted,
          ...{ user_id, role: 'user', password_hash },
          ...at
        })
        const account = await repos.users.findNamed(user_id)
        if (!isAdded || !account) {
          return conflict('taken', { data: { taken: account ? 'user_id' : 'e_mail' } })
        }
        const who = { user_id: account.id, subject: user_id, via: 'mail' } as const
        await recordEvent(repos, request, 'user-add', who)
        return account
      })
  }
}

/** Accounts that people make for themselves (contract SIGNUP-1). */
export default fp<Options>(
  async (app, options) => {
    app.sweep.add('sign-ups', (now) => app.db.repos.signUps.removeExpired({ now }))
    app.decorate('signUps', signUpsOf(app, options))
  },
  {
    name: 'sign-up',
    fastify: '5.x',
    dependencies: ['base-url', 'clock', 'peers', 'database', 'sweep', 'mail', 'background']
  }
)

// Nothing that a stranger has typed is in these mails: they could say anything to anybody.

const newText = (link: string) => `Make your account here, within ${signUpHours} hours:

${link}

Someone, probably you, has asked for an account with this email address. If it was not you, ignore this email: there is no account.`

const knownText = (
  baseUrl: string,
  user_id: string
) => `Sign in here: you have an account already, with the user ID ${user_id}.

${baseUrl}/login/index

If you have forgotten your password, ask for a new one:

${baseUrl}/password-reset

Someone, probably you, has asked for an account with this email address. If it was not you, ignore this email: nothing has changed.`
