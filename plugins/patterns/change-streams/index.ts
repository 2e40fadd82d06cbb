import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { everyone } from '../../../db/connection.ts'
import { DatabaseUnavailable } from '../../../db/unavailable.ts'
import { kinds as everyKind, type Kind } from '../../../schemas/kinds.ts'
import { forAnyOrigin } from '../../http/cors.ts'
import { fail } from '../../http/errors/index.ts'
import { closeStalled } from '../../http/pressure/connections.ts'
import { retryAfter } from '../../http/pressure/index.ts'
import { endedAmong } from '../../identity/ended.ts'
import { tellInTurns } from '../../runtime/turns.ts'
import { failGone, rememberedSince, shownChange } from '../activity/own-activity.ts'
import { readerOf } from '../area/public.ts'
import { tellPosition } from './position.ts'
import { ChangeStream, type Chunk, streamHeaders } from './stream.ts'

declare module 'fastify' {
  interface FastifyInstance {
    changeStreams: {
      /**
       * Answers with a stream of the caller's changes after an id, or from now on. Fails with CHANGES-GONE, or
       * with RATE-LIMIT-EXCEEDED if there are too many streams.
       */
      open(request: FastifyRequest, reply: FastifyReply, after?: number): Promise<void>
      /** How many are open. */
      size(): number
    }
  }
}

/** How many streams one user, and all users together, may have open in this process. */
const maxOfUser = 10
const maxOfAll = 2000
/** How many visitors without a credential may have open: users keep the rest. */
const maxOfVisitors = 1000
/** Milliseconds between two checks of the credentials of all streams. */
const tickMs = 500
/** Ticks between two signs of life: 15 seconds. */
const commentTicks = 30
/** Ticks between two looks at the database, for changes that no message told of: 2 seconds. */
const lookTicks = 4
/** Milliseconds without anything sent, or taken from what was sent. Then the connection is closed. */
const stalledMs = 20_000
/** How much of the record goes into one chunk. */
const chunk = { limit: 50, bytes: 16_384 }

/** The streams of a user, and what is being read for those that are at one place. */
interface Feed {
  streams: Set<ChangeStream>
  reads: Map<string, Promise<Chunk | null>>
}

