import fp from 'fastify-plugin'
import { everyone } from '../../../db/connection.ts'
import type { Config } from '../../../schemas/config.ts'
import { attempt, waits } from './delivery-attempt.ts'
import { makeSender, type SenderOptions } from './sender.ts'
import { makeSlots } from './slots.ts'

declare module 'fastify' {
  interface FastifyInstance {
    deliveries: {
      /** Whether changes are recorded, and so can be told. */
      isOn: boolean
      /** Why nothing may be sent to this URL; null if it may. Its name is resolved only when it is sent to. */
      problemOf(url: string): string | null
      /** A new secret for a subscription of this user, and the encrypted list for its row; `kept` is the list so far. */
      newSecret(user_id: number, kept: string | null): { secret: string; secrets: string }
      /** Gives up what is being sent to a subscription that has ended. */
      stop(id: number): void
      /** There may be something to send to the user's subscriptions. */
      wake(user_id: number): void
      /** Sends what is due, as the service does by itself all the time. Resolves when nothing is being sent. */
      look(): Promise<void>
      /** How many attempts of this process succeeded and failed. */
      readonly attempts: Readonly<Record<'success' | 'failure', number>>
    }
  }
}

/** How many deliveries a process sends at a time. */
const maxRunning = 64
/** How often a process looks for what nobody has told it. */
const everyMs = 2000
/** What is due again within this time is looked at then, not when the process looks next. */
const soonMs = 10_000
/** How long users are collected before their subscriptions are looked at. */
const collectMs = 20
/** How long a shutdown waits for answers, in milliseconds. */
const closeMs = 3000
type Options = Pick<Config, 'SVC_ACTIVITY_DAYS'> & SenderOptions

/**
 * Tells subscriptions what has changed (docs/patterns/outgoing-webhooks.md). The record of changes is
 * the outbox: each subscription knows how far it has come, so nothing is kept in memory.
 */
