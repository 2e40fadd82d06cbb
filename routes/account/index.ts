import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { credentialsLimit } from '../../plugins/http/json-body.ts'
import { recordEvent } from '../../plugins/identity/audit.ts'
import { changeOwnPassword } from '../../plugins/identity/own-password.ts'
import { allowNoBody } from '../../plugins/identity/recent-sign-in.ts'
import {
  AccountRemoval,
  accountMinutes,
  addressHours,
  PasswordChange,
  PendingAddress,
  ProfileChange
} from '../../schemas/account.ts'
import { binary, done, ok, ref, success } from '../../schemas/common.ts'
import { User } from '../../schemas/user.ts'
import { exportAccount } from './export.ts'

const expiredCookie = {
  type: 'string',
  description: 'Empty and expired.',
  example: 'PHPSESSID=; Path=/; HttpOnly; SameSite=Lax'
}

/** What users can change in their own account, take along, and delete. Needs a session. */
const account: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('account', 'The account of the signed-in user.')
  exportAccount(app)

  app.put(
    '/account/password',
    {
      config: {
        allow: ['session'],
        bodyLimit: credentialsLimit,
        fails: ['LOGIN-FAILED', 'ACCOUNT-LOCKED']
      },
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Needs the current password; a wrong one counts as a failed sign-in. Each session gets a few guesses, even while the account is locked. Ends every other session, every JWT and every access token of the user; this session continues, with its CSRF token.',
        body: ref(PasswordChange),
        response: { 200: done }
      }
    },
    async (request) => {
      await changeOwnPassword(request, request.body)
      return ok({})
    }
  )

  app.patch(
    '/account/profile',
    {
      config: {
        allow: ['session'],
        bodyLimit: credentialsLimit,
        fails: ['LOGIN-FAILED', 'ACCOUNT-LOCKED', 'RATE-LIMIT-EXCEEDED']
      },
      schema: {
        operationId: 'changeProfile',
        summary: 'Change your name or address',
        description: `The name counts at once, an address once the link that is mailed to it was followed, within ${addressHours} hours; the old address is told both times. The answer is the same if the address is another user's. A session older than ${accountMinutes} minutes must send the password for an address. Your present address stops a change that waits. Sessions and tokens stay.`,
        body: ref(ProfileChange),
        response: { 200: success({ user: ref(User), pending_e_mail: PendingAddress }) }
      }
    },
    async (request) => ok(await app.profile.change(request, request.body))
  )

  app.get(
    '/account/export',
    {
      config: { allow: ['session'], fails: ['RATE-LIMIT-EXCEEDED'] },
      schema: {
        operationId: 'exportAccount',
        summary: 'Download all your data',
        description:
          'A zip, made while it is read: rows of every kind as JSON, files, activity, sessions and tokens without secrets. Its `README.txt` says what is what.',
        response: {
          200: {
            description: 'The zip.',
            headers: {
              'Content-Disposition': {
                ...{ type: 'string', description: 'The name of the file.' },
                example: 'attachment; filename="gatehouse-2026-11-21.zip"'
              }
            },
            ...binary
          }
        }
      }
    },
    async (request, reply) => {
      const { method, viewer } = request
      const name = `gatehouse-${app.timestamp().slice(0, 10)}.zip`
      reply.headers({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${name}"`
      })
      if (method === 'HEAD') return Readable.from([])
      const zip = await app.dataExport.open(request)
      await recordEvent(request.repos, request, 'data-exported', { subject: viewer.user.user_id })
      return zip
    }
  )

  app.post(
    '/account/remove',
    {
      config: {
        allow: ['session'],
        bodyLimit: credentialsLimit,
        fails: ['LOGIN-FAILED', 'ACCOUNT-LOCKED', 'CONFLICT']
      },
      preValidation: allowNoBody,
      schema: {
        operationId: 'removeAccount',
        summary: 'Delete your account',
        description: `For good, at once, with all that is yours; your reactions stay counted. Everything that is signed in ends, and a last mail says so. A session older than ${accountMinutes} minutes must send the password. \`CONFLICT\` if no administrator would be left.`,
        body: ref(AccountRemoval),
        response: { 200: success({}, { headers: { 'Set-Cookie': expiredCookie } }) }
      }
    },
    async (request, reply) => {
      await app.profile.remove(request, reply, request.body)
      return ok({})
    }
  )
}

export default account
