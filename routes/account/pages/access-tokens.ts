import type { FastifyInstance } from 'fastify'
import {
  listAccessTokens,
  makeAccessToken,
  revokeAccessToken
} from '../../../plugins/identity/own-access-tokens.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import {
  AccessTokenKey,
  isAdminScope,
  NewAccessToken,
  scopes
} from '../../../schemas/access-token.ts'
import { scopeWords } from '../../../schemas/grant.ts'

/** Tokens of the user's programs. A new token is shown only once, in the answer to its form. */
export const accessTokens = (app: FastifyInstance): Page => ({
  url: '/account/tokens',
  title: 'Access tokens',
  view: 'routes/account/pages/tokens',
  forms: {
    maketoken: form(app, NewAccessToken, {
      once: true,
      run: async (fields, request) => ({ show: await makeAccessToken(request, fields) }),
      words: {
        name: 'Give it a name of at most 64 characters, in one line.',
        scopes: 'Choose at least one thing that it may do.'
      }
    }),
    revoketoken: form(app, AccessTokenKey, {
      done: 'The token was revoked.',
      async ask({ id }, request) {
        const token = (await listAccessTokens(request)).find((one) => one.id === id)
        return (
          token && {
            title: `Revoke “${token.name}”?`,
            text: 'Programs that use this token stop working at once.',
            button: 'Revoke'
          }
        )
      },
      async run({ id }, request) {
        await revokeAccessToken(request, id)
        return undefined
      }
    })
  },
  async load(request) {
    const { role } = request.viewer.user
    return {
      tokens: await listAccessTokens(request),
      scopes: scopes
        .filter((scope) => role === 'admin' || !isAdminScope(scope))
        .map((scope) => [scope, scopeWords(scope), scope])
    }
  }
})
