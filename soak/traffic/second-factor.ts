import { setTimeout as wait } from 'node:timers/promises'
import { generateSync } from 'otplib'
import type { AreaTraffic, Client, Traffic, World } from '../client.ts'

const stepMs = 30_000

/**
 * A user who switches a second factor on, signs in with it, and switches it off. All in one action,
 * because other actions of this user sign in without a code.
 */
function secondFactorTraffic({ caller, person, report, name }: Client): Traffic {
  const { user_id, password: user_pass } = person

  const logIn = (code?: string) =>
    caller.send('login', {
      body: { user_id, user_pass, ...(code && { code }) },
      isAnonymous: true,
      fails: ['LOGIN-FAILED', 'SECOND-FACTOR-REQUIRED']
    })

  async function useOne() {
    const begun = await caller.send<{ secret: string }>('beginSecondFactor')
    if (begun.kind !== 'done') return
    const { secret } = begun.data
    const codeIn = (ms: number) =>
      generateSync({ secret, epoch: Math.floor((Date.now() + ms) / 1000) })
    let codes: string[] | null = null
    for (;;) {
      const reply = await caller.send<{ recovery_codes: string[] }>('confirmSecondFactor', {
        body: { code: codeIn(0) },
        fails: ['CONFLICT']
      })
      if (reply.kind === 'unknown') continue
      if (reply.kind === 'done') codes = reply.data.recovery_codes
      break
    }
    const bare = await logIn()
    if (bare.kind === 'done') report.problem(`${name}: signed in without its code`)
    const [first, last] = codes ?? []
    if (first) await useTwice(first)
    await end(last ?? null, codeIn)
  }

  async function useTwice(code: string) {
    const reply = await logIn(code)
    if (reply.kind === 'refused') report.problem(`${name}: ${reply.code} for a recovery code`)
    const again = reply.kind === 'done' && (await logIn(code))
    if (again && again.kind === 'done') report.problem(`${name}: a recovery code was good twice`)
  }

  /** A code in a request without an answer may be used already: then tries those of the next half minutes. */
  async function end(recovery: string | null, codeIn: (ms: number) => string) {
    let code = recovery ?? codeIn(stepMs)
    for (;;) {
      const reply = await caller.send('endSecondFactor', {
        body: { user_pass, code },
        fails: ['CONFLICT', 'LOGIN-FAILED']
      })
      if (reply.kind === 'done') return
      if (reply.kind === 'refused') {
        if (reply.code === 'CONFLICT') return
        await wait(stepMs / 2)
      }
      code = codeIn(stepMs)
    }
  }

  return { actions: [useOne], check: useOne }
}

export default function secondFactor({ audit }: World): AreaTraffic {
  audit.expect({
    beginSecondFactor: 'second-factor-begun',
    confirmSecondFactor: 'second-factor-on',
    endSecondFactor: 'second-factor-off'
  })
  return { callers: ['user'], traffic: secondFactorTraffic }
}
