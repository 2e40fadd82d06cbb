import { boundary, formBytes, samples } from '../../support/form.ts'
import type { Attempt } from './attempts.ts'
import { type Operation, operationOf } from './operations.ts'
import { type Call, type Everything, json, send } from './service.ts'

const form =
  (...parts: Parameters<typeof formBytes>[0]) =>
  (call: Call) => {
    call.headers['content-type'] = `multipart/form-data; boundary=${boundary}`
    call.body = formBytes(parts)
  }
const file = { filename: 'a.png', content: samples.png }
const later = (_call: Call, { clock }: Everything) => {
  clock.now += 3_700_000
}
const wrongPassword: Attempt = {
  name: 'wrong password',
  change: json({ user_id: 'demo', user_pass: 'wrong' }),
  expected: [401]
}

const foreignPage: Attempt = {
  name: 'a foreign page',
  change: (call) => {
    call.headers['sec-fetch-site'] = 'cross-site'
  },
  expected: [403]
}

const unknownCursor: Attempt = {
  name: 'a cursor that nobody was given',
  change: (call) => {
    call.query.after = '999999999'
  },
  expected: [410]
}

/** Of an operation that takes a file. */
const uploads = (operation: string): Record<string, Attempt[]> => ({
  [operation]: [
    { name: 'no form', change: json({ file: 'x' }), expected: [400] },
    { name: 'no file', change: form({ name: 'other', content: 'x' }), expected: [400] },
    { name: 'two files', change: form(file, file), expected: [422] },
    { name: 'markup', change: form({ ...file, content: '<svg/>' }), expected: [415] },
    { name: 'large', change: form({ ...file, content: 'x'.repeat(20_000) }), expected: [413] },
    {
      name: 'more than a user may store',
      async change(call, service) {
        form({ filename: 'a.txt', content: 'x'.repeat(9_999) })(call)
        for (let i = 0; i < 3; i++) {
          await send(service, operationOf('createAttachment'), { ...call, query: {} }, 'admin')
        }
      },
      expected: [409]
    }
  ]
})

/** By operation, attempts that no single parameter makes. The last ones of a list may break the service. */
const special: Record<string, Attempt[]> = {
  login: [wrongPassword, foreignPage],
  issueToken: [wrongPassword, foreignPage],
  resetPassword: [
    {
      name: 'an unknown token',
      change: (call) => {
        call.params.token = '0'.repeat(64)
      },
      expected: [404]
    },
    {
      name: 'a used token',
      change: (call, service) => send(service, operationOf('resetPassword'), call, 'nobody'),
      expected: [409]
    },
    { name: 'an expired token', change: later, expected: [410] }
  ],
  listActivity: [unknownCursor],
  streamActivity: [unknownCursor],
  moveMemo: [{ name: 'not allowed', change: json({ to_state: 'archived' }), expected: [409] }],
  ...uploads('createAttachment'),
  ...uploads('planAttachment'),
  downloadAttachment: [
    {
      name: 'an unchanged file',
      async change(call, service) {
        const operation = operationOf('downloadAttachment')
        const { headers } = await send(service, operation, call, 'nobody')
        call.headers['if-none-match'] = String(headers.etag)
      },
      expected: [304]
    },
    {
      name: 'deleted meanwhile',
      change: (call, service) => send(service, operationOf('deleteAttachment'), call, 'admin'),
      expected: [404]
    },
    { name: 'an expired link', change: later, expected: [410] }
  ],
  sendMail: [
    {
      name: 'to an unknown user',
      change: json({ user_id: 'nobody', subject: 'x', text: 'x' }),
      expected: [404]
    },
    {
      name: 'the mail server refuses',
      change: (_call, { mail }) => {
        mail.refuse = 5
      },
      expected: [502]
    },
    {
      name: 'the mail server refused five times',
      async change(call, service) {
        for (let i = 0; i < 4; i++) await send(service, operationOf('sendMail'), call, 'admin')
      },
      expected: [503]
    }
  ]
}

/** Of the batches of every area, by method and the end of the path. */
const ofBatches: Record<string, Attempt[]> = {
  'POST /batch': [
    {
      name: 'some fail',
      change: (call) => json({ items: [...JSON.parse(String(call.body)).items, {}] })(call),
      expected: [207]
    },
    { name: 'all fail', change: json({ items: [{}, 1] }), expected: [422] },
    { name: 'too many', change: json({ items: Array(101).fill({}) }), expected: [400] }
  ],
  'PATCH /batch': [
    {
      name: 'some fail',
      change(call) {
        json({ items: [...JSON.parse(String(call.body)).items, {}] })(call)
      },
      expected: [207]
    },
    { name: 'all fail', change: json({ items: [{}, 1, { id: 999 }] }), expected: [422] },
    { name: 'too many', change: json({ items: Array(101).fill({}) }), expected: [400] }
  ],
  'POST /remove': [
    {
      name: 'some fail',
      change(call) {
        json({ ids: [...JSON.parse(String(call.body)).ids, 'x'] })(call)
      },
      expected: [207]
    },
    { name: 'all fail', change: json({ ids: [999999] }), expected: [422] },
    { name: 'too many', change: json({ ids: Array(101).fill(1) }), expected: [400] }
  ]
}

/** What else is tried of an operation. */
export const attemptsOf = ({ operationId, method, path }: Operation): Attempt[] =>
  special[operationId] ?? ofBatches[`${method} ${path.replace(/^.*(?=\/)/, '')}`] ?? []
