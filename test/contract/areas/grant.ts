import type { Preparations } from '../document/service.ts'
import { call } from '../document/triggers.ts'

export const errors = { 'GRANT-NOT-FOUND': '404 Grant was not found.' }

let made = 0

export const prepare: Preparations = {
  async endGrant(call, { app }) {
    const { users, oauthGrants } = app.db.repos
    const user = await users.find({ user_id: 'admin' })
    const { id: user_id = 0 } = user ?? {}
    made += 1
    await oauthGrants.insert({
      ...{ grant_id: `grant ${made}`, user_id, client_id: 'a client', client_name: 'A program' },
      ...{ host: 'program.example', scopes: 'todo:read', asks: false, now: app.timestamp() },
      expires_at: app.now() + 60_000
    })
    const [newest] = await app.repos.oauthGrants.list({ user_id, now: app.now() })
    call.params.id = String(newest?.id)
  }
}

export const triggers = { 'GRANT-NOT-FOUND': call('endGrant', { params: { id: '999999' } }) }
