import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { componentOf, PageQuery } from '../../schemas/common.ts'
import { defaultAllow } from '../identity/auth.ts'
import { ServedFile, serveFiles } from '../patterns/files.ts'

/** The `Link` of answers that new callers request first: it leads to descriptions of the service (RFC 8631). */
export const discoveryLink = '</api-docs/json>; rel="service-desc", </llms.txt>; rel="describedby"'

/** A guide for language models, in the form of llmstxt.org and short enough to read whole. */
const guide = (
  baseUrl: string,
  opened: string[],
  wanted: string[],
  { hasOAuth, isRecording }: { hasOAuth: boolean; isRecording: boolean }
) => `# Gatehouse

> Todos, memos and files of a user, as JSON over HTTP, at ${baseUrl}.

Send \`Authorization: Bearer <token>\`. \`Data.status\` is "success", "partial" if some items failed, or "failure" with
\`Data.errorCode\`; the \`Link\` header with rel="help" says what to do.

## Operations

${wanted.join('\n')}

Lists, newest first, take \`limit=\`, and \`Data.next_cursor\` as \`cursor=\` until it is null. \`q=\` is a part
of the title, text or file name; A to Z match a to z. More: [OpenAPI](${baseUrl}/api-docs/json), or part of it: \`?tag=memo\`, \`?operation=createMemo\`.

## Headers

- \`Idempotency-Key\`: a request sent again with the same key, after a timeout, is done once.
${isRecording ? '- `X-Run-Id`: a name for one task, on each of its requests; undo takes it as `run`.\n' : ''}- \`If-Match\`: the \`ETag\` of a memo (\`"v1"\` at first), to change or delete it. Todos: none.
- \`Prefer: return=minimal\`: batches${isRecording ? ', undo and changes' : ''} without rows. \`handling=strict\`: unknown fields are refused.

With \`"dry_run": true\`, or \`DELETE ...?dry_run=true\`, the answer only says what would happen.

## Credentials

| Area | Opened by |
| --- | --- |
${opened.join('\n')}
| users (administrators) | session, access token |
| own account, tokens, sessions | session |

- Access token (\`gth_...\`): your user makes it with \`POST /accesstoken/index\`; an operation names its scope in \`x-scope\`.
- Agent token: from the operator. JWT: \`POST /token/issue\` \`{"user_id","user_pass"}\`, if turned on.${hasOAuth ? '\n- None yet: OAuth 2.1, by `/.well-known/oauth-protected-resource`; your user lets you in.' : ''}
- Browsers: \`POST /session/login\` \`{"user_id","user_pass"}\` sets a cookie; send \`Data.csrfToken\` as \`X-CSRF-Token\` to write.
- MCP tools: \`/mcp\`, or \`gatehouse mcp --url ${baseUrl}\`, token in \`SVC_MCP_TOKEN\`.
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

/** The form of a body in short: `{"items":[{"id","title"?}]}`. */
function formOf(schema: object): string {
  const { properties, required = [], ...rest }: Form = componentOf(schema) ?? schema
  const items = rest['x-items'] ?? rest.items
  if (items) return `[${formOf(items)}]`
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const form = formOf(member)
    return `"${name}"${required.includes(name) ? '' : '?'}${form && `:${form}`}`
  })
  return members.length > 0 ? `{${members}}` : ''
}

interface Form {
  properties?: Record<string, object>
  required?: string[]
  items?: object
  'x-items'?: object
}

/** One line for each operation that an area lists in `wanted`: what it takes, and what for. */
const wantedOf = ({ wanted, operations }: FastifyInstance) =>
  operations.flatMap(({ id, method, url, schema, config }) => {
    const what = wanted.get(id)
    if (!what) return []
    const { properties = {} }: Form = schema.querystring ?? {}
    const filters = Object.keys(properties).filter((name) => !(name in PageQuery.properties))
    const query = filters.length > 0 ? `?${filters.join('=&')}=` : ''
    const body = schema.body && config.body !== 'multipart' ? ` \`${formOf(schema.body)}\`` : ''
    return `- ${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}${query}${body}: ${what}`
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
      guide(app.baseUrl, openedOf(app), wantedOf(app), {
        hasOAuth: app.oauth !== null,
        isRecording: app.activity.isOn
      })
    )
    serveFiles(app, new Map([['/llms.txt', text]]))
  },
  {
    name: 'discovery',
    fastify: '5.x',
    dependencies: ['activity', 'auth', 'dispatch', 'base-url', 'operations', 'openapi']
  }
)
