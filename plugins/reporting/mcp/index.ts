import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { isAdminScope, scopes } from '../../../schemas/access-token.ts'
import { catalog } from '../../../schemas/errors.ts'
import { isLoopback } from '../../../schemas/host.ts'
import { forAnyOrigin } from '../../http/cors.ts'
import { Failure, fail, toFailure } from '../../http/errors/index.ts'
import { jsonParser } from '../../http/json-body.ts'
import { hasScope, insufficientScope, resourceMetadataPath } from '../../identity/auth.ts'
import { ServedFile, serveFiles } from '../../patterns/files.ts'
import { isPlannable } from '../../patterns/operations/index.ts'
import { callTool } from './call.ts'
import { instructionsOf } from './instructions.ts'
import { asEvent, lenient, sentenceOf, wantsStream, withDefaults } from './lenient.ts'
import type { protocolOf } from './protocol.ts'
import { inShort, isOfDeclared, mostBytes, mostTools, sharedFor } from './shared.ts'
import { isTool, rewriter, type Tool, toolOf } from './tool.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every tool by its name; complete once the service is ready. */
    mcpTools: ReadonlyMap<string, Tool>
  }
}

interface McpOptions {
  /** Name and version of the service, from the package file. */
  name: string
  version: string
}

/** The most bytes of a message: a file of 1 MiB in base64, and the rest of a call. */
const bodyLimit = 2 * 1024 ** 2

/** What a model can say of a call that is proposed to a person; the instructions explain it once. */
const ofProposals = {
  purpose: { type: 'string' },
  wait_seconds: { type: 'integer' }
}

/**
 * A tool whose call is proposed. It takes `dry_run` and `return`, too, which are not told: a proposal says what would
 * happen, and returns no rows. `idempotency_key` is told of what adds: a repetition would add it twice.
 */
function asProposed<
  Of extends {
    inputSchema: { properties?: object | undefined }
    annotations?: ListedTool['annotations']
  }
>(tool: Of): Of {
  const { inputSchema, annotations } = tool
  const { dry_run, return: amount, idempotency_key, ...rest } = Object(inputSchema.properties)
  const { idempotentHint, ...hints } = { ...annotations }
  const key = hints.destructiveHint === false && idempotency_key && { idempotency_key }
  return {
    ...tool,
    // Once it is decided, a repetition is another proposal.
    ...(annotations && { annotations: hints }),
    inputSchema: { ...inputSchema, properties: { ...rest, ...key, ...ofProposals } }
  }
}

/**
 * The offers that are kept, by their operations. There are few kinds of callers, but a user can choose the scopes of a
 * token in thousands of ways, and an offer has some 100 kB.
 */
