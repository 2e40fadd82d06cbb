import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { invalid } from '../../../plugins/http/errors/index.ts'
import {
  listAccessTokens,
  makeAccessToken,
  revokeAccessToken
} from '../../../plugins/identity/own-access-tokens.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { checkAsks } from '../../../plugins/patterns/plans/asking.ts'
import {
  AccessTokenKey,
  accessTokenDays,
  accessTokenMinutes,
  isAdminScope,
  maxChanges,
  NewAccessToken,
  scopes
} from '../../../schemas/access-token.ts'
import { oneOf } from '../../../schemas/common.ts'
import { scopeWords } from '../../../schemas/grant.ts'

/** The bounds of the time for which a token is valid. */
const times = { days: accessTokenDays, minutes: accessTokenMinutes }
const range = (unit: keyof typeof times) =>
  `${times[unit].min.toLocaleString('en')} to ${times[unit].max.toLocaleString('en')} ${unit}`

const { name, scopes: wantedScopes } = NewAccessToken.properties
const TokenForm = Type.Object({
  name,
  scopes: wantedScopes,
  asks: Type.Optional(Type.Boolean()),
  // Nothing means that there is no limit.
  changes_max: Type.Optional(Type.String({ pattern: '^\\d{0,7}$' })),
  expires_in: Type.Optional(Type.Integer({ minimum: 1, default: accessTokenDays.default })),
  unit: Type.Optional(oneOf(['days', 'minutes'], { default: 'days' }))
})

const wrong = (field: string) => invalid({ in: 'body', field, message: 'is out of range' })

/** What a form asks for, as an operation takes it. */
function wantedOf({
  changes_max: changes = '',
  expires_in: time = accessTokenDays.default,
  unit = 'days',
  ...token
}: Static<typeof TokenForm>): NewAccessToken {
  if (time < times[unit].min || time > times[unit].max) throw wrong('expires_in')
  const changes_max = changes === '' ? null : Number(changes)
  if (changes_max !== null && (changes_max < 1 || changes_max > maxChanges)) {
    throw wrong('changes_max')
  }
  return { ...token, changes_max, [`expires_in_${unit}` as const]: time }
}

type Listed = Awaited<ReturnType<typeof listAccessTokens>>

/** Each token followed by those that were derived from it, with how many stand above it in the list. */
function asTree(
  tokens: Listed,
  parent: number | null = null,
  level = 0
): (Listed[number] & { level: number })[] {
  const isListed = (id: number | null) => tokens.some((token) => token.id === id)
  return tokens
    .filter(({ parent_id }) => (isListed(parent_id) ? parent_id : null) === parent)
    .flatMap((token) => [{ ...token, level }, ...asTree(tokens, token.id, level + 1)])
}

/** Tokens of the user's programs. A new token is shown only once, in the answer to its form. */
export const accessTokens = (app: FastifyInstance): Page => ({
  url: '/account/tokens',
  title: 'Access tokens',
  view: 'routes/account/pages/tokens',
  forms: {
    maketoken: form(app, TokenForm, {
      once: true,
      async run(fields, request) {
        checkAsks(request, fields.asks)
        return { show: await makeAccessToken(request, wantedOf(fields)) }
      },
      words: {
        name: 'Give it a name of at most 64 characters, in one line.',
        scopes: 'Choose at least one thing that it may do.',
        // Not at the start: the first number that is written for people costs 8 ms.
        get changes_max() {
          return `Enter a whole number from 1 to ${maxChanges.toLocaleString('en')}, or nothing.`
        },
        get expires_in() {
          return `Enter ${range('days')}, or ${range('minutes')}.`
        }
      }
    }),
    revoketoken: form(app, AccessTokenKey, {
      done: 'The token was revoked.',
      async ask({ id }, request) {
        const token = (await listAccessTokens(request)).find((one) => one.id === id)
        return (
          token && {
            title: `Revoke “${token.name}”?`,
            text: 'Programs that use this token, or one derived from it, stop working at once.',
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
      tokens: asTree(await listAccessTokens(request)),
      canAsk: app.activity.isOn,
      scopes: scopes
        .filter((scope) => role === 'admin' || !isAdminScope(scope))
        .map((scope) => [scope, scopeWords(scope), scope])
    }
  }
})
