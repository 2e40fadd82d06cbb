import type { FastifyInstance } from 'fastify'
import { changeOwnPassword } from '../../../plugins/identity/own-password.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { PasswordChange } from '../../../schemas/account.ts'

/** Who the user is, and the form of `PUT /account/password`. */
export const profile = (app: FastifyInstance): Page => ({
  url: '/account/profile',
  title: 'Profile',
  view: 'routes/account/pages/profile',
  forms: {
    password: form(app, PasswordChange, {
      done: 'The password was changed, and everything else was signed out.',
      async run(fields, request) {
        await changeOwnPassword(request, fields)
        return undefined
      },
      at: { 'LOGIN-FAILED': 'user_pass' },
      words: { 'LOGIN-FAILED': 'This is not your current password.' }
    })
  },
  async load({ viewer: { user } }) {
    const account = await app.repos.users.find(user)
    return { hasPassword: !!account?.password_hash }
  }
})
