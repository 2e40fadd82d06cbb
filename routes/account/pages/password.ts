import type { FastifyInstance } from 'fastify'
import { changeOwnPassword } from '../../../plugins/identity/own-password.ts'
import { PasswordChange } from '../../../schemas/account.ts'
import { action, type Section } from './section.ts'

/** The password of the account: the form of `PUT /account/password`. */
export const password = (app: FastifyInstance): Section => ({
  name: 'password',
  title: 'Password',
  labels: { user_pass: 'The current password', new_pass: 'The new password' },
  actions: {
    password: action(app, PasswordChange, async (form, request) => {
      await changeOwnPassword(request, form)
    })
  },
  done: { password: 'The password was changed, and everything else was signed out.' },
  load: async () => ({})
})
