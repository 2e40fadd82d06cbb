import { sessionCookie } from '../../identity/session.ts'

export interface About {
  version: string
  /** As in `package.json`: an SPDX expression, or `UNLICENSED`. */
  license: string
}

/** What an operation can accept as `bearerAuth`, because it is configured. */
interface Bearers {
  agent: boolean
  jwt: boolean
}

const bearersOf = ({ agent, jwt }: Bearers) =>
  [
    ...(agent ? ['the token that the operator of the service gave you'] : []),
    ...(jwt ? ['a JWT from `POST /token/issue`'] : [])
  ].join(', or ')

function description(bearers: Bearers) {
  const tokens = bearersOf(bearers)
  const bearer = tokens && `\n- Bearer: \`Authorization: Bearer <token>\`, with ${tokens}.`
  return `Each tag describes an area.

**Credentials.** Each operation lists what it takes under \`security\`; one of the alternatives is enough.
- Browser session: \`POST /session/login\` sets the cookie \`${sessionCookie}\` and returns \`csrfToken\`. Send it as \`X-CSRF-Token\` with every POST, PUT, PATCH and DELETE.${bearer}
- Access token: \`Authorization: Bearer gth_...\`, with a token that a user made with \`POST /accesstoken/index\`. It acts as that user within its scopes; \`x-scope\` of an operation is the one that it needs.

With a Bearer credential, no cookie and no CSRF token are needed.

**Bodies.** Requests are JSON in UTF-8, whatever \`Content-Type\` says; only uploads are \`multipart/form-data\`. No text may contain U+0000. Unknown fields and query parameters are ignored.

**Answers.** Success: \`{"Result":true,"Data":{"status":"success",...}}\`. Failure: \`{"Result":true,"Data":{"status":"failure","errorCode":...,"errorMessage":...}}\`. Rely on the HTTP status and \`errorCode\`; messages are for people and may change. \`x-error-codes\` of an operation are the codes of its own; the others of its answers follow from its credentials, its body and its limits. New fields and codes may be added at any time. Times are in UTC.

**Lists** are newest first. Send \`next_cursor\` as \`cursor\` to get the next page; null is the end.

**Headers.** Besides those listed with each answer, every answer has the security headers \`Content-Security-Policy\`, \`Cross-Origin-Resource-Policy\` and \`X-Content-Type-Options\`, over HTTPS also \`Strict-Transport-Security\`. They are for browsers.

**HEAD** works on every path with GET and answers the same without a body.`
}

/** The beginning of the document. `baseUrl` is the origin under which callers reach the service. */
export const introduction = ({ version, license }: About, baseUrl: string, bearers: Bearers) => ({
  info: {
    title: 'Gatehouse',
    summary: 'A JSON-first HTTP service for browsers, agents and other services.',
    description: description(bearers),
    version,
    contact: { name: 'The operator of this service', url: baseUrl },
    license:
      license === 'UNLICENSED'
        ? { name: 'UNLICENSED: all rights reserved', identifier: 'LicenseRef-UNLICENSED' }
        : { name: license, identifier: license }
  },
  externalDocs: { url: `${baseUrl}/llms.txt`, description: 'Where to begin, for programs.' },
  servers: [{ url: baseUrl, description: 'This service.' }]
})

/** How callers identify themselves; `bearerAuth` only if something can satisfy it. */
export const securitySchemes = (bearers: Bearers) => ({
  sessionCookie: {
    type: 'apiKey' as const,
    in: 'cookie' as const,
    name: sessionCookie,
    description: 'Set by `POST /session/login`. Browsers send it by themselves.'
  },
  csrfToken: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: 'X-CSRF-Token',
    description: '`Data.csrfToken` of the login. Goes with the session cookie.'
  },
  ...((bearers.agent || bearers.jwt) && {
    bearerAuth: {
      type: 'http' as const,
      scheme: 'bearer',
      description: `Takes ${bearersOf(bearers)}.`
    }
  }),
  accessToken: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'gth_...',
    description:
      'An access token that has the `x-scope` of the operation; any access token if it names none.'
  }
})
