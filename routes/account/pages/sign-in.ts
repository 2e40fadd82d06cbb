import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { confirmUser, isRecent } from '../../../plugins/identity/recent-sign-in.ts'
import { ownSession } from '../../../plugins/identity/session.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { Natural } from '../../../schemas/common.ts'
import { maxPasskeys, NewPasskey, PasskeyBegin, PasskeyKey } from '../../../schemas/passkey.ts'
import {
  SecondFactorBegin,
  SecondFactorCode,
  SecondFactorEnd
} from '../../../schemas/second-factor.ts'
import { deviceOf } from './sessions.ts'

const at = { 'LOGIN-FAILED': 'user_pass' }
const words = { 'LOGIN-FAILED': 'This is not your password.' }

/** The browser's script writes what it has made into `credential`, as JSON. */
const PasskeyForm = Type.Object({
  name: NewPasskey.properties.name,
  user_pass: PasskeyBegin.properties.user_pass,
  credential: Type.String()
})

/** `id` is that of a provider. */
const ProviderLink = Type.Object({
  id: Type.String({ maxLength: 32 }),
  user_pass: PasskeyBegin.properties.user_pass
})

/** Names an account at a provider that the user has linked. */
const LinkedKey = Type.Object({ id: Natural({ description: 'Its key.' }) })

const lastWayIn =
  'You could not sign in any more: this is your last way in. Set a password, or make a passkey, first.'

/** The ways to sign in: the forms of passkeys, and of `/account/totp` and `/account/totpoff`. */
export function signIn(app: FastifyInstance): Page {
  const checkPasskey = app.check(NewPasskey)
  return {
    url: '/account/signin',
    title: 'Ways to sign in',
    view: 'routes/account/pages/sign-in',
    forms: {
      // Not `once`: a wrong password is counted, which the transaction of such a form would take back.
      beginfactor: form(app, SecondFactorBegin, {
        async run(fields, request) {
          const setup = await app.secondFactor.begin(request, fields)
          return { show: { setup: { ...setup, qr: await drawn(setup.otpauth_url) } } }
        },
        at,
        words
      }),
      confirmfactor: form(app, SecondFactorCode, {
        run: async (fields, request) => ({
          show: { codes: await app.secondFactor.confirm(request, fields) }
        }),
        at,
        words
      }),
      addpasskey: form(app, PasskeyForm, {
        done: 'The passkey was created. You can sign in with it from now on.',
        async run({ name, credential }, request) {
          const { failure, value } = checkPasskey({ name, credential: parsed(credential) })
          if (failure) throw failure
          await app.passkeys.add(request, value)
          return undefined
        },
        words: {
          name: 'Give it a name of at most 64 characters, in one line.',
          credential: 'No passkey was created. Try again; this needs JavaScript.',
          CONFLICT: 'This passkey is already here, or you have reached the maximum number.'
        }
      }),
      removepasskey: form(app, PasskeyKey, {
        done: 'The passkey was removed.',
        async ask({ id }, request) {
          const passkey = (await app.passkeys.list(request)).find((one) => one.id === id)
          return (
            passkey && {
              title: `Remove “${passkey.name}”?`,
              text: 'You cannot sign in with it any more. Your other ways to sign in still work.',
              button: 'Remove'
            }
          )
        },
        async run({ id }, request) {
          await app.passkeys.remove(request, id)
          return undefined
        },
        words: { CONFLICT: lastWayIn }
      }),
      linkprovider: form(app, ProviderLink, {
        done: 'It was linked. You can sign in with it from now on.',
        async run({ id, user_pass }, request, reply) {
          await confirmUser(request, user_pass)
          const session = ownSession(request)
          return { show: { leave: await app.providers.begin(request, reply, id, { session }) } }
        },
        at,
        words: {
          ...words,
          'DOWNSTREAM-FAILED':
            'The other service does not answer as it must. Please try again later.'
        }
      }),
      removeprovider: form(app, LinkedKey, {
        done: 'It was removed.',
        async ask({ id }, request) {
          const own = (await app.providers.list(request)).find((one) => one.id === id)
          return (
            own && {
              title: `Remove ${own.name}?`,
              text: 'You cannot sign in with it any more. Sessions that it began stay.',
              button: 'Remove'
            }
          )
        },
        async run({ id }, request) {
          await app.providers.remove(request, id)
          return undefined
        },
        words: { CONFLICT: lastWayIn }
      }),
      endfactor: form(app, SecondFactorEnd, {
        done: 'The second factor was switched off.',
        async run(fields, request) {
          await app.secondFactor.end(request, fields)
          return undefined
        },
        at,
        words: { ...words, code: 'This code is wrong or was already used.' }
      })
    },
    async load(request) {
      const { user } = request.viewer
      const account = await app.repos.users.find(user)
      const linked = await app.providers.list(request)
      const passkeys = {
        hasPassword: !!account?.password_hash,
        linked,
        unlinked: app.providers.all.filter(({ name }) => !linked.some((one) => one.name === name)),
        passkeys: await app.passkeys.list(request),
        maxPasskeys,
        origin: app.passkeys.origin(),
        device: deviceOf(request.headers['user-agent'] ?? null).slice(0, 64),
        asksPassword: !(await isRecent(request))
      }
      if (await app.secondFactor.isOn(user)) {
        const left = await app.repos.recoveryCodes.count({ user_id: user.id })
        return { ...passkeys, isOn: true, left }
      }
      return { ...passkeys, isOn: false, isBegun: await app.secondFactor.isBegun(request) }
    }
  }
}

/** The JSON of a text; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const border = 4

/** A QR code as the path of an SVG, a unit for each square, and how wide that is. */
async function drawn(text: string) {
  const { default: encodeQR } = await import('qr')
  const rows = encodeQR(text, 'raw', { border, ecc: 'medium' })
  const runs = rows.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g)
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
  )
  return { size: rows.length, path: runs.join('') }
}
