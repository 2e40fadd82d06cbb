import { Type } from '@sinclair/typebox'

export const AccessToken = {
  access_token: Type.String({ description: 'A JWT, signed with HS256.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.', examples: [3600] })
}

export const TokenClaims = Type.Object(
  {
    sub: Type.String({ description: "The user's `id`." }),
    role: Type.Optional(Type.String()),
    iat: Type.Optional(Type.Number()),
    exp: Type.Number(),
    nbf: Type.Optional(Type.Number())
  },
  {
    $id: 'TokenClaims',
    examples: [{ sub: '2', role: 'user', iat: 1795253400, exp: 1795257000 }]
  }
)
