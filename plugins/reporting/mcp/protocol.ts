import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  isJsonContentType,
  isLegacyRequest,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport
} from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ok } from '../../../schemas/common.ts'
import type { Arguments } from '../../patterns/operations/arguments.ts'
import { callTool } from './call.ts'
import { plainCall } from './plain-call.ts'
import { errorsForTools } from './remedies.ts'
import { resolveShared } from './shared.ts'
import { rewriter, type Tool } from './tool.ts'

/** What the protocol offers to clients. */
interface Offer {
  /** Name and version of the service. */
  info: { name: string; version: string }
  /** Every tool, by its name. */
  tools: ReadonlyMap<string, Tool>
  /** What the sender of a request may call, and is told about it. */
  offerTo(request: FastifyRequest): { list: ListedTool[]; instructions: string }
}

const mimeType = 'application/json'

/** From how many rows on a person is asked before they are deleted, if the client can ask. */
const confirmedFrom = 11

/** The question to the person before a call that deletes many rows. */
function confirmationOf({ definition }: Tool, { ids, dry_run }: Arguments) {
  const { title, annotations } = definition
  if (!annotations.destructiveHint || dry_run === true) return undefined
  if (!Array.isArray(ids) || ids.length < confirmedFrom) return undefined
  return inputRequired.elicit({
    message: `${title}: ${ids.length} of them. They can be brought back with undo_activity.`,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: 'Delete them' } },
      required: ['confirm']
    }
  })
}

/** The parts of the document that can be read, by the parameter of its address. */
const partsOfDocument = [
  ['operation', 'one operation (createTodo), in short'],
  ['tag', 'one tag (todo), with the fields of its failures']
] as const

/** Not over HTTP, where the document itself is read in parts. */
const operationsUri = 'gatehouse:operations'

/** What the document describes, by tag: the whole would fill the memory of most models. */
function indexOf({ operations, baseUrl }: FastifyInstance) {
  const tags = Map.groupBy(operations, ({ schema }) => schema.tags?.[0] ?? '')
  const byTag = [...tags].map(([tag, all]) => [
    tag,
    Object.fromEntries(
      all.map(({ id, method, path, schema }) => [id, `${method} ${path}: ${schema.summary}`])
    )
  ])
  return {
    about: `The OpenAPI document of one operation is ${baseUrl}/api-docs/json?operation=createTodo, that of a tag ${baseUrl}/api-docs/json?tag=todo.`,
    operations: Object.fromEntries(byTag)
  }
}

const declinedBody = { status: 'declined' }
/** Nothing has failed: the person has decided. */
const declined = {
  content: [
    { type: 'text' as const, text: JSON.stringify(declinedBody) },
    { type: 'text' as const, text: 'Nothing was deleted: the person who was asked said no.' }
  ],
  structuredContent: declinedBody
}

/**
 * Serves the protocol with the official SDK. Nothing is kept between two requests. Every answer is one
 * JSON body, never a stream.
 */