export default fp<Options>(
  async (app, options) => {
    const { subscriptions, dueSubscriptions } = app.db.repos
    const isOn = options.SVC_ACTIVITY_DAYS > 0
    const sender = makeSender(app, options)
    /** The developer of a receiver does not wait for minutes. */
    const steps = options.SVC_ENV === 'development' ? [1, 2, 4, ...waits] : waits

    const slots = makeSlots(maxRunning)
    /** Whether there may be more than has room. */
    let isCrowded = false
    let isClosing = false
    let isFailing = false
    /** How many looks have failed. */
    let failures = 0

    /** Said once, not each time, as long as the database is away. */
    function failed(err: unknown) {
      if (!isFailing) app.log.error({ err }, 'deliveries are not looked up')
      isFailing = true
      failures += 1
    }

    /** `before`: how many had failed when this one began. One that began before the last failure does not end it. */
    function succeeded(before: number) {
      if (!isFailing || before !== failures) return
      app.log.info('deliveries are looked up again')
      isFailing = false
    }

    /** Begins to send what is due, to a user or to all, as far as there is room. */
    async function lookAt(user_id?: number) {
      const isOfAll = user_id === undefined
      let begun: number
      let skipped: number
      do {
        begun = skipped = 0
        const limit = isClosing ? 0 : slots.free()
        const full = slots.fullUsers()
        isCrowded ||= limit <= 0 || full.length > 0
        if (limit <= 0 || (!isOfAll && slots.isFull(user_id))) return
        const due = { now: app.now(), limit }
        const before = failures
        const found = await (isOfAll
          ? dueSubscriptions.due({ ...due, except: JSON.stringify(full) })
          : dueSubscriptions.dueOfUser({ ...due, user_id }))
        succeeded(before)
        if (isOfAll) isCrowded = found.length === limit || full.length > 0
        for (const { id, user_id } of found) {
          if (isClosing || slots.has(id)) continue
          if (slots.isFull(user_id)) skipped += 1
          else {
            slots.begin(id, user_id, (ending) => run(id, user_id, ending))
            begun += 1
          }
        }
        isCrowded ||= skipped > 0
        // Behind those that had no room there may be other users.
      } while (isOfAll && begun > 0 && skipped > 0)
    }

    async function run(id: number, user_id: number, ending: AbortSignal) {
      try {
        const { db, now } = app
        const outcome = await attempt(id, {
          db,
          now,
          waits: steps,
          send: (taken, next) => sender.send(taken, next, ending),
          mailOwner: sender.mailOwner
        })
        const { stopped_by: reason = null, again_at = 0 } = outcome ?? {}
        if (reason) app.log.warn({ subscription: id, reason }, 'a webhook was switched off')
        const ms = again_at - now()
        if (ms > 0 && ms < soonMs) setTimeout(wake, ms, user_id).unref()
      } catch (err) {
        // Tried again after its lease.
        app.log.error({ err, subscription: id }, 'a delivery failed within the service')
      }
      slots.end(id)
      await lookAt(isCrowded ? undefined : user_id).catch(failed)
    }

    /** Users with active subscriptions, so that changes of all others cost nothing. */
    let owners = new Set<number>()
    /** Ends listening to changes, as long as there are such users. */
    let stopListening: (() => void) | undefined
    function listen() {
      stopListening ??= app.changes.onCommitted((user_id) => {
        const concerned = user_id === everyone ? owners : [user_id]
        for (const user of concerned) if (owners.has(user)) wake(user)
      })
    }
    const awake = new Set<number>()
    let collecting: NodeJS.Timeout | undefined

    function wake(user_id: number) {
      awake.add(user_id)
      collecting ??= setTimeout(() => {
        collecting = undefined
        const users = [...awake]
        awake.clear()
        for (const user of users) lookAt(user).catch(failed)
      }, collectMs).unref()
    }

    async function look() {
      const before = failures
      owners = new Set((await dueSubscriptions.owners({})).map(({ user_id }) => user_id))
      if (owners.size > 0) {
        listen()
        await lookAt()
      } else {
        succeeded(before)
        stopListening?.()
        stopListening = undefined
      }
    }

    /** Lets go of those that have ended meanwhile, by another process or with their token. */
    async function stopEnded() {
      const ids = slots.ids()
      if (ids.length === 0) return
      const live = await dueSubscriptions.live({ ids: JSON.stringify(ids), now: app.now() })
      const kept = new Set(live.map(({ id }) => id))
      for (const id of ids) if (!kept.has(id)) slots.stop(id)
    }

    app.decorate('deliveries', {
      isOn,
      attempts: sender.attempts,
      problemOf: sender.problemOf,
      newSecret: sender.newSecret,
      stop: slots.stop,
      wake(user_id) {
        owners.add(user_id)
        listen()
        wake(user_id)
      },
      async look() {
        await look()
        await slots.idle()
      }
    })

    if (!isOn) return
    app.sweep.add('subscriptions of ended tokens', (now) =>
      app.sweep.inSteps((limit) => subscriptions.removeEnded({ now, limit }))
    )
    app.removal.onRemoved(() => void stopEnded().catch(failed))
    let looking: Promise<void> | undefined
    let timer: NodeJS.Timeout | undefined
    app.addHook('onReady', async () => {
      timer = setInterval(() => {
        looking ??= stopEnded()
          .then(look)
          .catch(failed)
          .finally(() => {
            looking = undefined
          })
      }, everyMs).unref()
    })
    let closing: NodeJS.Timeout | undefined
    app.addHook('preClose', async () => {
      isClosing = true
      clearInterval(timer)
      clearTimeout(collecting)
      closing = setTimeout(sender.giveUp, closeMs)
    })
    app.addHook('onClose', async () => {
      await looking
      await slots.idle()
      clearTimeout(closing)
      await sender.close()
    })
  },
  {
    name: 'deliveries',
    fastify: '5.x',
    dependencies: ['removal', 'clock', 'base-url', 'database', 'changes', 'sweep', 'mail', 'peers']
  }
)
