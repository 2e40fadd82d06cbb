import type { Caller } from './caller.ts'
import type { Actor, Parts } from './client.ts'

/** Signs in, until it is answered. */
export async function signIn(caller: Caller, name: string) {
  for (;;) {
    const body = { user_id: name, user_pass: name }
    const reply = await caller.send('login', { body, headers: { cookie: '' } })
    if (reply.kind === 'refused') throw new Error(`${name} could not sign in: ${reply.code}`)
    if (reply.kind !== 'done') continue
    const [cookie = ''] = [reply.headers['set-cookie'] ?? []].flat().at(-1)?.split(';') ?? []
    caller.credentials = { cookie, 'x-csrf-token': String(reply.data.csrfToken) }
    return
  }
}

/** Ends the session and begins another. What has ended is refused, now and after every kill. */
export function renewingActor({ name, caller, report }: Parts): Actor {
  const ended: string[] = []
  async function check() {
    const cookie = ended.at(-1)
    if (cookie === undefined) return
    const reply = await caller.send('listTodos', { headers: { cookie }, fails: ['SESSION-CLOSED'] })
    if (reply.kind === 'done') report.problem(`${name}: an ended session goes on`)
  }
  async function renew() {
    const { cookie = '' } = caller.credentials
    const reply = await caller.send('logout')
    if (reply.kind === 'done') ended.push(cookie)
    await signIn(caller, name)
  }
  return { actions: [renew, check], check }
}
