import { Type } from '@sinclair/typebox'

export const IssuedJwt = {
  access_token: Type.String({
    description: 'A JWT, signed with HS256. Send it as `Authorization: Bearer`.',
    examples: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyIn0.c2lnbmF0dXJl']
  }),
  token_type: Type.Literal('Bearer', { description: 'How it is sent.' }),
  expires_in: Type.Integer({ description: 'How many seconds it is valid.', examples: [3600] })
}

export const TokenClaims = Type.Object(
  {
    sub: Type.String({ description: "The user's `id`." }),
    role: Type.Optional(Type.String({ description: 'Role of the user: `user` or `admin`.' })),
    iat: Type.Optional(Type.Number({ description: 'When it was issued, in seconds.' })),
    exp: Type.Number({ description: 'When it expires, in seconds.' }),
    nbf: Type.Optional(Type.Number({ description: 'When it becomes valid, in seconds.' })),
    pwd: Type.Optional(
      Type.Number({
        description: 'When the password was set, in milliseconds: a new password ends the token.'
      })
    )
  },
  {
    $id: 'TokenClaims',
    description:
      'All claims, including those that the service does not use. Times count from 1970.',
    additionalProperties: true,
    examples: [{ sub: '2', role: 'user', iat: 1795253400, exp: 1795257000, pwd: 1795253400000 }]
  }
)
