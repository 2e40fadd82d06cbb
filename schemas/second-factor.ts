import { type Static, Type } from '@sinclair/typebox'

/** How many seconds a code of the app lasts. The codes before and after it are accepted too. */
export const totpStepSeconds = 30

/** How many recovery codes a second factor has at first. */
export const recoveryCodesMade = 10

const Password = Type.String({ maxLength: 1024, description: 'The password.' })

/** Shows again who is there, unless the session began a short while ago. */
export const confirmationAfter = (minutes: number) =>
  Type.Optional({
    ...Password,
    description: `The password: needed ${minutes} minutes after the sign-in, checked if sent.`
  })

/** For how many minutes a new session may add a way to sign in without the password. */
export const wayInMinutes = 15
export const confirmation = confirmationAfter(wayInMinutes)

export const SecondFactorCode = Type.Object(
  {
    code: Type.String({
      pattern: '^[0-9]{3} ?[0-9]{3}$',
      'x-must': 'be six digits',
      description: 'The six digits, 0 to 9, that the app shows now.',
      examples: ['123456']
    }),
    user_pass: confirmation
  },
  {
    $id: 'SecondFactorCode',
    description: 'A code from the app.',
    examples: [{ code: '123456' }]
  }
)
export type SecondFactorCode = Static<typeof SecondFactorCode>

/** The code of a sign-in, from the app or for recovery. Any text: one of a wrong form is simply a wrong code. */
export const AnyCode = Type.String({
  maxLength: 64,
  description:
    'For a user with a second factor: the six digits from the app, or a recovery code. Each works once.',
  examples: ['123456']
})

export const SecondFactorBegin = Type.Object(
  {
    user_pass: confirmation
  },
  {
    $id: 'SecondFactorBegin',
    description: 'The password, if it is needed.',
    examples: [{ user_pass: 'demo' }]
  }
)
export type SecondFactorBegin = Static<typeof SecondFactorBegin>

export const SecondFactorEnd = Type.Object(
  {
    user_pass: Password,
    code: { ...AnyCode, minLength: 1 }
  },
  {
    $id: 'SecondFactorEnd',
    description: 'The password and a code.',
    examples: [{ user_pass: 'demo', code: '123456' }]
  }
)
export type SecondFactorEnd = Static<typeof SecondFactorEnd>

export const begunFields = {
  secret: Type.String({
    pattern: '^[A-Z2-7]{32}$',
    description: 'For an app that does not take a URL, in base32.',
    examples: ['EI42BGJLHIIFVCAAWNYT6KN7P7HVFNKL']
  }),
  otpauth_url: Type.String({
    description: 'For the app, often as a QR code.',
    examples: [
      'otpauth://totp/Gatehouse:demo?secret=EI42BGJLHIIFVCAAWNYT6KN7P7HVFNKL&issuer=Gatehouse'
    ]
  })
}

export const recoveryFields = {
  recovery_codes: Type.Array(Type.String(), {
    description:
      'Ten codes. Each replaces a code from the app once, if the app is lost. Shown only once.',
    examples: [['abcd-efgh-ijkl-mnop-qrst-uvwx']]
  })
}
