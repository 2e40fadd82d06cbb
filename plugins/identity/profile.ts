import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { changeAddress } from '../../db/actions/change-account.ts'
import {
  type AccountRemoval,
  accountMinutes,
  addressHours,
  type ProfileChange
} from '../../schemas/account.ts'
import type { Config } from '../../schemas/config.ts'
import { addressKey, readableAddress } from '../../schemas/names.ts'
import type { User } from '../../schemas/user.ts'
import { conflict, fail } from '../http/errors/index.ts'
import { hashSecret } from '../runtime/secrets.ts'
import { recordEvent } from './audit.ts'
import { userOf } from './identity.ts'
import { countMail } from './mail-limit.ts'
import { confirmUser } from './recent-sign-in.ts'
import { cookieAttributes, ownSession, sessionCookie } from './session.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What users change in who they are. */
    profile: ReturnType<typeof profileOf>
  }
}

type Options = Pick<Config, 'SVC_SESSION_SECURE'>

const hourMs = 3_600_000

function profileOf(app: FastifyInstance, options: Options) {
  const key = (token: string) => ({ token_hash: hashSecret(token), now: app.now() })

  /** The user of the session, unless another has ended it since the request began: SESSION-CLOSED. */
  const checkSession = async (request: FastifyRequest, { sessions }: typeof app.db.repos) =>
    (await sessions.find({ id_hash: ownSession(request), now: app.now() })) ??
    fail('SESSION-CLOSED')

  /** Mails after the answer. False if too many jobs are waiting. */
  const mail = (find: () => Promise<Parameters<typeof app.mail.send>[0]>) =>
    app.background.add('address', async (signal) => app.mail.deliver(await find(), signal))

  /** Looks only after the answer, whose time would else say whether the address is somebody's. */
  const mailNew = (user: User, e_mail: string, token: string) =>
    mail(async () => {
      const owner = await app.repos.users.findByMail(e_mail)
      if (owner && owner.id !== user.id) {
        const text = takenText(owner.user_id)
        return { to: owner.e_mail, subject: 'Your email address stays yours', text }
      }
      const text = linkText(`${app.baseUrl}/account/address/token_${token}`)
      return { to: e_mail, subject: 'Confirm your email address', text }
    })

  const mailOld = ({ e_mail: to }: User, subject: string, text: string) =>
    mail(async () => ({ to, subject, text }))

  async function pending({ id }: User, { addressChanges } = app.repos) {
    return (await addressChanges.ofUser({ user_id: id, now: app.now() }))?.e_mail ?? null
  }

  return {
    /** The address that a user waits for; null if none. */
    pending: (user: User) => pending(user),

    /**
     * Changes the name of the caller at once, and the address once the link that is mailed to it was followed. Whether that
     * is another user's, nothing tells. VALIDATION-FAILED, LOGIN-FAILED or ACCOUNT-LOCKED without the password;
     * RATE-LIMIT-EXCEEDED, SERVICE-OVERLOADED
     */
    async change(request: FastifyRequest, { user_name, e_mail: given, user_pass }: ProfileChange) {
      const { viewer } = request
      const e_mail = given === undefined ? undefined : readableAddress(given)
      // The present address again only stops a change.
      const isNew = e_mail !== undefined && e_mail !== viewer.user.e_mail
      if (isNew || user_pass) await confirmUser(request, user_pass, accountMinutes)
      if (isNew) {
        await countMail(app, `address-change:user ${viewer.user.id}`)
        await countMail(app, `address-change:${hashSecret(addressKey(e_mail))}`)
      }
      const token = randomBytes(32).toString('hex')
      const changed = await request.transaction(async (repos) => {
        await repos.users.hold(viewer.user)
        const { id, user_id: subject, user_name: before } = await checkSession(request, repos)
        if (user_name !== undefined && user_name !== before) {
          await repos.users.rename({ id, user_name, now: app.timestamp() })
          await recordEvent(repos, request, 'name-change', { subject, detail: user_name })
        }
        if (isNew) {
          const expires_at = app.now() + addressHours * hourMs
          const row = { user_id: id, token_hash: hashSecret(token), e_mail, expires_at }
          await repos.addressChanges.put(row)
          await recordEvent(repos, request, 'address-asked', { subject, detail: e_mail })
        } else if (e_mail !== undefined) {
          await repos.addressChanges.removeOfUser({ user_id: id })
        }
        const user = (await repos.users.findById({ id })) ?? fail('SESSION-CLOSED')
        return { user: userOf(user), pending_e_mail: await pending(user, repos) }
      })
      if (isNew) {
        const { user } = changed
        mailOld(user, 'A new email address', askedText(user.user_id, app.baseUrl))
        if (!mailNew(user, e_mail, token)) fail('SERVICE-OVERLOADED')
      }
      return changed
    },

    /** The address of this link. NOT-FOUND if it was used or replaced, or has expired. */
    find: async (token: string) =>
      (await app.repos.addressChanges.find(key(token))) ?? fail('NOT-FOUND'),

    /**
     * Uses the link up: its address counts from now on, and the one before is told. NOT-FOUND as with `find`; CONFLICT if
     * it is another user's by now.
     */
    async follow(request: FastifyRequest, token: string) {
      const { user, e_mail } = await request.transaction(async (repos) => {
        const { user_id: id, e_mail } =
          (await repos.addressChanges.use(key(token))) ?? fail('NOT-FOUND')
        const user = (await repos.users.findById({ id })) ?? fail('NOT-FOUND')
        if (!(await changeAddress(repos, { id, e_mail, at: new Date(app.now()) }))) {
          return conflict('taken', { data: { taken: 'e_mail' } })
        }
        const who = { user_id: id, subject: user.user_id, via: 'mail' } as const
        await recordEvent(repos, request, 'address-change', { ...who, detail: e_mail })
        return { user, e_mail }
      })
      const text = changedText(user.user_id, app.baseUrl)
      mailOld(user, 'Your email address has changed', text)
      return { e_mail }
    },

    /**
     * Removes the account of the caller for good. Failures as with `change`; SESSION-CLOSED if it was removed meanwhile;
     * CONFLICT if no administrator would be left.
     */
    async remove(request: FastifyRequest, reply: FastifyReply, { user_pass }: AccountRemoval) {
      await confirmUser(request, user_pass, accountMinutes)
      await app.removal.remove(request, request.viewer.user.id, {
        text: removedText,
        ifGone: 'SESSION-CLOSED',
        async check(repos) {
          await checkSession(request, repos)
        }
      })
      reply.clearCookie(sessionCookie, cookieAttributes(options))
    }
  }
}

