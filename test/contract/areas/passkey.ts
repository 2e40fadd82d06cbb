import type { InjectOptions } from 'fastify'
import { addPasskey, beginSignIn, makeAuthenticator } from '../../support/passkey.ts'
import type { Attempt } from '../document/attempts.ts'
import { type Call, type Everything, json, type Preparations } from '../document/service.ts'
import { becomeSomebodyElse } from '../document/somebody.ts'
import { call } from '../document/triggers.ts'

/** The session of `admin`, as helpers for passkeys use it. */
const browserOf = ({ app, ways }: Everything) => ({
  cookie: ways.admin.cookie,
  csrfToken: ways.admin['x-csrf-token'],
  send: (method: NonNullable<InjectOptions['method']>, url: string, payload?: unknown) =>
    app.inject({
      method,
      url,
      headers: ways.admin,
      ...(payload !== undefined && { payload: JSON.stringify(payload) })
    })
})

async function addOne(service: Everything) {
  // The user would have twenty of them soon.
  await service.sql('DELETE FROM passkeys')
  return addPasskey(service.app, browserOf(service))
}

async function create(call: Call, service: Everything) {
  await service.sql('DELETE FROM passkeys')
  const begun = await browserOf(service).send('POST', '/account/passkeyoptions')
  const { create } = makeAuthenticator(service.app)
  json({ name: 'my phone', credential: create(begun.json().Data.options) })(call)
}

async function signIn(call: Call, service: Everything) {
  const { get } = await addOne(service)
  const { cookie, options } = await beginSignIn(service.app)
  call.headers.cookie = cookie
  json({ credential: get(options) })(call)
}

export const errors = { 'PASSKEY-NOT-FOUND': '404 Passkey was not found.' }

export const prepare: Preparations = {
  // The session is recent.
  beginPasskey: json({}),
  createPasskey: create,
  signInWithPasskey: signIn,
  async deletePasskey(call, service) {
    call.params.id = String((await addOne(service)).passkey.id)
  }
}

/** The user has as many as there may be. */
async function full(call: Call, service: Everything) {
  await create(call, service)
  for (let id = 0; id < 20; id++) {
    await service.app.db.repos.passkeys.insert({
      ...{ user_id: 1, name: 'x', credential_id: String(id), public_key: 'x', counter: 0 },
      now: service.app.timestamp()
    })
  }
}

export const attempts: Record<string, Attempt[]> = {
  beginPasskey: [
    {
      name: 'as many as there may be',
      change: (call, service) => full({ ...call }, service),
      expected: [409]
    }
  ],
  createPasskey: [{ name: 'as many as there may be', change: full, expected: [409] }],
  signInWithPasskey: [
    {
      name: 'a challenge of another browser',
      change: (call) => {
        call.headers.cookie = 'passkey=x'
      },
      expected: [401]
    },
    {
      name: 'a foreign page',
      change: (call) => {
        call.headers['sec-fetch-site'] = 'cross-site'
      },
      expected: [403]
    },
    {
      name: 'a locked user',
      async change(call, service) {
        const user_id = await becomeSomebodyElse(service)
        await signIn(call, service)
        await service.sql(`UPDATE users SET locked_at = 1 WHERE user_id = '${user_id}'`)
      },
      expected: [423]
    }
  ],
  deletePasskey: [
    {
      name: 'the last way in',
      async change(call, service) {
        const user_id = await becomeSomebodyElse(service)
        call.params.id = String((await addOne(service)).passkey.id)
        await service.sql(`UPDATE users SET password_hash = '' WHERE user_id = '${user_id}'`)
      },
      expected: [409]
    }
  ],
  beginPasskeySignIn: [
    {
      name: 'a foreign page',
      change: (call) => {
        call.headers['sec-fetch-site'] = 'cross-site'
      },
      expected: [403]
    }
  ]
}

export const triggers = {
  'PASSKEY-NOT-FOUND': call('deletePasskey', { params: { id: '999999' } })
}
