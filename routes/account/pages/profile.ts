import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { invalid } from '../../../plugins/http/errors/index.ts'
import { changeOwnPassword } from '../../../plugins/identity/own-password.ts'
import { isRecent } from '../../../plugins/identity/recent-sign-in.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import {
  AccountRemoval,
  accountMinutes,
  addressHours,
  PasswordChange,
  ProfileChange
} from '../../../schemas/account.ts'
import { kinds, pluralOf } from '../../../schemas/kinds.ts'
import { removedUrl } from './address.ts'

const { user_name, e_mail, user_pass } = ProfileChange.properties
const NameForm = Type.Required(Type.Object({ user_name }))
const AddressForm = Type.Object({ ...Type.Required(Type.Object({ e_mail })).properties, user_pass })

const words = {
  user_name: 'Enter a name of at most 255 characters, in one line.',
  e_mail: 'Enter another email address than the present one, such as anna@example.com.',
  'LOGIN-FAILED': 'This is not your password.'
}

/** `a, b and c`. Not made at the start: it costs some milliseconds. */
const listed = (words: string[]) => new Intl.ListFormat('en-GB').format(words)

/** Who the user is: the forms of `PATCH /account/profile`, `PUT /account/password` and `POST /account/remove`. */
export const profile = (app: FastifyInstance): Page => ({
  url: '/account/profile',
  title: 'Profile',
  view: 'routes/account/pages/profile',
  forms: {
    name: form(app, NameForm, {
      done: 'Your name was changed.',
      async run(fields, request) {
        await app.profile.change(request, fields)
        return undefined
      },
      words
    }),
    address: form(app, AddressForm, {
      done: `An email is on its way to the new address. Open its link within ${addressHours} hours.`,
      async run(fields, request) {
        if (fields.e_mail === request.viewer.user.e_mail) {
          throw invalid({ in: 'body', field: 'e_mail', message: 'must be another one' })
        }
        await app.profile.change(request, fields)
        return undefined
      },
      at: { 'LOGIN-FAILED': 'user_pass', 'RATE-LIMIT-EXCEEDED': 'e_mail' },
      words: {
        ...words,
        'RATE-LIMIT-EXCEEDED': 'Enough emails were sent for now. Try again in an hour.'
      }
    }),
    keepaddress: form(app, Type.Object({}), {
      done: 'Your address stays as it is.',
      async run(_fields, request) {
        await app.profile.change(request, { e_mail: request.viewer.user.e_mail })
        return undefined
      }
    }),
    password: form(app, PasswordChange, {
      done: 'The password was changed, and everything else was signed out.',
      async run(fields, request) {
        await changeOwnPassword(request, fields)
        return undefined
      },
      at: { 'LOGIN-FAILED': 'user_pass' },
      words: { 'LOGIN-FAILED': 'This is not your current password.' }
    }),
    remove: form(app, AccountRemoval, {
      ask: async (_fields, request) => ({
        title: 'Delete your account?',
        text: `Your ${listed(kinds.map(pluralOf))} will be gone at once, and so will your tokens, webhooks and everything else that is yours. This cannot be undone, not even by an administrator.`,
        button: 'Delete my account',
        asksPassword: !(await isRecent(request, accountMinutes))
      }),
      async run(fields, request, reply) {
        await app.profile.remove(request, reply, fields)
        return { to: removedUrl }
      },
      words: {
        ...words,
        CONFLICT: 'You are the last administrator: make somebody else one first.'
      }
    })
  },
  async load(request) {
    const { user } = request.viewer
    const account = await app.repos.users.find(user)
    return {
      hasPassword: !!account?.password_hash,
      pending: await app.profile.pending(user),
      asksPassword: !(await isRecent(request, accountMinutes))
    }
  }
})
