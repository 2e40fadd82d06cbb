import { addUser } from '../../support/helper.ts'
import type { Attempt } from '../document/attempts.ts'
import { type Call, json, type Preparations, sendExample } from '../document/service.ts'

let made = 0

/** A name that no user has yet. */
function newUser(call: Call) {
  const user_id = `user-${made++}`
  json({ user_id, user_name: 'Anna', e_mail: `${user_id}@example.com` })(call)
}

export const prepare: Preparations = {
  createUser: newUser,
  async deleteUser(call, { app, sql }) {
    const user_id = `user-${made++}`
    await addUser(app, user_id)
    const [user] = await sql(`SELECT id FROM users WHERE user_id = '${user_id}'`)
    call.params.id = String(user?.id)
  }
}

const administrator = (call: Call) => Object.assign(call.params, { id: '1' })

export const attempts: Record<string, Attempt[]> = {
  createUser: [
    {
      name: 'a name that is taken',
      change: json({ user_id: 'demo', user_name: 'x', e_mail: 'x@example.com' }),
      expected: [409]
    }
  ],
  getUser: [
    {
      name: 'a locked user',
      change: ({ params }, service) => sendExample(service, 'changeUser', { params }),
      expected: [200]
    }
  ],
  changeUser: [
    {
      name: 'an address that is taken',
      change(call) {
        call.params.id = '2'
        json({ e_mail: 'ADMIN@example.com' })(call)
      },
      expected: [409]
    },
    {
      name: 'the last administrator',
      change(call) {
        administrator(call)
        json({ locked: true })(call)
      },
      expected: [409]
    }
  ],
  deleteUser: [{ name: 'the last administrator', change: administrator, expected: [409] }]
}
