import type { Action, AreaTraffic, Client, Traffic, Visitor, World } from '../client.ts'
import type { Report } from '../report.ts'

/** Failures in a row that lock an account (`SVC_LOCKOUT_FAILURES`). */
const lockAfter = 5

/** Clients ask whose credentials they have. */
function sessionTraffic({ caller, person, report, name }: Client): Traffic {
  async function readCurrent() {
    const reply = await caller.send<{ user: { id: number } }>('getCurrentSession')
    if (reply.kind !== 'done' || reply.data.user.id === person.id) return
    report.problem(`${name}: is user ${reply.data.user.id} to the service`)
  }
  return { actions: [readCurrent], check: readCurrent }
}

function guessing({ caller }: Visitor, report: Report): Action {
  // The counts of failures are checked too: a lock must survive a crash.
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
  return guess
}

export default function session({ report }: World): AreaTraffic {
  return {
    callers: ['user', 'admin', 'jwt', 'agent'],
    traffic: sessionTraffic,
    visit(visitor) {
      const guess = guessing(visitor, report)
      return [guess, guess]
    }
  }
}
