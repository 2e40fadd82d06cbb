import type { Attempt } from '../document/attempts.ts'
import { operationOf } from '../document/operations.ts'
import {
  type Call,
  type Everything,
  json,
  type Preparations,
  send,
  signIn
} from '../document/service.ts'
import { becomeSomebodyElse, oldPassword } from '../document/somebody.ts'
import { call } from '../document/triggers.ts'

export const errors = { 'SESSION-NOT-FOUND': '404 Session was not found.' }

const change = (user_pass: string) => (call: Call) => {
  call.body = JSON.stringify({ user_pass, new_pass: 'correct horse battery' })
}

/** The key of the newest session of `admin`. */
async function newestSession({ app, ways }: Everything) {
  const { body } = await app.inject({ url: '/session/index', headers: ways.admin })
  return JSON.parse(body).Data.sessions[0].id
}

let addresses = 0
/** An address that nobody has asked for. */
const newAddress = () => `new-${addresses++}@example.com`

export const prepare: Preparations = {
  // The user would have fifty of them soon.
  deriveAccessToken: (_call, { sql }) =>
    sql('DELETE FROM access_tokens WHERE parent_id IS NOT NULL'),
  async endSession(call, service) {
    // Not the caller's own session.
    await signIn(service, 'admin', 'admin')
    call.params.id = String(await newestSession(service))
  },
  async changePassword(call, service) {
    await becomeSomebodyElse(service)
    change(oldPassword)(call)
  },
  async changeProfile(call, service) {
    await becomeSomebodyElse(service)
    json({ user_name: 'Anna', e_mail: newAddress() })(call)
  },
  async exportAccount(_call, service) {
    await becomeSomebodyElse(service)
  },
  async removeAccount(call, service) {
    await becomeSomebodyElse(service)
    json({ user_pass: oldPassword })(call)
  }
}

/** Makes the session of the caller older than one that needs no password. */
const older = ({ sql }: Everything) =>
  sql("UPDATE sessions SET created_at = '2026-11-20T00:00:00.000Z'")

const derived = { name: 'a helper', scopes: ['memo:read'], expires_in_minutes: 60 }

export const triggers = { 'SESSION-NOT-FOUND': call('endSession', { params: { id: '999999' } }) }

export const attempts: Record<string, Attempt[]> = {
  deriveAccessToken: [
    {
      name: 'a scope that the caller lacks',
      as: 'token to read todos',
      change: json(derived),
      expected: [403]
    }
  ],
  endSession: [
    {
      name: 'the current session',
      async change(call, service) {
        service.ways.admin = await signIn(service, 'admin', 'admin')
        call.params.id = String(await newestSession(service))
      },
      expected: [200]
    }
  ],
  changePassword: [
    { name: 'a wrong password', change: change('wrong'), expected: [401] },
    {
      name: 'a session without guesses left',
      async change(call, service) {
        await becomeSomebodyElse(service)
        await service.sql('UPDATE sessions SET wrong_passwords = 1000000')
        change(oldPassword)(call)
      },
      expected: [423]
    }
  ],
  changeProfile: [
    {
      name: 'an address of another user',
      change: json({ e_mail: 'demo@example.com' }),
      expected: [200]
    },
    {
      name: 'an address by an older session',
      async change(call, service) {
        await older(service)
        json({ e_mail: newAddress() })(call)
      },
      expected: [422]
    },
    {
      name: 'a wrong password',
      async change(call, service) {
        await older(service)
        json({ e_mail: newAddress(), user_pass: 'wrong' })(call)
      },
      expected: [401]
    },
    {
      name: 'a session without guesses left',
      async change(call, service) {
        await older(service)
        await service.sql('UPDATE sessions SET wrong_passwords = 1000000')
        json({ e_mail: newAddress(), user_pass: oldPassword })(call)
      },
      expected: [423]
    },
    {
      name: 'too many addresses',
      async change(call, service) {
        for (let n = 0; n < 6; n++) {
          json({ e_mail: newAddress() })(call)
          await send(service, operationOf('changeProfile'), call, 'admin')
        }
      },
      expected: [429]
    }
  ],
  removeAccount: [
    {
      name: 'a wrong password',
      async change(call, service) {
        await older(service)
        json({ user_pass: 'wrong' })(call)
      },
      expected: [401]
    },
    {
      name: 'a session without guesses left',
      async change(call, service) {
        await older(service)
        await service.sql('UPDATE sessions SET wrong_passwords = 1000000')
        json({ user_pass: oldPassword })(call)
      },
      expected: [423]
    },
    {
      name: 'the last administrator',
      async change(call, service) {
        service.ways.admin = await signIn(service, 'admin', 'admin')
        json({ user_pass: 'admin' })(call)
        await service.sql("UPDATE users SET role = 'user' WHERE user_id <> 'admin'")
      },
      expected: [409]
    }
  ]
}
