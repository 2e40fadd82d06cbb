import type { FastifyInstance } from 'fastify'
import {
  listAccessTokens,
  makeAccessToken,
  revokeAccessToken
} from '../../../plugins/identity/own-access-tokens.ts'
import {
  AccessTokenKey,
  accessTokenDays,
  isAdminScope,
  NewAccessToken,
  scopes
} from '../../../schemas/access-token.ts'
import { action, type Section } from './section.ts'

/** Tokens of the user's programs. A new token is shown only once, in the answer to its form. */
export const accessTokens = (app: FastifyInstance): Section => ({
  name: 'tokens',
  title: 'Access tokens',
  labels: { name: 'The name', scopes: 'The scopes', expires_in_days: 'The number of days' },
  actions: {
    maketoken: action(app, NewAccessToken, async (form, request) => ({
      show: await makeAccessToken(request, form)
    })),
    revoketoken: action(app, AccessTokenKey, async ({ id }, request) => {
      await revokeAccessToken(request, id)
    })
  },
  done: { revoketoken: 'The token was revoked.' },
  async load(request) {
    const { role } = request.viewer.user
    return {
      tokens: await listAccessTokens(request),
      scopes: scopes.filter((scope) => role === 'admin' || !isAdminScope(scope)),
      days: accessTokenDays
    }
  }
})
