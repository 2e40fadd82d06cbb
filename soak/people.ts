import { hash } from 'bcrypt'
import { openDatabase } from '../db/open.ts'
import { keepPrivate } from '../plugins/runtime/private-folder.ts'
import type { Config } from '../schemas/config.ts'
import type { Person } from './client.ts'
import type { Random } from './random.ts'

const users = ['anna', 'boris', 'carla', 'dmitri', 'elena']

/** Adds an administrator and five users to an empty database. */
export async function addPeople(config: Config, random: Random): Promise<Person[]> {
  keepPrivate(config.SVC_DATA_DIR)
  const { repos, close } = await openDatabase(config)
  const add = async (user_id: string, role: Person['role']) => {
    const account = { user_id, user_name: user_id, e_mail: `${user_id}@example.com`, role }
    const password = random.bytes(8).toString('hex')
    const password_hash = await hash(password, config.SVC_BCRYPT_COST)
    const now = new Date()
    const times = { now: now.toISOString(), now_ms: now.getTime() }
    await repos.users.insert({ ...account, password_hash, ...times })
    const found = await repos.users.find({ user_id })
    if (!found) throw new Error(`${user_id} was not added`)
    return { ...account, id: found.id, password }
  }
  try {
    if ((await repos.users.count()) > 0) throw new Error('the database is in use already')
    const added = [await add('root', 'admin')]
    for (const user_id of users) added.push(await add(user_id, 'user'))
    return added
  } finally {
    await close()
  }
}
