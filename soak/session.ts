import type { Caller } from './caller.ts'
import type { Person } from './people.ts'
import type { Report } from './report.ts'

/** Signs in, until it is answered. */
export async function signIn(caller: Caller, { user_id, password }: Person) {
  for (;;) {
    const body = { user_id, user_pass: password }
    const reply = await caller.send('login', { body, headers: { cookie: '' } })
    if (reply.kind === 'refused') throw new Error(`${user_id} could not sign in: ${reply.code}`)
    if (reply.kind !== 'done') continue
    const [cookie = ''] = reply.headers['set-cookie']?.at(-1)?.split(';') ?? []
    caller.credentials = { cookie, 'x-csrf-token': String(reply.data.csrfToken) }
    return
  }
}

/** Ends the session and begins another. What has ended is refused, now and after every kill. */
export function renewal(caller: Caller, person: Person, report: Report) {
  const ended: string[] = []
  async function checkEnded() {
    const cookie = ended.at(-1)
    if (cookie === undefined) return
    const reply = await caller.send('listTodos', { headers: { cookie }, fails: ['SESSION-CLOSED'] })
    if (reply.kind === 'done') report.problem(`${person.user_id}: an ended session goes on`)
  }
  return {
    checkEnded,
    async renew() {
      const { cookie = '' } = caller.credentials
      const reply = await caller.send('logout')
      if (reply.kind === 'done') ended.push(cookie)
      await signIn(caller, person)
    }
  }
}
