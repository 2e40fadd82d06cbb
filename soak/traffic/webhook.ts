import { createHmac } from 'node:crypto'
import type { Action, AreaTraffic, Visitor, World } from '../client.ts'
import type { Report } from '../report.ts'
import { compareAll, Row } from '../row.ts'

const stored = { stored: true } as const
/** By payload. */
type Events = Map<string, Row<typeof stored>>

function sign(body: Buffer, secret: string) {
  const t = Math.floor(Date.now() / 1000)
  const hmac = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  return { 'x-webhook-signature': `t=${t},v1=${hmac}` }
}

function webhookActions(
  { caller, random }: Visitor,
  events: Events,
  secret: string,
  report: Report
): Action[] {
  function add(event: string) {
    const payload = JSON.stringify({ event, n: events.size + 1 })
    const row = new Row<typeof stored>(`webhook ${payload}`, null)
    events.set(payload, row)
    return { row, body: Buffer.from(payload) }
  }

  /** Sends an event until it is answered, as senders of webhooks do; sometimes once more. */
  async function sendEvent() {
    const { row, body } = add('soak')
    const request = { body, headers: sign(body, secret) }
    for (let left = random.chance(0.3) ? 2 : 1, sent = 0; left > 0; sent++) {
      const reply = await caller.send<{ duplicate: boolean }>('receiveWebhook', request)
      if (reply.kind !== 'done') continue
      left -= 1
      if (sent === 0 && reply.data.duplicate) report.problem(`${row.name}: was new, and is not`)
      row.wrote(stored, reply)
    }
  }

  async function sendForgedEvent() {
    const { body } = add('forged')
    const headers = sign(body, 'some other secret')
    const fails = ['WEBHOOK-SIGNATURE-INVALID']
    await caller.send('receiveWebhook', { body, headers, fails })
  }

  return [sendEvent, sendEvent, sendEvent, sendForgedEvent]
}

export default function webhook({ config, report }: World): AreaTraffic {
  const events: Events = new Map()
  return {
    visit: (visitor) => webhookActions(visitor, events, config.SVC_WEBHOOK_SECRET, report),
    async checkDatabase(read) {
      const found = await read('SELECT payload FROM webhook_events')
      compareAll(
        events,
        found.map((it) => [String(it.payload), stored]),
        report
      )
    }
  }
}