export function protocolOf(app: FastifyInstance, offer: Offer) {
  const { info, tools, offerTo } = offer
  const errorsUrl = `${app.baseUrl}/error/index`
  const documentUrl = `${app.baseUrl}/api-docs/json`
  /** What anyone can also read over HTTP: there, the errors speak of HTTP. */
  const resources = [
    {
      uri: errorsUrl,
      name: 'errors',
      title: 'Error catalog: every code (`code` of a failed call), when it occurs and what to do',
      mimeType
    },
    {
      uri: operationsUri,
      name: 'operations',
      title: 'Every HTTP operation by its tag, in short',
      mimeType
    },
    {
      uri: documentUrl,
      name: 'openapi',
      title: 'The OpenAPI document, which is long; the templates give a part of it',
      mimeType
    }
  ]
  const templates = partsOfDocument.map(([part, what]) => ({
    uriTemplate: `${documentUrl}?${part}={${part}}`,
    name: `openapi-${part}`,
    title: `OpenAPI document of ${what}`,
    mimeType
  }))
  const callers = new WeakMap<Request, FastifyRequest>()

  function serverFor(request: FastifyRequest) {
    const { list, instructions } = offerTo(request)
    const server = new Server(info, { capabilities: { tools: {}, resources: {} }, instructions })
    server.setRequestHandler('tools/list', async () => ({ tools: list }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const { name, arguments: sent = {}, _meta: meta } = params
      const shared = resolveShared(name, sent, tools)
      if (shared && 'content' in shared) return shared
      const { tool, given } = shared ?? { tool: tools.get(name), given: sent }
      if (!tool) {
        const message = `There is no tool ${name.slice(0, 100)}: tools/list lists those that this credential may call.`
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
      }
      const { inputResponses } = mcpReq
      // Of this request: a client that began with `initialize` declared them to another server.
      const canAsk = server.getClientCapabilities()?.elicitation !== undefined
      const question = canAsk && !request.viewer.token?.asks && confirmationOf(tool, given)
      if (question) {
        if (!inputResponses?.confirm) return inputRequired({ inputRequests: { confirm: question } })
        if (!acceptedContent(inputResponses, 'confirm')?.confirm) return declined
      }
      return callTool(app, { tool, given, meta, message: request })
    })
    server.setRequestHandler('resources/list', async () => ({ resources }))
    server.setRequestHandler('resources/templates/list', async () => ({
      resourceTemplates: templates
    }))
    server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
      const content = (text: string) => ({ contents: [{ uri, mimeType, text }] })
      if (uri === errorsUrl) {
        const rewrite = rewriter([...tools.values()].map(({ operation }) => operation))
        return content(JSON.stringify(ok({ errors: errorsForTools(rewrite) })))
      }
      if (uri === operationsUri) return content(JSON.stringify(indexOf(app)))
      const isPart = partsOfDocument.some(([part]) => uri.startsWith(`${documentUrl}?${part}=`))
      if (!isPart && uri !== documentUrl) throw new ResourceNotFoundError(uri)
      const { host = 'localhost' } = request.headers
      const url = uri.slice(app.baseUrl.length)
      const { statusCode, payload } = await app.inject({ url, headers: { host } })
      if (statusCode !== 200) throw new ResourceNotFoundError(uri)
      return content(payload)
    })
    return server
  }

  const onerror = (err: Error) => app.log.debug({ err }, 'mcp')
  // For the revisions without `initialize`. No stream of changes: it would stay open although the list
  // of tools never changes.
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const request = requestInfo && callers.get(requestInfo)
      if (!request) throw new Error('the request is not known')
      return serverFor(request)
    },
    { legacy: 'reject', responseMode: 'auto', maxSubscriptions: 0, onerror }
  )

  /** Answers one HTTP request with a JSON body. */
  async function serve(request: FastifyRequest): Promise<Response> {
    const headers = new Headers(request.headers as Record<string, string>)
    // Whatever the client takes is answered (plugins/reporting/mcp/index.ts): the SDK would refuse most.
    headers.set('accept', 'application/json, text/event-stream')
    const web = new Request(`${app.baseUrl}${request.url}`, { method: 'POST', headers })
    const parsedBody = request.body
    if (!(await isLegacyRequest(web, parsedBody))) {
      const { method, id } = Object(parsedBody)
      // The SDK would speak of a limit of subscriptions: that another try may succeed.
      if (method === 'subscriptions/listen') {
        const code = ProtocolErrorCode.MethodNotFound
        const message = `There are no subscriptions: the list of tools never changes. \`list_activity\` with \`after\` and \`wait_seconds\` tells of changed rows.`
        return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status: 404 })
      }
      callers.set(web, request)
      return modern.fetch(web, { parsedBody })
    }
    const server = serverFor(request)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await server.connect(transport)
      return await transport.handleRequest(web, { parsedBody })
    } finally {
      await server.close()
    }
  }

  return { isJsonContentType, plainCall, serve }
}
