import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../../schemas/config.ts'
import { isLoopback, unbracketed } from '../../../schemas/host.ts'
import { type ChangeDelivery, eventOf, type PingDelivery } from '../../../schemas/subscription.ts'
import { tracedDelivery } from '../../../schemas/traced.ts'
import { isPublic, makePublicAgent } from '../../runtime/public-fetch.ts'
import { sealer, urlSecretOf } from '../../runtime/secrets.ts'
import { shownChange } from '../activity/own-activity.ts'
import { addSecret, answerMs, deliver, isDone, limitAnswers } from './delivery.ts'
import type { Next, Taken, TakenChange } from './delivery-attempt.ts'
import { hostBudget } from './host-budget.ts'

/** How long a mail is tried again, in milliseconds; one last try follows (`leaseMs`). */
const mailMs = 5000

export type SenderOptions = Pick<
  Config,
  'SVC_WEBHOOK_PRIVATE' | 'SVC_ENV' | 'SVC_DATA_DIR' | 'SVC_URL_SECRET'
>

/** Sends deliveries: to which addresses, with which secrets and words. */
export function makeSender(app: FastifyInstance, options: SenderOptions) {
  const isAnywhere = options.SVC_WEBHOOK_PRIVATE
  const isAllowed = (address: string) =>
    isAnywhere || isPublic(address) || (options.SVC_ENV === 'development' && isLoopback(address))
  const budget = hostBudget(app.peers)
  const makeAgent = () =>
    makePublicAgent({
      isAllowed,
      timeoutMs: answerMs,
      onConnect(socket, host) {
        limitAnswers(socket)
        budget.connected(socket, host)
      }
    })
  let agent: ReturnType<typeof makeAgent> | undefined
  const { seal, open } = sealer(urlSecretOf(options), 'webhook')
  const giveUp = new AbortController()
  const attempts = { success: 0, failure: 0 }

  /** Why nothing may be sent to this URL; null if it may. */
  function problemOf(url: string) {
    const parsed = URL.parse(url)
    if (!parsed) return 'must be a URL'
    const port = Number(parsed.port || 80)
    // Below 1024 are services that take commands from any connection, such as mail.
    if (port !== 80 && port !== 443 && port < 1024) {
      return 'must have port 80, 443, or one from 1024 up'
    }
    if (isAnywhere) return null
    if (options.SVC_ENV === 'production' && parsed.protocol !== 'https:') {
      return 'must begin with https://'
    }
    const host = unbracketed(parsed.hostname)
    return isIP(host) && !isAllowed(host) ? 'must lead to the public internet' : null
  }

  return {
    attempts,
    problemOf,

    newSecret(user_id: number, kept: string | null) {
      const row = String(user_id)
      const added = addSecret(kept === null ? null : open(row, kept), app.now())
      return { secret: added.secret, secrets: seal(row, added.kept) }
    },

    /**
     * `wait` if it was not sent after all: its host has had enough, the subscription was deleted meanwhile, or the service
     * is closing, and another process sends it, or this one when it is back.
     */
    async send({ id, user_id, url, secrets }: Taken, next: Next, ending: AbortSignal) {
      const now = app.now()
      // The rules may have changed since it was made.
      if (problemOf(url) !== null) return { status: null, error: 'not-allowed', ms: 0 }
      const list = open(String(user_id), secrets)
      if (list === null) {
        app.log.warn({ subscription: id }, 'a secret was encrypted with another SVC_URL_SECRET')
        return { status: null, error: 'unsigned', ms: 0 }
      }
      const message = { url, secrets: list, ...messageOf(id, next, now) }
      const wait = await budget.waitFor(url, Buffer.byteLength(message.body))
      if (wait > 0) return { wait }
      const isEnded = AbortSignal.any([giveUp.signal, ending])
      const signal = AbortSignal.any([isEnded, AbortSignal.timeout(answerMs)])
      agent ??= makeAgent()
      const using = { agent: await agent, now, signal }
      const cause = next.change?.traceparent ?? null
      const answer = await tracedDelivery(cause, (headers) =>
        deliver({ ...message, headers }, using)
      )
      if (isEnded.aborted && answer.status === null) return { wait: 0 }
      attempts[isDone(answer) ? 'success' : 'failure'] += 1
      return answer
    },

    /** Says that a webhook was switched off after failures. */
    async mailOwner({ id, user_id, url }: Taken) {
      const user = await app.repos.users.findById({ id: user_id })
      if (!user) return
      const text = [
        `Switch your webhook at ${new URL(url).host} on again when its receiver works:`,
        `${app.baseUrl}/account/webhooks`,
        `This email is for ${user.user_name}: for five days, nothing could be delivered to it. It was switched off, and gets no further changes.`
      ].join('\n\n')
      const mail = { to: user.e_mail, subject: 'A webhook was switched off', text }
      const signal = AbortSignal.any([giveUp.signal, AbortSignal.timeout(mailMs)])
      await app.mail.deliver(mail, signal).catch((err) => {
        app.log.error({ err, subscription: id }, 'the owner of a webhook was not mailed')
      })
    },

    /** Waits for no answer any more. */
    giveUp: () => giveUp.abort(),
    close: async () => (await agent)?.destroy()
  }
}

const withoutTrace = ({ traceparent: _, ...change }: TakenChange) => change

/** The body of what is sent, and its id. A ping says nothing but that deliveries arrive. */
function messageOf(subscription: number, { change, asked }: Next, now: number) {
  const event: ChangeDelivery | PingDelivery = change
    ? { type: eventOf(change), timestamp: change.at, data: shownChange(withoutTrace(change)) }
    : { type: 'ping', timestamp: new Date(now).toISOString(), data: { subscription } }
  return { id: change ? String(change.id) : `ping-${asked?.id}`, body: JSON.stringify(event) }
}
