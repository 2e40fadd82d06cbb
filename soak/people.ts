import { hash } from 'bcrypt'
import { openDatabase } from '../db/open.ts'
import { keepPrivate } from '../lib/runtime/private-folder.ts'
import type { Config } from '../schemas/config.ts'
import type { Role } from '../schemas/user.ts'
import type { Random } from './random.ts'

export interface Person {
  /** Login name. */
  user_id: string
  password: string
  /** The credential of its client. Each client has a user of its own, so whatever it lists is its own. */
  via: 'session' | 'jwt' | 'token' | 'agent'
}

const people = [
  { user_id: 'root', role: 'admin', via: 'session' },
  { user_id: 'anna', role: 'user', via: 'session' },
  { user_id: 'boris', role: 'user', via: 'session' },
  { user_id: 'carla', role: 'user', via: 'jwt' },
  { user_id: 'dmitri', role: 'user', via: 'token' },
  { user_id: 'agent', role: 'user', via: 'agent' }
] as const satisfies { user_id: string; role: Role; via: Person['via'] }[]

/** Adds them to an empty database. */
export async function addPeople(config: Config, random: Random): Promise<Person[]> {
  keepPrivate(config.SVC_DATA_DIR)
  const { repos, close } = await openDatabase(config)
  try {
    if ((await repos.users.count()) > 0) throw new Error('the database is in use already')
    const added: Person[] = []
    for (const { user_id, role, via } of people) {
      const password = random.bytes(8).toString('hex')
      const password_hash = await hash(password, config.SVC_BCRYPT_COST)
      const account = { user_id, user_name: user_id, e_mail: `${user_id}@example.com`, role }
      const now = new Date()
      const times = { now: now.toISOString(), now_ms: now.getTime() }
      await repos.users.insert({ ...account, password_hash, ...times })
      added.push({ user_id, password, via })
    }
    return added
  } finally {
    await close()
  }
}
