import { isJsonContentType, type Tool as ListedTool } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../../schemas/config.ts'
import { isLoopback } from '../../../schemas/host.ts'
import { fail, toFailure } from '../../http/errors.ts'
import { jsonParser } from '../../http/json-body.ts'
import { ServedFile, serveFiles } from '../../patterns/files.ts'
import { callTool } from './call.ts'
import { answerOf, plainCall } from './plain-call.ts'
import { protocolOf } from './protocol.ts'
import { isTool, rewriter, type Tool, toolOf } from './tool.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every tool by its name; complete once the service is ready. */
    mcpTools: ReadonlyMap<string, Tool>
  }
}

interface McpOptions extends Pick<Config, 'SVC_CORS_ORIGINS'> {
  /** Name and version of the service, from the package file. */
  name: string
  version: string
}

/** The most bytes of a message: a file of 1 MiB in base64, and the rest of a call. */
const bodyLimit = 2 * 1024 ** 2

/** Where the resource is described (RFC 9728). */
const metadataPath = '/.well-known/oauth-protected-resource'

/** A JSON-RPC error for a message whose id is not known. */
const rpcError = (code: number, message: string) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: null
})

/**
 * The Model Context Protocol: `POST /mcp` (Streamable HTTP, stateless). Its tools are the operations
 * that take a Bearer credential. A call is served by the route of its operation, in process.
 */
export default fp<McpOptions>(
  async (app, { SVC_CORS_ORIGINS, name, version }) => {
    app.readsConfig('mcp')
    const tools = new Map<string, Tool>()
    app.decorate('mcpTools', tools)
    app.addHook('onReady', function deriveTools(done) {
      const operations = app.operations.filter(isTool)
      const rewrite = rewriter(operations)
      for (const operation of operations) {
        const tool = toolOf(operation, (id) => app.getSchema(id), rewrite)
        tools.set(tool.definition.name, tool)
      }
      done()
    })

    // A cache by the list of operations, which is the same object for all callers of a kind.
    const lists = new WeakMap<readonly string[], ListedTool[]>()
    function toolsOf({ viewer }: FastifyRequest) {
      const ids = app.operationsOf(viewer)
      const known = lists.get(ids)
      if (known) return known
      const allowed = [...tools.values()].filter(({ operation }) => ids.includes(operation.id))
      const list: ListedTool[] = JSON.parse(
        JSON.stringify(allowed.map(({ definition }) => definition))
      )
      lists.set(ids, list)
      return list
    }

    function isOwn(origin: string, host: string | undefined) {
      if (origin === app.baseUrl || SVC_CORS_ORIGINS.includes(origin)) return true
      const url = URL.parse(origin)
      return url !== null && url.host === host && isLoopback(url.hostname)
    }

    function checkOrigin({ headers }: FastifyRequest, _reply: FastifyReply, done: () => void) {
      const { origin, host } = headers
      if (origin !== undefined && !isOwn(origin, host)) fail('FORBIDDEN')
      done()
    }

    function checkType({ raw }: FastifyRequest, reply: FastifyReply, done: () => void) {
      if (isJsonContentType(raw.headers['content-type'] ?? null)) {
        // Without its parameters: Fastify would refuse some of them.
        raw.headers['content-type'] = 'application/json'
        return done()
      }
      reply.code(415).send(rpcError(-32000, 'Send the header Content-Type: application/json.'))
    }

    /** Says where to get a credential (RFC 9728 §5.1). */
    function challenge(
      _request: unknown,
      reply: FastifyReply,
      _payload: unknown,
      done: () => void
    ) {
      if (reply.statusCode === 401) {
        const given = String(reply.getHeader('www-authenticate') ?? '')
        const error = /error="\w+"/.exec(given)
        const metadata = `resource_metadata="${app.baseUrl}${metadataPath}"`
        reply.header('www-authenticate', `Bearer ${error ? `${error[0]}, ` : ''}${metadata}`)
      }
      done()
    }

    const serve = protocolOf(app, { info: { name, version }, tools, toolsOf })

    // A separate scope, because here the Content-Type of a message must be right.
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'buffer' },
        jsonParser(scope, 20_000)
      )
      scope.setErrorHandler(function answerFailure(error, request, reply) {
        const failure = toFailure(error as Error & { code: string })
        if (failure.code !== 'BODY-INVALID') return app.sendFailure(failure, request, reply)
        return reply.code(400).send(rpcError(-32700, 'The body is not JSON.'))
      })
      scope.post(
        '/mcp',
        {
          config: {
            allow: ['agent', 'jwt'],
            scope: 'any',
            body: 'rpc',
            bodyLimit,
            userLimit: false
          },
          schema: { hide: true },
          onRequest: [checkOrigin, checkType],
          onSend: challenge
        },
        async (request, reply) => {
          if (Array.isArray(request.body)) {
            return reply.code(400).send(rpcError(-32600, 'Send one message, not an array of them.'))
          }
          const call = plainCall(request)
          const tool = call && tools.get(call.name)
          if (tool) {
            const outcome = await callTool(app, request, tool, call.arguments, call.meta)
            return reply.type('application/json').send(answerOf(call.id, outcome))
          }
          const { status, headers, body } = await serve(request)
          reply.code(status)
          if (body === null) return reply.send()
          const text = await new Response(body).text()
          return reply.type(headers.get('content-type') ?? 'application/json').send(text)
        }
      )
    })

    const metadata = new ServedFile('application/json', () =>
      JSON.stringify({
        resource: `${app.baseUrl}/mcp`,
        resource_name: 'Gatehouse',
        resource_documentation: `${app.baseUrl}/llms.txt`,
        bearer_methods_supported: ['header']
      })
    )
    // A client that knows only the URL looks at the second path (RFC 9728 §3.1).
    serveFiles(
      app,
      new Map([
        [metadataPath, metadata],
        [`${metadataPath}/mcp`, metadata]
      ])
    )
  },
  { name: 'mcp', fastify: '5.x', dependencies: ['operations', 'openapi', 'base-url', 'validation'] }
)
