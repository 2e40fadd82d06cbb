import type { Attempt } from '../document/attempts.ts'
import { type Call, type Everything, json, type Preparations, signIn } from '../document/service.ts'
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
  }
}

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
  ]
}
