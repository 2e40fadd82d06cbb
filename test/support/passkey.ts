import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import type { LightMyRequestResponse } from 'fastify'
import type { App } from '../../app.ts'
import type {
  CreationOptions,
  NewPasskey,
  PasskeySignIn,
  RequestOptions
} from '../../schemas/passkey.ts'
import type { signIn } from './helper.ts'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** What an authenticator, or the browser before it, does wrong. */
interface Wrongs {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string
}

/** An authenticator with one credential, and the browser that it is used in: ES256, without attestation. */
export function makeAuthenticator(app: App) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = (value: string) =>
    Buffer.concat([Buffer.from('5820', 'hex'), Buffer.from(value, 'base64url')])
  const cose = Buffer.concat([
    ...[Buffer.from('a5010203262001', 'hex'), Buffer.from('21', 'hex'), point(x)],
    ...[Buffer.from('22', 'hex'), point(y)]
  ])
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  let userHandle = ''

  const clientData = (type: string, wanted: string, wrongs: Wrongs) =>
    Buffer.from(
      JSON.stringify({
        type: wrongs.type ?? type,
        challenge: wrongs.challenge ?? wanted,
        origin: wrongs.origin ?? app.passkeys.origin(),
        crossOrigin: false
      })
    )

  function authenticatorData(rpId: string, wrongs: Wrongs, credential = Buffer.alloc(0)) {
    const { isVerified = true, counter = 0 } = wrongs
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (credential.length > 0 ? 0x40 : 0)
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(wrongs.rpId ?? rpId), tail, credential])
  }

  return {
    id,

    /** Answers `navigator.credentials.create`. */
    create(
      { challenge, rp, user }: Static<typeof CreationOptions>,
      wrongs: Wrongs = {}
    ): NewPasskey['credential'] {
      userHandle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, rawId, cose])
      const authData = authenticatorData(rp.id, wrongs, credential)
      const size = Buffer.from([0x58, authData.length])
      const attestation = Buffer.concat([
        Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData', 'latin1'),
        ...[size, authData]
      ])
      return {
        ...{ id, rawId: id, type: 'public-key' },
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, wrongs).toString('base64url'),
          attestationObject: attestation.toString('base64url')
        }
      }
    },

    /** Answers `navigator.credentials.get`. */
    get(
      { challenge, rpId }: Static<typeof RequestOptions>,
      wrongs: Wrongs = {}
    ): PasskeySignIn['credential'] {
      const data = clientData('webauthn.get', challenge, wrongs)
      const authData = authenticatorData(rpId, wrongs)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)
      return {
        ...{ id, rawId: id, type: 'public-key' },
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: wrongs.userHandle ?? userHandle
        }
      }
    }
  }
}

type Session = Awaited<ReturnType<typeof signIn>>

/** Makes a passkey in a session. */
export async function addPasskey(app: App, browser: Session, name = 'my phone') {
  const authenticator = makeAuthenticator(app)
  const { options } = (await browser.send('POST', '/account/passkeyoptions')).json().Data
  const credential = authenticator.create(options)
  const added = await browser.send('POST', '/account/passkey', { name, credential })
  const passkey: { id: number; name: string } = added.json().Data.passkey
  return { ...authenticator, passkey }
}

/** A browser in which somebody begins to sign in. */
export async function beginSignIn(app: App) {
  const begun = await app.inject({ method: 'POST', url: '/session/passkeyoptions' })
  const cookie = `passkey=${begun.cookies[0]?.value}`
  const { options } = begun.json().Data as { options: Static<typeof RequestOptions> }
  return {
    begun,
    cookie,
    options,
    send: (
      credential: PasskeySignIn['credential'],
      { as = app, headers = {} }: { as?: App; headers?: Record<string, string> } = {}
    ): Promise<LightMyRequestResponse> =>
      as.inject({
        method: 'POST',
        url: '/session/passkey',
        headers: { cookie, ...headers },
        payload: { credential }
      })
  }
}

/** Signs in with a passkey, or tries to. */
export async function useKey(
  app: App,
  authenticator: Pick<ReturnType<typeof makeAuthenticator>, 'get'>,
  wrongs: Wrongs = {}
) {
  const { options, send } = await beginSignIn(app)
  return send(authenticator.get(options, wrongs))
}
