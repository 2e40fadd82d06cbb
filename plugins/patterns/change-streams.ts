import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { DatabaseUnavailable } from '../../db/unavailable.ts'
import { endedAmong } from '../../lib/identity/ended.ts'
import { ChangeFeed, type ReadChanges } from '../../lib/patterns/change-feed.ts'
import { ChangeStream } from '../../lib/patterns/change-stream.ts'
import { rememberedSince, shownChange } from '../../lib/patterns/own-activity.ts'
import { kinds as everyKind } from '../../schemas/kinds.ts'
import { fail } from '../http/errors.ts'
import { retryAfter } from '../http/overload.ts'

declare module 'fastify' {
  interface FastifyInstance {
    changeStreams: {
      /**
       * Opens a stream of the caller's changes after an id, or from now on. Fails with CHANGES-GONE, or with
       * RATE-LIMIT-EXCEEDED if there are too many streams.
       */
      open(request: FastifyRequest, reply: FastifyReply, after?: number): Promise<ChangeStream>
    }
  }
}

/** How many streams one user, and all users together, may have open in this process. */
const maxOfUser = 10
const maxOfAll = 2000
/** When readers come back after the end of a stream, in milliseconds. */
const retryMs = 2000
/** Milliseconds between two checks of the credentials of all streams. */
const tickMs = 500
/** Ticks between two signs of life: 15 seconds. */
const commentTicks = 30
/** Ticks between two looks at the database, for changes that no message told of: 2 seconds. */
const lookTicks = 4
/**
 * Milliseconds without anything sent, or taken from what was sent. Then the connection is closed
 * (lib/http/connections.ts); after the second time, if something was taken in the first.
 */
const stalledMs = 20_000
/** How much of the record goes into one chunk. */
const chunk = { limit: 50, bytes: 16_384 }

/** Streams of server-sent events that tell users of their changes (docs/patterns/outbox.md). */
export default fp(
  async (app) => {
    const { changesAfter } = app.repos
    const feeds = new Map<number, ChangeFeed>()
    const requests = new Map<FastifyRequest, { stream: ChangeStream; since: number }>()
    let ticks = 0
    let isClosing = false

    const read: ReadChanges = async ({ user_id, kinds, cursor: after }) => {
      const page = await changesAfter.list({
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
      return { text: events.join(''), end: page.end, more: page.more }
    }

    /** While the database is away, streams wait for the next look. */
    async function quietly(work: () => Promise<void>) {
      try {
        await work()
      } catch (err) {
        if (!(err instanceof DatabaseUnavailable)) app.log.error({ err }, 'changes cannot be told')
      }
    }

    app.decorate('changeStreams', {
      async open(request, { raw }, after) {
        if (isClosing) fail('SERVICE-OVERLOADED', { headers: retryAfter })
        const user_id = request.viewer.user.id
        const feed = feeds.get(user_id) ?? new ChangeFeed(read)
        if (feed.streams.size >= maxOfUser || requests.size >= maxOfAll) {
          fail('RATE-LIMIT-EXCEEDED', { headers: { 'retry-after': '15' } })
        }
        const kinds = app.activity.readable(request.viewer)
        const onReady = () => void quietly(() => feed.go())
        const hold = (text: string) => app.unread.hold(user_id, text)
        const stream = new ChangeStream({ user_id, kinds, raw, onReady, hold })
        // From here on, it is woken by what is committed.
        feeds.set(user_id, feed)
        feed.streams.add(stream)
        requests.set(request, { stream, since: ticks })
        stream.once('close', () => {
          requests.delete(request)
          feed.streams.delete(stream)
          if (feed.streams.size === 0 && feeds.get(user_id) === feed) feeds.delete(user_id)
        })
        try {
          const page =
            after === undefined ? undefined : await read({ user_id, kinds, cursor: after })
          if (page === null) fail('CHANGES-GONE')
          stream.begin(after ?? (await changesAfter.newest({ user_id })), retryMs)
          if (page) stream.send(page)
          stream.isBehind ||= page?.more ?? false
        } catch (error) {
          stream.destroy()
          throw error
        }
        const { socket } = request.raw
        if (socket instanceof Socket && !socket.readableEnded) {
          socket.setTimeout(stalledMs)
          socket.once('end', () => stream.end())
        }
        // Nobody is there any more, or the request was injected and waits for a whole answer.
        else stream.end()
        return stream
      }
    })

    app.changes.onCommitted((user_id) => {
      const feed = feeds.get(user_id)
      if (feed) void quietly(() => feed.wake())
    })

    async function endThoseWithoutCredential() {
      for (const request of await endedAmong(app, requests.keys())) {
        requests.get(request)?.stream.end()
      }
    }
    async function look() {
      const newest = await changesAfter.newestOf({ users: JSON.stringify([...feeds.keys()]) })
      for (const { user_id, id } of newest) {
        const feed = feeds.get(user_id)
        const isBehind = [...(feed?.streams ?? [])].some(({ cursor }) => cursor < (id ?? 0))
        if (feed && isBehind) void quietly(() => feed.wake())
      }
    }
    let isLooking = false
    async function tick() {
      ticks += 1
      for (const { stream, since } of requests.values()) {
        if ((ticks - since) % commentTicks === 0) stream.comment()
      }
      if (isLooking || requests.size === 0) return
      isLooking = true
      await quietly(endThoseWithoutCredential)
      if (ticks % lookTicks === 0) await quietly(look)
      isLooking = false
    }
    const timer = setInterval(tick, tickMs).unref()
    app.addHook('preClose', async () => {
      isClosing = true
      clearInterval(timer)
      for (const { stream } of requests.values()) stream.end()
    })
  },
  { name: 'change-streams', fastify: '5.x', dependencies: ['activity', 'changes', 'unread'] }
)