/** Streams of server-sent events that tell users of their changes (docs/patterns/outbox.md). */
export default fp(
  async (app) => {
    const record = app.repos.feed
    const feeds = new Map<number, Feed>()
    const open = new Map<FastifyRequest, { stream: ChangeStream; since: number }>()
    if (app.activity.isOn) tellPosition(app)
    let ticks = 0
    let isClosing = false

    /** Null if some changes after this one are forgotten. */
    async function read(user_id: number, kinds: readonly Kind[], after: number) {
      const page = await record.list({
        user_id,
        after,
        remembered: rememberedSince(app),
        isWanted: kinds.length < everyKind.length ? ({ kind }) => kinds.includes(kind) : undefined,
        ...chunk
      })
      if (!page) return null
      const events = page.rows.map(
        (row) => `event: change\nid: ${row.id}\ndata: ${JSON.stringify(shownChange(row))}\n\n`
      )
      return { events: Buffer.from(events.join('')), end: page.end, more: page.more }
    }

    /** How many are open of who asks: of a user or, without a credential, from an address. */
    function ofSame({ identity, ip }: FastifyRequest, ofUser: number) {
      if (identity) return ofUser
      if (ofUser >= maxOfVisitors) return maxOfUser
      return [...open.keys()].filter((one) => !one.identity && one.ip === ip).length
    }

    /** While the database is away, streams wait for the next look. */
    function report(err: unknown) {
      if (!(err instanceof DatabaseUnavailable)) app.log.error({ err }, 'changes cannot be told')
    }

    function wake({ streams, reads }: Feed) {
      // What is being read may lack what was just committed.
      reads.clear()
      for (const stream of streams) stream.wake()
    }

    app.decorate('changeStreams', {
      size: () => open.size,
      async open(request, reply, after) {
        if (isClosing) fail('SERVICE-OVERLOADED', { headers: retryAfter })
        const user_id = readerOf(request)
        const feed = feeds.get(user_id) ?? { streams: new Set(), reads: new Map() }
        const { streams, reads } = feed
        if (ofSame(request, streams.size) >= maxOfUser || open.size >= maxOfAll) {
          fail('RATE-LIMIT-EXCEEDED', { headers: { 'retry-after': '15' } })
        }
        const kinds = app.activity.readable(request.identity)
        const stream = new ChangeStream(reply.raw, kinds, leave)
        // From here on, it is woken by what is committed.
        if (!isListening) listen()
        isListening = true
        feeds.set(user_id, feed)
        streams.add(stream)
        open.set(request, { stream, since: ticks })
        timer ??= setInterval(tick, tickMs).unref()
        function leave() {
          open.delete(request)
          if (open.size === 0) stop()
          streams.delete(stream)
          if (streams.size === 0) feeds.delete(user_id)
        }

        const readOn = (cursor: number) => {
          const place = `${cursor} ${kinds}`
          const reading =
            reads.get(place) ??
            read(user_id, kinds, cursor)
              .catch((error) => {
                report(error)
                return { events: Buffer.alloc(0), end: cursor, more: false }
              })
              .finally(() => reads.delete(place))
          reads.set(place, reading)
          return reading
        }
        try {
          const begin = after ?? (await record.newest({ user_id }))
          const first = (await read(user_id, kinds, begin)) ?? (await failGone(app, user_id, begin))
          if (!request.identity) forAnyOrigin(reply)
          reply.hijack()
          const headers = { ...reply.getHeaders(), ...streamHeaders }
          for (const [name, value = ''] of Object.entries(headers)) {
            reply.raw.setHeader(name, value)
          }
          void stream.run(begin, first, readOn)
        } catch (error) {
          stream.end()
          throw error
        }
        const { socket } = request.raw
        if (socket instanceof Socket && !socket.readableEnded && !socket.destroyed) {
          closeStalled(socket, stalledMs)
          socket.once('end', () => stream.end())
        }
        // Nobody is there any more, or the request was injected and waits for a whole answer.
        else stream.end()
      }
    })

    const wakeInTurns = tellInTurns(wake)
    function listen() {
      app.changes.onCommitted((user_id) => {
        const feed = feeds.get(user_id)
        if (user_id === everyone) wakeInTurns(feeds.values())
        else if (feed) wake(feed)
      })
      app.planEvents.onEvent(({ user_id, kinds, plan }) => {
        for (const stream of feeds.get(user_id)?.streams ?? []) {
          const isSeen = kinds.every((kind) => stream.kinds.includes(kind))
          if (isSeen) stream.tell(`event: plan\ndata: ${JSON.stringify(plan)}\n\n`)
        }
      })
    }
    let isListening = false

    async function look() {
      for (const request of await endedAmong(app, open.keys())) open.get(request)?.stream.end()
      if (ticks % lookTicks !== 0) return
      const newest = await record.newestOf({ users: JSON.stringify([...feeds.keys()]) })
      for (const { user_id, id } of newest) {
        const feed = feeds.get(user_id)
        const isBehind = [...(feed?.streams ?? [])].some(({ cursor }) => cursor < (id ?? 0))
        if (feed && isBehind) wakeInTurns([feed])
      }
    }
    let isLooking = false
    async function tick() {
      ticks += 1
      for (const { stream, since } of open.values()) {
        if ((ticks - since) % commentTicks === 0) stream.comment()
      }
      if (isLooking) return
      isLooking = true
      await look().catch(report)
      isLooking = false
    }
    /** Runs while a stream is open. */
    let timer: NodeJS.Timeout | undefined
    function stop() {
      clearInterval(timer)
      timer = undefined
    }
    app.addHook('preClose', async () => {
      isClosing = true
      stop()
      for (const { stream } of open.values()) stream.end()
    })
  },
  { name: 'change-streams', fastify: '5.x', dependencies: ['activity', 'changes', 'plan-events'] }
)
