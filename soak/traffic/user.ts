import { listAll } from '../caller.ts'
import type { AreaTraffic, Client, Traffic, World } from '../client.ts'
import { Rows } from '../row.ts'

type User = { id: number; user_name: string; role: string; locked: boolean }
type Value = Pick<User, 'role' | 'locked'>

/** Nobody deletes users. */
const most = 12

const contentOf = ({ role, locked }: User): Value => ({ role, locked })

/** An administrator who adds, locks and unlocks users, gives them roles and ends their sessions. */
function userTraffic({ caller, random, report, name }: Client): Traffic {
  const rows = new Rows<Value>(`user ${name}`, report)
  const roleOf = () => (random.chance(0.3) ? 'admin' : 'user')

  async function create() {
    if (rows.all.size >= most) return change()
    const row = rows.add()
    const user_id = row.name.replaceAll(' ', '_')
    const role = roleOf()
    const body = { user_id, user_name: row.name, e_mail: `${user_id}@example.com`, role }
    const reply = await caller.send<{ user: User }>('createUser', { body })
    row.wrote({ role, locked: false }, reply)
    if (reply.kind === 'done') row.id = reply.data.user.id
  }

  async function createTwice() {
    const row = random.pick(rows.live)
    if (!row) return
    const user_id = row.name.replaceAll(' ', '_')
    const body = { user_id, user_name: row.name, e_mail: 'another@example.com' }
    await caller.send('createUser', { body, fails: ['CONFLICT'] })
  }

  async function change() {
    const row = random.pick(rows.live)
    if (!row?.value) return
    const body = {
      ...(random.chance(0.5) ? { role: roleOf() } : { locked: random.chance(0.5) }),
      ...(random.chance(0.2) && { locked: random.chance(0.5) })
    }
    const reply = await caller.send('changeUser', { params: { id: row.id }, body })
    row.wrote({ ...row.value, ...body }, reply)
  }

  async function endSessions() {
    const row = random.pick(rows.live)
    if (row) await caller.send('endUserSessions', { params: { id: row.id } })
  }

  async function read() {
    const row = random.pick(rows.live)
    if (!row) return
    const reply = await caller.send<{ user: User }>('getUser', { params: { id: row.id } })
    if (reply.kind === 'done') row.saw(contentOf(reply.data.user), report)
  }

  async function list() {
    const found = await listAll<User>(caller, 'listUsers', 'users')
    if (!found) return
    rows.compare(
      found.map((user) => ({ name: user.user_name, id: user.id, value: contentOf(user) }))
    )
  }

  return {
    actions: [create, createTwice, change, change, endSessions, read, list],
    check: list
  }
}

export default function user({ audit }: World): AreaTraffic {
  audit.expect({ createUser: 'user-add', endUserSessions: 'sessions-end' })
  return { callers: ['admin'], traffic: userTraffic }
}
