import type { AreaTraffic, Client, Traffic, World } from '../client.ts'
import { signIn } from '../sign-in.ts'

type Session = { id: number; current: boolean }

/** A user who signs in a second time, sees that session in the list, and ends it. */
function elsewhereTraffic(client: Client): Traffic {
  const { caller, random, person, report, name } = client
  let others: Record<string, string>[] = []

  async function list() {
    const reply = await caller.send<{ sessions: Session[] }>('listSessions')
    if (reply.kind !== 'done') return []
    const { sessions } = reply.data
    const current = sessions.filter((it) => it.current)
    if (current.length !== 1)
      report.problem(`${name}: ${current.length} sessions are the current one`)
    // The list also has sessions of logins whose answers were lost.
    if (sessions.length <= others.length) report.problem(`${name}: a session is not listed`)
    return sessions.filter((it) => !it.current)
  }

  async function signInElsewhere() {
    const headers = await signIn.session(client, person.password)
    if (headers) others.push(headers)
  }

  async function checkEnded(ended: Record<string, string>[]) {
    const fails = ['SESSION-CLOSED']
    for (const headers of ended) {
      const reply = await caller.send('listTodos', { headers, isAnonymous: true, fails })
      if (reply.kind === 'done') report.problem(`${name}: a session that was ended still works`)
    }
  }

  async function endOne() {
    const other = random.pick(await list())
    if (!other) return
    // It has already ended if an answer was lost.
    const fails = ['SESSION-NOT-FOUND']
    const reply = await caller.send('endSession', { params: { id: other.id }, fails })
    if (reply.kind !== 'done') return
    const again = await caller.send('endSession', { params: { id: other.id }, fails })
    if (again.kind === 'done') report.problem(`${name}: session ${other.id} was ended twice`)
    // We do not know which session it was, so each is tried.
    const known = others
    others = []
    for (const headers of known) {
      const request = { headers, isAnonymous: true, fails: ['SESSION-CLOSED'] }
      if ((await caller.send('listTodos', request)).kind !== 'refused') others.push(headers)
    }
    if (known.length - others.length > 1) report.problem(`${name}: two sessions ended, not one`)
  }

  async function endOthers() {
    const reply = await caller.send<{ ended: number }>('endOtherSessions')
    if (reply.kind !== 'done') {
      others = []
      return
    }
    await checkEnded(others)
    others = []
    if ((await list()).length > 0) report.problem(`${name}: sessions are left that were ended`)
  }

  return { actions: [signInElsewhere, list, endOne, endOthers], check: list }
}

export default function ownSessions({ audit }: World): AreaTraffic {
  audit.expect({ endSession: 'session-end', endOtherSessions: 'sessions-end' })
  return { callers: ['user'], traffic: elsewhereTraffic }
}
