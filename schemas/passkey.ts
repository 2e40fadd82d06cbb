import { type Static, Type } from '@sinclair/typebox'
import { wantedName } from './access-token.ts'
import { Created, Id, Key, orNull, ref, Timestamp } from './common.ts'
import { confirmation } from './second-factor.ts'

/** How many passkeys a user may have. */
export const maxPasskeys = 20
/** For how long a challenge can be answered. */
export const challengeMs = 5 * 60_000

const name = {
  description: 'Any name that tells you which it is, at most 64 characters.',
  examples: ['my phone']
}

export const Passkey = Type.Object(
  {
    id: Key,
    name: Type.String(name),
    created_at: Created,
    last_used_at: orNull(Timestamp, 'When it last signed in; null if it never did.')
  },
  { $id: 'Passkey', description: 'A passkey, with which its user signs in.' }
)

export const PasskeyKey = Type.Object({ id: Id({ absent: 'PASSKEY-NOT-FOUND' }) })

/** Bytes in base64url, as WebAuthn writes them in JSON. The size of the body limits them. */
const bytes = (description: string, example: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_\\-]+$',
    'x-must': 'be base64url',
    description,
    examples: [example]
  })

const Challenge = bytes(
  'Random; to be answered within five minutes, once.',
  'p9sRNbzb3nqKGfW5LmKvDwAAAZqsNfiI'
)
const ClientData = bytes(
  'What the browser has answered: type, challenge and origin.',
  'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'
)
const CredentialId = bytes('Id of the credential.', 'rTbQ0dDr8pT9yX4w')

const type = Type.Literal('public-key', {
  description: 'The kind of credential.',
  examples: ['public-key']
})
const userVerification = Type.Literal('required', {
  description: 'The authenticator makes sure who uses it: by PIN, finger or face.',
  examples: ['required']
})
const timeout = Type.Integer({ description: 'In milliseconds.', examples: [challengeMs] })

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const CreationOptions = Type.Object(
  {
    challenge: Challenge,
    rp: Type.Object(
      {
        id: Type.String({ description: 'Host name of the service.', examples: ['localhost'] }),
        name: Type.String({ description: 'Its name.', examples: ['Gatehouse'] })
      },
      { description: 'The service.' }
    ),
    user: Type.Object(
      {
        id: bytes('The user, without a meaning.', 'b3yDkEVMSMlGWjHtQ5hU0Q'),
        name: Type.String({ description: 'Login name.', examples: ['demo'] }),
        displayName: Type.String({ description: 'Name for people.', examples: ['Demo'] })
      },
      { description: 'Whose passkey it will be.' }
    ),
    pubKeyCredParams: Type.Array(
      Type.Object({
        alg: Type.Integer({ description: 'COSE algorithm.', examples: [-7] }),
        type
      }),
      { description: 'Kinds of keys that are taken, the best first.' }
    ),
    timeout,
    attestation: Type.Literal('none', {
      description: 'The maker of the authenticator is not asked for.',
      examples: ['none']
    }),
    excludeCredentials: Type.Array(Type.Object({ id: CredentialId, type }), {
      description: 'Passkeys that the user has: no authenticator makes a second one.'
    }),
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.Literal('required', {
          description: 'The authenticator finds it without a login name.',
          examples: ['required']
        }),
        requireResidentKey: Type.Boolean({ description: 'The same.', examples: [true] }),
        userVerification
      },
      { description: 'What the authenticator must do.' }
    )
  },
  {
    $id: 'PasskeyCreationOptions',
    description:
      'For `navigator.credentials.create`, through `PublicKeyCredential.parseCreationOptionsFromJSON`.'
  }
)

export type CreationOptions = Static<typeof CreationOptions>

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const RequestOptions = Type.Object(
  {
    challenge: Challenge,
    rpId: Type.String({ description: 'Host name of the service.', examples: ['localhost'] }),
    timeout,
    userVerification
  },
  {
    $id: 'PasskeyRequestOptions',
    description:
      'For `navigator.credentials.get`, through `PublicKeyCredential.parseRequestOptionsFromJSON`.'
  }
)

export type RequestOptions = Static<typeof RequestOptions>

export const PasskeyBegin = Type.Object(
  { user_pass: confirmation },
  {
    $id: 'PasskeyBegin',
    description: 'The password, if it is needed.',
    examples: [{ user_pass: 'demo' }]
  }
)
export type PasskeyBegin = Static<typeof PasskeyBegin>

export const NewPasskey = Type.Object(
  {
    name: { ...wantedName, ...name },
    credential: Type.Object(
      {
        id: CredentialId,
        rawId: { ...CredentialId, description: 'The same.' },
        type,
        response: Type.Object(
          {
            clientDataJSON: ClientData,
            attestationObject: bytes('The new key.', 'o2NmbXRkbm9uZQ')
          },
          { description: 'What the authenticator has made.' }
        )
      },
      { description: '`toJSON()` of what `navigator.credentials.create` gives.' }
    )
  },
  { $id: 'NewPasskey', description: 'A passkey that an authenticator has made.' }
)
export type NewPasskey = Static<typeof NewPasskey>

export const PasskeySignIn = Type.Object(
  {
    credential: Type.Object(
      {
        id: CredentialId,
        rawId: { ...CredentialId, description: 'The same.' },
        type,
        response: Type.Object(
          {
            clientDataJSON: ClientData,
            authenticatorData: bytes('What the authenticator says.', 'SZYN5YgOjGh0NBcPZHZgW4'),
            signature: bytes('Its signature.', 'MEUCIQCoFbLhTdRSDcHy'),
            userHandle: { ...CreationOptions.properties.user.properties.id }
          },
          { description: 'What the authenticator has answered.' }
        )
      },
      { description: '`toJSON()` of what `navigator.credentials.get` gives.' }
    )
  },
  { $id: 'PasskeySignIn', description: 'The answer of an authenticator to a challenge.' }
)
export type PasskeySignIn = Static<typeof PasskeySignIn>

/** What the operations of passkeys answer. */
export const creationFields = { options: ref(CreationOptions) }
export const requestFields = { options: ref(RequestOptions) }
