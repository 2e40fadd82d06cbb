/**
 * Attacks on the service, in a process of their own: `npm run bench -- --flood` and
 * `npm run soak -- --attacks`. It attacks until it gets a message, then says how often it got each status.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** Answers by status; 0 stands for a connection that was closed. */
const tally: Record<number, number> = {}
function count(status: number) {
  tally[status] = (tally[status] ?? 0) + 1
}

/** An address of this machine, different from the one of honest callers. */
const localAddress = '127.0.0.2'
/** After a closed connection or a refusal, an attacker comes back after this time on average, in milliseconds. */
const pauseMs = 1000

/** So many callers, who act again and again after pauses: at random, as attackers do not act all together. */
const callers = (number: number, pauseMs: number, act: () => Promise<unknown>) =>
  Array.from({ length: number }, async () => {
    for (;;) {
      await wait(2 * Math.random() * pauseMs)
      await act()
    }
  })

async function signIn(base: string, body: string) {
  const answer = await fetch(`${base}/session/login`, { method: 'POST', body }).catch(() => null)
  count(answer?.status ?? 0)
  if (!answer) await wait(pauseMs)
}

const attacks = {
  /** Wrong passwords without a pause. */
  '64 callers at login': (base: string) =>
    callers(64, 0, () =>
      signIn(base, JSON.stringify({ user_id: `nobody-${Math.random()}`, user_pass: 'wrong' }))
    ),
  /**
   * A thousand connections that do nothing; each second, 14 connections that send 1,300 requests and read
   * no answer, and 30 sign-ins with 1 MB of nested JSON.
   */
  'idle, unread, nested'(base: string) {
    const { hostname: host, port } = new URL(base)
    const open = () => connect({ host, port: Number(port), localAddress }).on('error', () => {})
    const requests = 'GET /api-docs/json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1300)
    const nested = `{"user_id":${'['.repeat(520_000)}${']'.repeat(520_000)}}`
    async function stayIdle() {
      await new Promise((resolve) => open().on('close', resolve).resume())
      count(0)
    }
    async function readNothing() {
      const socket = open().pause()
      socket.write(requests)
      // It does not read, so it does not learn that it is closed.
      setTimeout(() => socket.destroy(), pauseMs)
    }
    return [
      ...callers(1000, pauseMs, stayIdle),
      ...callers(14, pauseMs, readNothing),
      ...callers(30, pauseMs, () => signIn(base, nested))
    ]
  }
}
export type AttackName = keyof typeof attacks

/** Attacks until `stop` is called, which returns how often each status was answered. Resolves when all attackers have begun. */
export async function startAttack(base: string, name: AttackName) {
  const child = fork(import.meta.filename, [base, name])
  await once(child, 'message')
  await wait(2 * pauseMs)
  return {
    async stop(): Promise<typeof tally> {
      child.send('stop')
      const [answers] = await once(child, 'message')
      return answers
    }
  }
}

if (import.meta.main) {
  // Real strangers have machines of their own: on this one they get what the service leaves.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  process.once('message', () => process.send?.(tally, () => process.exit()))
  process.once('disconnect', () => process.exit())
  const [, , base = '', name] = process.argv
  attacks[name as AttackName](base)
  process.send?.('begun')
}
