import type { Attempt } from '../document/attempts.ts'
import { operationOf } from '../document/operations.ts'
import {
  type Call,
  type Everything,
  exampleCall,
  type Preparations,
  send
} from '../document/service.ts'

let made = 0

const json = (body: unknown) => (call: Call) => {
  call.body = JSON.stringify(body)
}

/** A name that no user has yet. */
function newUser(call: Call) {
  const user_id = `user-${made++}`
  json({ user_id, user_name: 'Anna', e_mail: `${user_id}@example.com` })(call)
}

export const prepare: Preparations = { createUser: newUser }

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
      async change(call: Call, service: Everything) {
        const change = operationOf('changeUser')
        await send(service, change, { ...exampleCall(change), params: call.params }, 'admin')
      },
      expected: [200]
    }
  ],
  changeUser: [
    {
      name: 'the last administrator',
      change(call) {
        administrator(call)
        json({ locked: true })(call)
      },
      expected: [409]
    }
  ]
}
