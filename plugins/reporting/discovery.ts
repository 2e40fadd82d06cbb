import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ServedFile, serveFiles } from '../../lib/patterns/files.ts'
import { defaultAllow } from '../identity/auth.ts'

/** The `Link` of answers that new callers request first: it leads to descriptions of the service (RFC 8631). */
export const discoveryLink = '</api-docs/json>; rel="service-desc", </llms.txt>; rel="describedby"'

/** A guide for language models, in the form of llmstxt.org and short enough to read whole. */
const guide = (
  baseUrl: string,
  opened: string[],
  wanted: string[],
  hasOAuth: boolean
) => `# Gatehouse

> A JSON service for browsers, agents and other services, at ${baseUrl}.

Bodies are JSON. Success: \`Data.status\` is "success". Failure: "failure", with \`Data.errorCode\`; the
\`Link\` header with rel="help" explains what to do about it.

## Credentials

| Area | Opened by |
| --- | --- |
${opened.join('\n')}
| users (administrators) | session, access token |
| own account, tokens, sessions | session |

An access token also needs the operation's scope (\`x-scope\`, such as \`memo:read\`);
\`GET /session/current\` lists the operations that your credential may call.

- For programs: \`Authorization: Bearer <token>\` with an access token (\`gth_...\`) that your user made with
  \`POST /accesstoken/index\`, the agent token that the operator gives you, or a JWT from \`POST /token/issue\`
  \`{"user_id","user_pass"}\`, if the operator has turned JWTs on. No cookie.${hasOAuth ? '\n- Without a token: OAuth 2.1, by `/.well-known/oauth-protected-resource`; your user lets you in on a page.' : ''}
- For browsers: \`POST /session/login\` \`{"user_id","user_pass"}\` sets a cookie. Send \`Data.csrfToken\` as
  \`X-CSRF-Token\` with every POST, PUT, PATCH and DELETE.
- By standard input and output: \`gatehouse mcp --url ${baseUrl}\`, with the token in \`SVC_MCP_TOKEN\`.

## Headers

- \`Idempotency-Key\`: after a timeout, send the same request again with the same key; it is done once.
- \`X-Run-Id\`: a name not in use, for what you do now. \`POST /activity/undo\` \`{"run"}\` undoes all under it;
  with \`"dry_run": true\` it only says what would happen; so do batches with it, and \`DELETE ...?dry_run=true\`.
- \`If-Match\`: the \`ETag\` of a memo, to change or delete it.
- \`Prefer: return=minimal\`: batches answer ids only. \`handling=strict\`: unknown fields are refused.

## Told of changes

\`GET /activity/stream\`: server-sent events, on from \`Last-Event-ID\`; or poll \`GET /activity/index?after=<id>\`.

## Most useful operations

${wanted.join('\n')}

## More

- [MCP](${baseUrl}/mcp): the operations as tools, over Streamable HTTP with a Bearer credential
- [OpenAPI document](${baseUrl}/api-docs/json): every operation, with examples; \`?tag=memo\` and
  \`?operation=createMemo\` are parts of it
`

const credentials = { session: 'session', token: 'access token', agent: 'agent token', jwt: 'JWT' }

/** The areas that access tokens open without a role, one row for those that the same credentials open. */
function openedOf({ operations }: FastifyInstance) {
  const areas = Map.groupBy(operations, ({ schema }) => schema.tags?.[0] ?? '')
  const rows = new Map<string, string[]>()
  for (const [area, all] of areas) {
    const closed = all.filter(({ config: { allow = defaultAllow } }) => !allow.includes('anyone'))
    const [first] = closed
    if (!first || closed.some(({ config }) => config.role || !config.scope)) continue
    const ways: readonly string[] = [...(first.config.allow ?? defaultAllow), 'token']
    const names = Object.entries(credentials).flatMap(([way, name]) =>
      ways.includes(way) ? [name] : []
    )
    rows.set(names.join(', '), [...(rows.get(names.join(', ')) ?? []), area])
  }
  return [...rows].map(([names, all]) => `| ${all.join(', ')} | ${names} |`)
}

/** One line for each operation that an area lists in `wanted`. */
const wantedOf = ({ wanted, operations }: FastifyInstance) =>
  [...wanted].map(([id, what]) => {
    const found = operations.find((operation) => operation.id === id)
    return `- ${found?.method} ${found?.url.replaceAll(/:(\w+)/g, '{$1}')}: ${what}`
  })

/** The API catalog (RFC 9727), a set of links (RFC 9264). */
const catalog = (baseUrl: string) => ({
  linkset: [
    {
      anchor: `${baseUrl}/`,
      'service-desc': [
        { href: `${baseUrl}/api-docs/json`, type: 'application/json', title: 'OpenAPI document' },
        { href: `${baseUrl}/api-docs/yaml`, type: 'application/x-yaml', title: 'The same in YAML' }
      ],
      'service-doc': [
        { href: `${baseUrl}/api-docs/`, type: 'text/html', title: 'Interactive viewer' }
      ],
      describedby: [{ href: `${baseUrl}/llms.txt`, type: 'text/plain', title: 'Where to begin' }],
      status: [{ href: `${baseUrl}/health/index`, type: 'application/json' }]
    }
  ]
})

/** Serves `/.well-known/api-catalog` and `/llms.txt`, for programs that know only the address. */
export default fp(
  async (app) => {
    const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
    app.addHook('onReady', async function checkWanted() {
      const unknown = [...app.wanted.keys()].find(
        (id) => !app.operations.some((operation) => operation.id === id)
      )
      if (unknown) throw new Error(`app.tag names ${unknown}, but there is no such operation`)
    })
    const links = new ServedFile(type, () => JSON.stringify(catalog(app.baseUrl)))
    serveFiles(app, new Map([['/.well-known/api-catalog', links]]), {
      link: '</.well-known/api-catalog>; rel="api-catalog"'
    })
    const text = new ServedFile('text/plain; charset=utf-8', () =>
      guide(app.baseUrl, openedOf(app), wantedOf(app), app.oauth !== null)
    )
    serveFiles(app, new Map([['/llms.txt', text]]))
  },
  {
    name: 'discovery',
    fastify: '5.x',
    dependencies: ['auth', 'dispatch', 'base-url', 'operations', 'openapi']
  }
)
