import { type Static, Type } from '@sinclair/typebox'
import { AnyKind, actions, Change } from './activity.ts'
import { isSharedKind } from './area/index.ts'
import { Created, Id, Key, Natural, oneOf, orNull, ref, Timestamp, Updated } from './common.ts'
import { kinds } from './kinds.ts'

/** How many subscriptions a user may have. */
export const maxSubscriptions = 20
/** How many pings and repeated deliveries of a subscription may wait. */
export const maxWaiting = 10

const Url = Type.String({
  maxLength: 2000,
  // Without user, password and fragment. A scheme has no case, and a path may be typed as people read it.
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9._~:\\[\\]\\-]+((/|\\?)[^\\x00-\\x20#\\x7f\\s]*)?$',
  'x-must': 'be an http or https URL without user, password and fragment',
  description: 'Where deliveries go: an https URL on the public internet.',
  examples: ['https://receiver.example/gatehouse']
})
const kindsExample = { examples: [['todo']] }
const Kinds = Type.Array(ref(AnyKind), {
  minItems: 1,
  uniqueItems: true,
  description: 'The kinds of rows whose changes are delivered.',
  ...kindsExample
})
const Description = Type.String({
  maxLength: 255,
  pattern: '^[^\\x00-\\x1f\\x7f]*$',
  'x-must': 'be one line without control characters',
  description: 'Any text that tells you what it is for.',
  examples: ['nightly sync']
})

/** Why it was switched off, if not by its user. */
const reasons = ['gone', 'failures'] as const
export type StopReason = (typeof reasons)[number]

export const Subscription = Type.Object(
  {
    id: Key,
    url: Type.String({ description: 'Where deliveries are sent.', examples: Url.examples ?? [] }),
    kinds: Type.Array(ref(AnyKind), {
      description: 'Kinds of rows whose changes are delivered.',
      ...kindsExample
    }),
    description: orNull(Type.String({ examples: ['nightly sync'] }), 'What it is for.'),
    token_id: orNull(
      Type.Integer(),
      'The access token that made it, and alone manages it; null if a session did.'
    ),
    is_active: Type.Boolean({ description: 'Whether changes are delivered.', examples: [true] }),
    stopped_by: orNull(
      oneOf(reasons),
      'Why it was switched off: `gone`, the receiver answered 410; `failures`, five days without a success. Else null.'
    ),
    failing_since: orNull(
      { ...Timestamp, examples: [null] },
      'Since when every delivery has failed; null if none has.'
    ),
    next_try_at: orNull(
      { ...Timestamp, examples: [null] },
      'When the change that failed is tried again; null if none waits.'
    ),
    created_at: Created,
    updated_at: Updated
  },
  {
    $id: 'Subscription',
    description: 'An address to which changes are delivered.'
  }
)

export const NewSubscription = Type.Object(
  {
    url: Url,
    kinds: Type.Optional({ ...Kinds, description: 'By default all that you may read.' }),
    description: Type.Optional(Description)
  },
  {
    $id: 'NewSubscription',
    description: 'A subscription to create.',
    examples: [{ url: 'https://receiver.example/gatehouse', kinds: ['todo'] }]
  }
)
export type NewSubscription = Static<typeof NewSubscription>

export const SubscriptionChange = Type.Object(
  {
    url: Type.Optional(Url),
    kinds: Type.Optional(Kinds),
    is_active: Type.Optional(
      Type.Boolean({
        description:
          '`false` pauses it; `true` resumes: with the changes that were not delivered before the pause, then with new ones.'
      })
    )
  },
  {
    $id: 'SubscriptionChange',
    minProperties: 1,
    description: 'What to change; absent members stay as they are.',
    examples: [{ is_active: false }]
  }
)
export type SubscriptionChange = Static<typeof SubscriptionChange>

export const SubscriptionKey = Type.Object({
  id: Id({ absent: 'SUBSCRIPTION-NOT-FOUND' })
})

export const Delivery = Type.Object(
  {
    id: Key,
    change: orNull(Type.Integer({ examples: [7] }), 'Id of the change; null for a ping.'),
    at: orNull(Timestamp, 'When it was sent; null while it waits.'),
    status: orNull(
      Type.Integer({ examples: [204] }),
      'HTTP status of the answer; null if there was none.'
    ),
    error: orNull(
      Type.String(),
      'Why there was no answer: `timeout`, `unresolved`, `refused`, `private-address`, `not-allowed`, `too-long`, `tls` or `broken`; `forgotten` if the change is no longer recorded.'
    ),
    ms: orNull(Type.Integer({ examples: [31] }), 'How long it took, in milliseconds.')
  },
  {
    $id: 'Delivery',
    description: 'One attempt to deliver.'
  }
)

export const Redelivery = Type.Object(
  {
    change: Natural({ description: 'Id of the change to deliver again.', examples: [7] })
  },
  { $id: 'Redelivery', description: 'What to deliver again.', examples: [{ change: 7 }] }
)

/** The name of what a delivery tells of a change: `todo.created`. */
export const eventOf = ({ kind, action }: Pick<Change, 'kind' | 'action'>) =>
  `${kind}.${action}${action === 'hidden' ? '' : 'd'}`

export const ChangeDelivery = Type.Object(
  {
    type: oneOf(
      kinds.flatMap((kind) => {
        const told = [...actions, ...(isSharedKind(kind) ? (['hidden'] as const) : [])]
        return told.map((action) => eventOf({ kind, action }))
      }),
      { description: 'What was done.', examples: ['todo.created'] }
    ),
    timestamp: { ...Timestamp, description: 'When the change was made.' },
    data: ref(Change)
  },
  { $id: 'ChangeDelivery', description: 'A change that is delivered, whole.' }
)
export type ChangeDelivery = Static<typeof ChangeDelivery>

export const PingDelivery = Type.Object(
  {
    type: Type.Literal('ping', { description: 'It is no change.', examples: ['ping'] }),
    timestamp: { ...Timestamp, description: 'When it was sent.' },
    data: Type.Object(
      { subscription: Type.Integer({ description: 'Key of the subscription.', examples: [1] }) },
      { description: 'Whose ping it is.' }
    )
  },
  { $id: 'PingDelivery', description: 'Says that deliveries arrive.' }
)
export type PingDelivery = Static<typeof PingDelivery>