/** What users change in who they are, and how they leave (contract ACCOUNT-1, ACCOUNT-2, ACCOUNT-4). */
export default fp<Options>(
  async (app, options) => {
    app.sweep.add('changes of addresses', (now) =>
      app.db.repos.addressChanges.removeExpired({ now })
    )
    app.decorate('profile', profileOf(app, options))
  },
  {
    name: 'profile',
    fastify: '5.x',
    dependencies: [
      ...['base-url', 'clock', 'peers', 'database', 'sweep', 'mail', 'background'],
      ...['@fastify/cookie', 'passwords', 'removal']
    ]
  }
)

// As in the mails of a sign-up, nothing that somebody has typed is in these: it could say anything to anybody.

const linkText = (
  link: string
) => `Open this link within ${addressHours} hours to make this the email address of your account:

${link}

If you did not ask for it, ignore this email: nothing has changed.`

const takenText = (user_id: string) =>
  `There is nothing to do: somebody who has another account has asked for this email address, and did not get it. It stays that of your account, whose user ID is ${user_id}.`

const askedText = (
  user_id: string,
  baseUrl: string
) => `If you have not asked for a new email address, set a new password now, which also stops this:

${baseUrl}/password-reset

Somebody who is signed in to your account (user ID ${user_id}) has asked to replace this email address. It changes when the link in an email to the new one is opened, within ${addressHours} hours.

If it was you, there is nothing to do here.`

const changedText = (
  user_id: string,
  baseUrl: string
) => `If you did not change your email address, tell an administrator of ${baseUrl} at once.

Your account (user ID ${user_id}) has another email address now, as it was asked for before. Nothing will be sent to this one any more.`

const removedText = (
  { user_id }: { user_id: string },
  baseUrl: string
) => `If it was not you who deleted your account, tell an administrator of ${baseUrl} at once.

Your account (user ID ${user_id}) is gone with everything in it, and cannot be restored. This is the last email to you.`
