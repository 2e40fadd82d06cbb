import { ETag } from '../../../schemas/common.ts'
import type { Header } from './document.ts'

const text = (description: string, example: string): Header => ({
  description,
  schema: { type: 'string' },
  example
})
const count = (description: string, example: number): Header => ({
  description,
  schema: { type: 'integer' },
  example
})

/** Headers that answers of several operations have. Those without `required` are not always sent. */
const common = {
  'X-Request-Id': {
    ...text(
      'Id of this request in the log of the service; quote it when you report a problem. If requests are traced, `X-Trace-Id` has the id of its trace.',
      '855a4624-2695-438e-b91d-0da00054990f'
    ),
    required: true
  },
  'Cache-Control': {
    ...text('Whether a copy may be kept. `no-store`: not at all.', 'no-store'),
    required: true
  },
  'X-RateLimit-Limit': count('Requests allowed in a window, if this request was counted.', 600),
  'X-RateLimit-Remaining': count('Requests left in this window.', 599),
  'X-RateLimit-Reset': count('Seconds until the next window.', 60),
  RateLimit: text(
    'Requests left (`r`), and seconds until the next window (`t`).',
    '"user";r=599;t=60'
  ),
  'RateLimit-Policy': text(
    'Requests allowed (`q`) in a window of `w` seconds.',
    '"user";q=600;w=60'
  ),
  'Retry-After': count('Seconds to wait before trying again.', 30),
  'WWW-Authenticate': text(
    'How to authenticate, and what is wrong with a Bearer credential that was sent or which scope it lacks.',
    'Bearer error="invalid_token"'
  ),
  Link: {
    ...text(
      'Explains the code and what to do about it.',
      '</error/item/code_TODO-NOT-FOUND>; rel="help"'
    ),
    required: true
  },
  Allow: text('The methods that this path allows, sorted.', 'GET, HEAD, POST'),
  'Content-Range': text('How many bytes there are.', 'bytes */48213'),
  ETag: {
    description: ETag.description,
    required: true,
    schema: { type: ETag.type },
    example: ETag.example
  },
  'Preference-Applied': text(
    'Which preferences of `Prefer` were honoured (RFC 7240).',
    'handling=strict'
  ),
  'Idempotent-Replayed': {
    description:
      'This is the stored answer of an earlier request with this `Idempotency-Key`; nothing was done this time.',
    schema: { type: 'string', const: 'true' },
    example: 'true'
  }
} satisfies Record<string, Header>

type HeaderName = keyof typeof common

/** The name of a header's component: its last word, because many references name it. */
export const headerComponent = (name: string) => name.replace(/.*-/, '')

export const commonHeaders: Record<string, Header> = Object.fromEntries(
  Object.entries(common).map(([name, header]) => [headerComponent(name), header])
)

const rateLimit: HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy'
]

const ofStatus: Record<number, HeaderName[]> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  416: ['Content-Range', 'ETag']
}

interface Circumstances {
  /** A limit has counted the request. */
  isCounted: boolean
  /** The answer may be a stored one. */
  isReplayed: boolean
  /** The same request may succeed later. */
  canWait?: boolean
}

/** References to the headers of an answer with this status. */
export function headersOf(status: number, { isCounted, isReplayed, canWait }: Circumstances) {
  const names: HeaderName[] = [
    'X-Request-Id',
    'Cache-Control',
    ...(isCounted ? rateLimit : []),
    // Only what ends a request before its validation confirms no preference.
    ...(status === 405 ? [] : (['Preference-Applied'] as const)),
    ...(isReplayed ? (['Idempotent-Replayed'] as const) : []),
    ...(status >= 400 ? (['Link'] as const) : []),
    ...(canWait ? (['Retry-After'] as const) : []),
    ...(ofStatus[status] ?? [])
  ]
  return Object.fromEntries(
    names.map((name): [string, Header] => [
      name,
      { $ref: `#/components/headers/${headerComponent(name)}` }
    ])
  )
}
