import { createHmac } from 'node:crypto'
import { Caller } from '../caller.ts'
import type { Traffic, World } from '../client.ts'
import type { Random } from '../random.ts'
import { Row } from '../row.ts'

/** Failures in a row that lock an account (`SVC_LOCKOUT_FAILURES`). */
const lockAfter = 5

/** Those who have no account: other services, people who look around, and guessers. */
export function visitorTraffic(world: World, random: Random): Traffic {
  const { report, webhooks } = world
  const caller = new Caller(world)

  function sign(body: Buffer, secret = world.webhookSecret) {
    const t = Math.floor(Date.now() / 1000)
    const hmac = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
    return { 'x-webhook-signature': `t=${t},v1=${hmac}` }
  }

  /** Sends an event until it is answered, as senders of webhooks do, and now and then once more. */
  async function sendEvent() {
    const payload = JSON.stringify({ event: 'soak', n: webhooks.size + 1 })
    const row = new Row<{ stored: true }>(`webhook ${payload}`, null)
    webhooks.set(payload, row)
    const body = Buffer.from(payload)
    const request = { body, headers: sign(body) }
    for (let left = random.chance(0.3) ? 2 : 1, sent = 0; left > 0; sent++) {
      const reply = await caller.send<{ duplicate: boolean }>('receiveWebhook', request)
      if (reply.kind !== 'done') continue
      left -= 1
      if (sent === 0 && reply.data.duplicate) report.problem(`${row.name}: was new, and is not`)
      row.wrote({ stored: true }, reply)
    }
  }

  async function sendForgedEvent() {
    const payload = JSON.stringify({ event: 'forged', n: webhooks.size + 1 })
    webhooks.set(payload, new Row<{ stored: true }>(`webhook ${payload}`, null))
    const body = Buffer.from(payload)
    const headers = sign(body, 'some other secret')
    const fails = ['WEBHOOK-SIGNATURE-INVALID']
    await caller.send('receiveWebhook', { body, headers, fails })
  }

  // Counts of failures are kept too: a lock must outlive a crash.
  let guessed = { user_id: 'nobody-1', least: 0, most: 0, names: 1 }
  async function guess() {
    if (guessed.least > lockAfter) {
      const names = guessed.names + 1
      guessed = { user_id: `nobody-${names}`, least: 0, most: 0, names }
    }
    const { least, most, user_id } = guessed
    const reply = await caller.send('login', {
      body: { user_id, user_pass: 'a guess' },
      fails: ['LOGIN-FAILED', 'ACCOUNT-LOCKED']
    })
    guessed.most += 1
    if (reply.kind !== 'refused') return
    guessed.least += 1
    const isLocked = reply.code === 'ACCOUNT-LOCKED'
    if (isLocked ? most < lockAfter : least >= lockAfter) {
      report.problem(`${user_id}: ${reply.code} after ${least} to ${most} failures`)
    }
  }

  const lookAround: (() => Promise<unknown>)[] = [
    () => caller.send('getHealth'),
    () => caller.send('evaluateFeatureFlags'),
    () => caller.send('listTodos', { fails: ['SESSION-CLOSED'] }),
    () => {
      const targetType = random.pick(['soak.session', 'soak.jwt']) ?? ''
      const params = { targetType, targetId: random.between(1, 4) }
      return caller.send('getReactionSummary', { params })
    },
    () => {
      const headers = { 'x-forwarded-for': `10.${random.bytes(3).join('.')}` }
      const body = { email: 'nobody@example.com' }
      return caller.send('requestPasswordReset', { body, headers })
    }
  ]

  return {
    actions: [sendEvent, sendEvent, sendEvent, sendForgedEvent, guess, guess, ...lookAround],
    async check() {}
  }
}
