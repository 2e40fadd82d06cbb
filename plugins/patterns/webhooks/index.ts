import { isIP } from 'node:net'
import fp from 'fastify-plugin'
import type { Config } from '../../../schemas/config.ts'
import { isLoopback, unbracketed } from '../../../schemas/host.ts'
import { isPublic, makePublicAgent } from '../../runtime/public-fetch.ts'
import { sealer, urlSecretOf } from '../../runtime/secrets.ts'
import { shownChange } from '../activity/own-activity.ts'
import { addSecret, answerMs, deliver, isDone, limitAnswers } from './delivery.ts'
import { attempt, type Next, type Taken, waits } from './delivery-attempt.ts'

declare module 'fastify' {
  interface FastifyInstance {
    deliveries: {
      /** Whether changes are recorded, and so can be told. */
      isOn: boolean
      /** Why nothing may be sent to this URL; null if it may. Its name is resolved only when it is sent to. */
      problemOf(url: string): string | null
      /** A new secret for a subscription of this user, and the encrypted list for its row; `kept` is the list so far. */
      newSecret(user_id: number, kept: string | null): { secret: string; secrets: string }
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
/** How long a mail is tried again, in milliseconds; one last try follows (`leaseMs`). */
const mailMs = 5000

type Options = Pick<
  Config,
  'SVC_ACTIVITY_DAYS' | 'SVC_WEBHOOK_PRIVATE' | 'SVC_ENV' | 'SVC_DATA_DIR' | 'SVC_URL_SECRET'
>

/**
 * Tells subscriptions what has changed (docs/patterns/outgoing-webhooks.md). The record of changes is
 * the outbox: each subscription knows how far it has come, so nothing is kept in memory.
 */
export default fp<Options>(
  async (app, options) => {
    const { subscriptions, dueSubscriptions } = app.db.repos
    const isOn = options.SVC_ACTIVITY_DAYS > 0
    const isAnywhere = options.SVC_WEBHOOK_PRIVATE
    const isAllowed = (address: string) =>
      isAnywhere || isPublic(address) || (options.SVC_ENV === 'development' && isLoopback(address))
    const agent = makePublicAgent({
      isAllowed,
      timeoutMs: answerMs,
      onConnect: limitAnswers
    })
    const { seal, open } = sealer(urlSecretOf(options), 'webhook')
    const giveUp = new AbortController()
    /** Whoever builds a receiver does not wait for minutes. */
    const steps = options.SVC_ENV === 'development' ? [1, 2, 4, ...waits] : waits

    /** What is being sent, by the id of its subscription. */
    const running = new Map<number, Promise<void>>()
    const attempts = { success: 0, failure: 0 }
    /** Whether there may be more than has room. */
    let isCrowded = false
    let isClosing = false
    let isFailing = false

    /** Said once, not each time, as long as the database is away. */
    function failed(err: unknown) {
      if (!isFailing) app.log.error({ err }, 'deliveries are not looked up')
      isFailing = true
    }

    function succeeded() {
      if (isFailing) app.log.info('deliveries are looked up again')
      isFailing = false
    }

    /** Begins to send what is due, to a user or to all, as far as there is room. */
    async function lookAt(user_id?: number) {
      const limit = isClosing ? 0 : maxRunning - running.size
      isCrowded ||= limit <= 0
      if (limit <= 0) return
      const due = { now: app.now(), limit }
      const isOfAll = user_id === undefined
      const found = await (isOfAll
        ? dueSubscriptions.due(due)
        : dueSubscriptions.dueOfUser({ ...due, user_id }))
      succeeded()
      isCrowded = found.length === limit || (isCrowded && !isOfAll)
      for (const { id, user_id } of found) {
        if (!isClosing && !running.has(id)) running.set(id, run(id, user_id))
      }
    }

    async function run(id: number, user_id: number) {
      try {
        const { db, now } = app
        const outcome = await attempt(id, { db, now, waits: steps, send, mailOwner })
        const { stopped_by: reason = null, retry_at = 0 } = outcome ?? {}
        if (reason) app.log.warn({ subscription: id, reason }, 'a webhook was switched off')
        const ms = retry_at - now()
        if (ms > 0 && ms < soonMs) setTimeout(wake, ms, user_id).unref()
      } catch (err) {
        // Tried again after its lease.
        app.log.error({ err, subscription: id }, 'a delivery failed within the service')
      }
      running.delete(id)
      await lookAt(isCrowded ? undefined : user_id).catch(failed)
    }

    /** Null if the service is closing: another process sends it, or this one when it is back. */
    async function send({ id, user_id, url, secrets }: Taken, next: Next) {
      const now = app.now()
      // The rules may have changed since it was made.
      if (app.deliveries.problemOf(url) !== null) {
        return { status: null, error: 'not-allowed', ms: 0 }
      }
      const list = open(String(user_id), secrets)
      if (list === null) {
        app.log.warn({ subscription: id }, 'a secret was encrypted with another SVC_URL_SECRET')
        return { status: null, error: 'unsigned', ms: 0 }
      }
      const signal = AbortSignal.any([giveUp.signal, AbortSignal.timeout(answerMs)])
      const message = { url, secrets: list, ...messageOf(id, next, now) }
      const answer = await deliver(message, { agent, now, signal })
      if (giveUp.signal.aborted && answer.status === null) return null
      attempts[isDone(answer) ? 'success' : 'failure'] += 1
      return answer
    }

    async function mailOwner({ id, user_id, url }: Taken) {
      const user = await app.repos.users.findById({ id: user_id })
      if (!user) return
      const text = [
        `Hello ${user.user_name},`,
        `for five days, nothing could be delivered to your webhook at ${new URL(url).host}. It was switched off: it is not told of further changes.`,
        'When its receiver works again, switch it on here:',
        `${app.baseUrl}/account/index#webhooks`
      ].join('\n\n')
      const mail = { to: user.e_mail, subject: 'A webhook was switched off', text }
      const signal = AbortSignal.any([giveUp.signal, AbortSignal.timeout(mailMs)])
      await app.mail.deliver(mail, signal).catch((err) => {
        app.log.error({ err, subscription: id }, 'the owner of a webhook was not mailed')
      })
    }

    /** Users with active subscriptions, so that changes of all others cost nothing. */
    let owners = new Set<number>()
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
      owners = new Set((await dueSubscriptions.owners({})).map(({ user_id }) => user_id))
      succeeded()
      if (owners.size > 0) await lookAt()
    }

    app.decorate('deliveries', {
      isOn,
      attempts,
      problemOf(url) {
        const parsed = URL.parse(url)
        if (!parsed) return 'must be a URL'
        const port = Number(parsed.port || 80)
        // Below 1024 are services that take commands from whoever connects, such as mail.
        if (port !== 80 && port !== 443 && port < 1024) {
          return 'must have port 80, 443, or one from 1024 up'
        }
        if (isAnywhere) return null
        if (options.SVC_ENV === 'production' && parsed.protocol !== 'https:') {
          return 'must begin with https://'
        }
        const host = unbracketed(parsed.hostname)
        return isIP(host) && !isAllowed(host) ? 'must lead to the public internet' : null
      },
      newSecret(user_id, kept) {
        const row = String(user_id)
        const added = addSecret(kept === null ? null : open(row, kept), app.now())
        return { secret: added.secret, secrets: seal(row, added.kept) }
      },
      wake(user_id) {
        owners.add(user_id)
        wake(user_id)
      },
      async look() {
        await look()
        while (running.size > 0) await Promise.all(running.values())
      }
    })

    if (!isOn) return
    app.sweep.add('subscriptions of ended tokens', (now) =>
      app.sweep.inSteps((limit) => subscriptions.removeEnded({ now, limit }))
    )
    app.changes.onCommitted((user_id) => {
      if (owners.has(user_id)) wake(user_id)
    })
    let looking: Promise<void> | undefined
    let timer: NodeJS.Timeout | undefined
    app.addHook('onReady', async () => {
      timer = setInterval(() => {
        looking ??= look()
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
      closing = setTimeout(() => giveUp.abort(), closeMs)
    })
    app.addHook('onClose', async () => {
      await looking
      await Promise.all(running.values())
      clearTimeout(closing)
      await agent.destroy()
    })
  },
  {
    name: 'deliveries',
    fastify: '5.x',
    dependencies: ['clock', 'base-url', 'database', 'changes', 'sweep', 'mail']
  }
)

/** The body of what is sent, and its id. A ping says nothing but that deliveries arrive. */
function messageOf(subscription: number, { change, asked }: Next, now: number) {
  const event = change
    ? {
        type: `${change.kind}.${change.action}d`,
        timestamp: change.at,
        data: shownChange(change)
      }
    : { type: 'ping', timestamp: new Date(now).toISOString(), data: { subscription } }
  return { id: change ? String(change.id) : `ping-${asked?.id}`, body: JSON.stringify(event) }
}