const maxOffers = 32

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
  async (app, { name, version }) => {
    app.readsConfig('mcp')
    const tools = new Map<string, Tool>()
    app.decorate('mcpTools', tools)
    app.addHook('onReady', function deriveTools(done) {
      const operations = app.operations.filter(isTool)
      const rewrite = rewriter(operations)
      for (const operation of operations) {
        const tool = toolOf(operation, rewrite)
        tools.set(tool.definition.name, tool)
      }
      done()
    })

    const offers = new LRUCache<string, { list: ListedTool[]; instructions: string }>({
      max: maxOffers
    })
    function offerTo({ viewer }: FastifyRequest) {
      const operations = app.operationsOf(viewer)
      const asks = viewer.token?.asks ?? false
      const key = operations.map(({ id }) => id).join() + asks
      let offer = offers.get(key)
      if (!offer) {
        const allowed = [...tools.values()].filter(
          ({ operation, isOfAsking }) => operations.includes(operation) && (asks || !isOfAsking)
        )
        const shown = allowed.map(({ definition, operation }) =>
          asks && isPlannable(operation) ? asProposed(definition) : definition
        )
        const declared = shown.map(({ name }) => name).filter(isOfDeclared)
        const isMany = shown.length > mostTools || JSON.stringify(shown).length > mostBytes
        const isShared = isMany && declared.length > 0
        const alone = shown.filter(({ name }) => !declared.includes(name)).map(inShort)
        const shared = sharedFor(declared).map((tool) =>
          asks && !tool.annotations?.readOnlyHint ? asProposed(tool) : tool
        )
        const list = isShared ? [...alone, ...shared] : shown
        const instructions = instructionsOf(allowed, {
          ...{ isRecording: app.activity.isOn, asks, isShared }
        })
        offer = { list: JSON.parse(JSON.stringify(list)), instructions }
        offers.set(key, offer)
      }
      return offer
    }

    function isOwn(origin: string, { protocol, headers: { host } }: FastifyRequest) {
      if (origin === app.baseUrl || app.origins.isListed(origin)) return true
      const isLocal = isLoopback(URL.parse(origin)?.hostname ?? '')
      return isLocal && origin === `${protocol}://${host}`
    }

    function refuseForeignOrigin(request: FastifyRequest, reply: FastifyReply, done: () => void) {
      const { origin } = request.headers
      if (origin === undefined || isOwn(origin, request)) return done()
      app.origins.noteRefusal(origin)
      const message =
        'Pages of an Origin that SVC_CORS_ORIGINS does not list may not send messages.'
      reply.code(403).send(rpcError(-32000, message))
    }

    /** Loaded by the first message: the SDK takes a tenth of a start, and many services get none. */
    let loaded: Promise<ReturnType<typeof protocolOf>> | undefined
    async function load() {
      const { protocolOf } = await import('./protocol.ts')
      return protocolOf(app, { info: { name, version }, tools, offerTo })
    }
    const protocol = () => {
      loaded ??= load()
      return loaded
    }

    async function checkType({ raw }: FastifyRequest, reply: FastifyReply) {
      const { isJsonContentType } = await protocol()
      const { 'content-type': type } = raw.headers
      if (type === undefined || isJsonContentType(type)) {
        // Without its parameters: Fastify would refuse some of them.
        raw.headers['content-type'] = 'application/json'
        return
      }
      return reply
        .code(415)
        .send(rpcError(-32000, 'Send the header Content-Type: application/json.'))
    }

    /** Every answer is JSON; who takes nothing but a stream gets it as its only event. */
    async function sendAsEvent({ headers }: FastifyRequest, reply: FastifyReply, payload: unknown) {
      const isMessage = String(reply.getHeader('content-type')).startsWith('application/json')
      if (!isMessage || typeof payload !== 'string' || !wantsStream(headers.accept)) return payload
      reply.removeHeader('content-length')
      reply.type('text/event-stream')
      return asEvent(payload)
    }

    /** Puts the arguments of a call into the form that its tool takes, if what is meant is clear. */
    function readArguments(request: FastifyRequest, _reply: unknown, done: () => void) {
      request.body = withDefaults(request.body)
      const { method, params } = Object(request.body)
      const call = method === 'tools/call' ? Object(params) : {}
      const tool = tools.get(call.name)
      if (tool) call.arguments = lenient(call.arguments ?? {}, tool.takes)
      done()
    }

    /** What a program may ask for that knows nothing yet. */
    const usual = scopes.filter((scope) => !isAdminScope(scope))

    /** Says where to get a credential, and for what (RFC 9728 §5.1, RFC 6750 §3). */
    function challenge(
      _request: unknown,
      reply: FastifyReply,
      _payload: unknown,
      done: () => void
    ) {
      if (reply.statusCode === 401) {
        const given = String(reply.getHeader('www-authenticate') ?? '')
        const error = /error="\w+"/.exec(given)
        const scope = app.oauth ? `, scope="${usual.join(' ')}"` : ''
        const metadata = `resource_metadata="${app.baseUrl}${resourceMetadataPath}/mcp"${scope}`
        reply.header('www-authenticate', `Bearer ${error ? `${error[0]}, ` : ''}${metadata}`)
      }
      done()
    }

    /**
     * A program that got its token by OAuth can ask its user for more. It looks for that in the answer of
     * HTTP, not in the result of the call.
     */
    function checkScope(request: FastifyRequest, reply: FastifyReply, done: () => void) {
      const { viewer } = request
      const { id = null, method, params } = Object(request.body)
      const scope = method === 'tools/call' && tools.get(params?.name)?.operation.config.scope
      if (!scope || scope === 'any' || !viewer.token?.isGranted || hasScope({ scope }, viewer)) {
        return done()
      }
      const { status, message, remedy } = catalog['SCOPE-INSUFFICIENT']
      const data = { code: 'SCOPE-INSUFFICIENT', remedy }
      reply
        .code(status)
        .header('www-authenticate', insufficientScope(app, viewer, scope))
        .send({ jsonrpc: '2.0', id, error: { code: -32000, message, data } })
    }

    // A separate scope, because here the Content-Type of a message must be right.
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'buffer' },
        jsonParser(scope, 20_000)
      )
      scope.setErrorHandler(function answerFailure(error, request, reply) {
        const { code, headers, data, cause } = toFailure(error as Error & { code: string })
        if (code === 'BODY-INVALID') {
          return reply.code(400).send(rpcError(-32700, 'The body is not JSON.'))
        }
        // Clients show models the body, not the headers.
        const wait = headers['retry-after'] && {
          retry_after_seconds: Number(headers['retry-after'])
        }
        const failure = new Failure(code, { headers, data: { ...data, ...wait }, cause })
        return app.sendFailure(failure, request, reply)
      })
      scope.addHook('onRequest', refuseForeignOrigin)
      scope.addHook('onSend', challenge)
      // Only with a credential: clients look for the challenge with GET. `Allow` does not name them.
      scope.addHook('onRoute', function forget({ method, config }) {
        if (method !== 'POST') for (const one of [method].flat()) config?.path?.methods.delete(one)
      })
      scope.route({
        method: ['GET', 'DELETE'],
        url: '/mcp',
        config: { allow: ['agent', 'jwt'], scope: 'any', withoutApproval: true, userLimit: false },
        handler: async () => fail('METHOD-NOT-ALLOWED', { headers: { allow: 'POST' } })
      })
      scope.post(
        '/mcp',
        {
          config: {
            allow: ['agent', 'jwt'],
            scope: 'any',
            // Each call of a tool passes the guard by itself.
            withoutApproval: true,
            body: 'rpc',
            bodyLimit
          },
          onRequest: checkType,
          preHandler: [readArguments, checkScope],
          onSend: sendAsEvent
        },
        async (request, reply) => {
          const { plainCall, serve } = await protocol()
          // An empty body is not JSON.
          if (request.body === null && !Number(request.headers['content-length'])) {
            fail('BODY-INVALID')
          }
          if (Array.isArray(request.body)) {
            return reply.code(400).send(rpcError(-32600, 'Send one message, not an array of them.'))
          }
          const call = plainCall(request)
          const tool = call && tools.get(call.name)
          if (tool) {
            const result = await callTool(app, { ...call, tool, message: request })
            return { jsonrpc: '2.0', id: call.id, result }
          }
          const { status, headers, body } = await serve(request)
          reply.code(status)
          if (body === null) return reply.send()
          const text = sentenceOf(await new Response(body).text())
          return reply.type(headers.get('content-type') ?? 'application/json').send(text)
        }
      )
    })

    const metadataOf = (path: string) => () =>
      JSON.stringify({
        resource: `${app.baseUrl}${path}`,
        resource_name: 'Gatehouse',
        resource_documentation: `${app.baseUrl}/llms.txt`,
        bearer_methods_supported: ['header'],
        ...(app.oauth && { authorization_servers: [app.baseUrl], scopes_supported: usual })
      })
    await app.register(async (scope) => {
      scope.addHook('onRequest', async function allowAnyOrigin(_request, reply) {
        forAnyOrigin(reply)
      })
      // The path says of which resource a document is, and the document names it (RFC 9728 §3).
      const files = ['', '/mcp'].map((path): [string, ServedFile] => [
        `${resourceMetadataPath}${path}`,
        new ServedFile('application/json', metadataOf(path))
      ])
      serveFiles(scope, new Map(files))
    })
  },
  {
    name: 'mcp',
    fastify: '5.x',
    dependencies: ['activity', 'base-url', 'cors', 'operations', 'openapi', 'validation']
  }
)
