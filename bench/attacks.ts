/**
 * Attacks on the service, in a separate process. It attacks until it gets a message, then reports how
 * often it got each status, and ends. Used by `npm run bench:flood` and `npm run soak -- --attacks`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** Answers by status; 0 stands for a connection that was closed. */
type Tally = Record<number, number>

interface Attack {
  /** Of the service. */
  base: string
  count(status: number): void
}

/** An address of this machine, different from the one of honest callers. */
const localAddress = '127.0.0.2'
/** After a closed connection or a refusal, an attacker comes back after this time on average, in milliseconds. */
const pauseMs = 1000

/** Runs this many callers, who never end. */
const callers = (count: number, call: () => Promise<never>) =>
  Promise.all(Array.from({ length: count }, call))

async function signIn({ base, count }: Attack, body: string) {
  const answer = await fetch(`${base}/session/login`, { method: 'POST', body }).catch(() => null)
  count(answer?.status ?? 0)
  if (!answer) await wait(pauseMs)
}

/** Signs in with wrong passwords, from 64 callers at once. */
const logins = (attack: Attack) =>
  callers(64, async () => {
    for (;;) {
      const user_id = `nobody-${Math.random()}`
      await signIn(attack, JSON.stringify({ user_id, user_pass: 'wrong' }))
    }
  })

/**
 * A thousand connections that do nothing; each second, 14 connections that send 1,300 requests and read
 * no answer, and 30 sign-ins with 1 MB of nested JSON.
 */
async function strangers(attack: Attack) {
  const { base, count } = attack
  const { hostname, port } = new URL(base)
  const open = () =>
    connect({ host: hostname, port: Number(port), localAddress }).on('error', () => {})
  const requests = 'GET /api-docs/json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1300)
  const nested = `{"user_id":${'['.repeat(520_000)}${']'.repeat(520_000)}}`
  /** Does this again and again at random times: attackers do not act all together, even if all were closed at once. */
  const again = (work: () => Promise<unknown>) => async () => {
    for (;;) {
      await wait(2 * Math.random() * pauseMs)
      await work()
    }
  }
  const idle = again(async () => {
    await new Promise((resolve) => open().on('close', resolve).resume())
    count(0)
  })
  const unread = again(async () => {
    const socket = open().pause()
    socket.write(requests)
    // It does not read, so it does not learn that it is closed.
    setTimeout(() => socket.destroy(), pauseMs)
  })
  const nesting = again(() => signIn(attack, nested))
  await Promise.all([callers(1000, idle), callers(14, unread), callers(30, nesting)])
}

const attacks = { '64 callers at login': logins, 'idle, unread, nested': strangers }
export type AttackName = keyof typeof attacks
export const attackNames = Object.keys(attacks) as AttackName[]

/** Attacks until `stop` is called, which returns how often each status was answered. Resolves when all attackers have begun. */
export async function startAttack(base: string, name: AttackName) {
  const child = fork(import.meta.filename, [base, name])
  await once(child, 'message')
  await wait(2 * pauseMs)
  return {
    async stop(): Promise<Tally> {
      child.send('stop')
      const [tally] = await once(child, 'message')
      return tally
    }
  }
}

async function attackUntilTold(base: string, name: AttackName) {
  // Real strangers have machines of their own: on this one they get what the service leaves.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const tally: Tally = {}
  process.once('message', () => process.send?.(tally, () => process.exit()))
  process.once('disconnect', () => process.exit())
  const count = (status: number) => {
    tally[status] = (tally[status] ?? 0) + 1
  }
  process.send?.('begun')
  await attacks[name]({ base, count })
}

const [, , target, attack] = process.argv
const asked = attackNames.find((name) => name === attack)
if (import.meta.main && target && asked) await attackUntilTold(target, asked)
