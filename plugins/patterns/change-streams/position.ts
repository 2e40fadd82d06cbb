import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { everyone } from '../../../db/connection.ts'
import { NextAfterHeader } from '../../../schemas/activity.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { readerOf } from '../area/public.ts'

const name = 'X-Next-After'
const lists = new Set(kinds.map((kind) => `/${kind}/index`))

/** Milliseconds after which a position is read again, because the message of a commit can be lost. */
const rememberedMs = 2000

/** Says with each list of recorded rows from which change on its reader must follow them. */
export function tellPosition(app: FastifyInstance) {
  // An old position is right too: then the stream also tells of what the rows already show.
  const positions = new LRUCache<number, number>({ max: 10_000, ttl: rememberedMs })
  let isListening = false

  async function read(user_id: number) {
    if (!isListening)
      app.changes.onCommitted((user_id) =>
        user_id === everyone ? positions.clear() : positions.delete(user_id)
      )
    isListening = true
    const position = await app.repos.feed.newest({ user_id })
    positions.set(user_id, position)
    return position
  }

  /** Before the handler: a change that is committed while the rows are read comes after it too. */
  async function sendPosition(request: FastifyRequest, reply: FastifyReply) {
    const id = readerOf(request)
    reply.header(name, positions.get(id) ?? (await read(id)))
  }

  app.addHook('onRoute', function documentPosition(route) {
    const { method, url, schema, preHandler = [] } = route
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || !lists.has(url) || !schema?.operationId) return
    const response = Object(schema.response)
    const { 200: page } = response
    const headers = { ...page.headers, [name]: NextAfterHeader }
    route.schema = { ...schema, response: { ...response, 200: { ...page, headers } } }
    route.preHandler = [preHandler].flat().concat(sendPosition)
  })
}
