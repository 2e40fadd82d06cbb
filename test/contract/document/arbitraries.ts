import fc from 'fast-check'
import { boundary, formBytes } from '../../support/form.ts'
import { described, type Operation } from './operations.ts'
import { type Caller, callerOf } from './service.ts'

/** A part of a URL as it is sent: escaped bytes, which may not be UTF-8, or plain characters. */
const urlText = fc.oneof(
  fc
    .uint8Array({ minLength: 1, maxLength: 12 })
    .map((bytes) => Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
  fc.string({ unit: 'binary', minLength: 1 }).map(encodeURIComponent),
  fc.stringMatching(/^[A-Za-z0-9_.~!$&'()*+,;=:@%-]{1,30}$/),
  fc.bigInt().map(String),
  fc.double().map(String),
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '01',
    '+1',
    '1e3',
    '0x10',
    '９',
    '%00',
    '..',
    '.',
    'null',
    '%2e%2e%2f'
  )
)

/** Any sequence of UTF-16 code units: lone surrogates and U+0000 too. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0xd800, 0xdfff, 0x2028, 0xfeff)))
  .map((units) => String.fromCharCode(...units))

const headerText = fc.oneof(
  fc.stringMatching(/^[\x20-\x7e]{0,40}$/),
  fc.string({ unit: fc.integer({ min: 0xa0, max: 0xff }).map((c) => String.fromCharCode(c)) }),
  fc.string({ unit: 'grapheme-ascii', minLength: 200, maxLength: 3000 }),
  fc.constantFrom('', '*', '"v1"', 'W/"v1", "v2"', 'bytes=0-0', 'bytes=-1', 'bytes=5-1,0-', ',,,')
)

const headerNames = [
  'accept',
  'accept-encoding',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'sec-fetch-site',
  'x-csrf-token',
  'x-forwarded-for',
  'x-http-method-override',
  'x-request-id'
]

/** Values that a JSON body may hold where the schema says something else. */
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  anyText,
  fc.string({ unit: 'binary', minLength: 200, maxLength: 2000 }),
  fc.bigInt().map(Number),
  fc.double()
)

const repeat = (open: string, close: string) =>
  fc.nat(20_000).map((depth) => `${open.repeat(depth)}1${close.repeat(depth)}`)

/** JSON that `JSON.stringify` does not write. */
const oddJson = fc.oneof(
  repeat('[', ']'),
  repeat('{"a":', '}'),
  fc.constantFrom('1e999', '-0', '-1e-999', '9'.repeat(400), '"\\ud800"', '"\\u0000"', '\ufeff{}'),
  fc.constantFrom('{"title":"a","title":1}', '{"constructor":{"prototype":{}}}', '{"":1}')
)

/** Bodies: with the schema's fields and any values, any other JSON, and no JSON at all. */
function bodies(operation: Operation): fc.Arbitrary<string | Buffer | undefined> {
  const names = Object.keys(described.membersOf(operation.body?.schema ?? {}))
  const fields = Object.fromEntries(names.map((name) => [name, anyValue]))
  const shaped = fc.record(fields, { requiredKeys: [] })
  const shapedWell = fc.record(Object.fromEntries(names.map((name) => [name, anyText])))
  const part = fc.record(
    {
      name: fc.oneof(fc.constant('file'), anyText),
      filename: anyText,
      type: headerText,
      content: anyText
    },
    { requiredKeys: ['name', 'content'] }
  )
  return fc.oneof(
    fc.oneof(shaped, shapedWell, anyValue).map((value) => JSON.stringify(value)),
    oddJson,
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.array(part, { maxLength: 3 }).map(formBytes)
  )
}

/** Some of these names, each with a text. */
const texts = (
  names: string[],
  text: fc.Arbitrary<string>
): fc.Arbitrary<Record<string, string>> =>
  names.length === 0
    ? fc.constant({})
    : fc.dictionary(fc.constantFrom(...names), text, { maxKeys: names.length })

const callers: Caller[] = [
  ...(['admin', 'demo', 'agent', 'jwt', 'nobody', 'admin without CSRF token'] as const),
  ...(['access token', 'token to read todos', 'a wrong access token'] as const)
]

/** What a request may have instead of what its operation asks for. */
export function mutations(operation: Operation) {
  const named = (place: string) =>
    operation.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
  const multipart = `multipart/form-data; boundary=${boundary}`
  return fc.record({
    as: fc.oneof(
      { arbitrary: fc.constant(callerOf(operation)), weight: 3 },
      { arbitrary: fc.constantFrom(...callers), weight: 1 }
    ),
    // A segment of dots alone is another path (RFC 3986 §5.2.4).
    params: texts(
      named('path'),
      urlText.filter((text) => !/^(\.|%2e)+$/i.test(text))
    ),
    query: fc.oneof(
      texts(named('query'), urlText),
      fc.dictionary(fc.oneof(urlText, fc.constantFrom('__proto__', 'limit[]', 'cursor')), urlText)
    ),
    headers: fc.oneof(
      fc.constant({}),
      texts([...named('header'), ...headerNames], headerText),
      fc.constant({ 'content-type': multipart })
    ),
    body: fc.option(bodies(operation), { nil: undefined })
  })
}

const segment = fc.oneof(
  fc.constantFrom('', 'id_', 'id_1', '_', '_1', 'id', 'id_1_2', 'ID_1', 'type_a', '..', 'index'),
  fc.tuple(urlText, urlText).map(([name, value]) => `${name}_${value}`),
  urlText
)

export interface Message {
  /** Everything before the body, as Latin-1. */
  head: string
  body: string
}

/** A request as text: odd methods, targets with odd segments, headers and a body of any kind. */
export const messages = (paths: string[]): fc.Arbitrary<Message> =>
  fc
    .record({
      method: fc.oneof(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'),
        fc.constantFrom('PROPFIND', 'QUERY', 'PURGE', 'CONNECT', 'get', 'NONSENSE', '')
      ),
      path: fc.constantFrom(...paths),
      segments: fc.array(segment, { maxLength: 4 }),
      query: fc.option(
        fc.array(urlText).map((parts) => parts.join('=')),
        { nil: undefined }
      ),
      headers: fc.dictionary(fc.constantFrom(...headerNames), headerText, { maxKeys: 4 }),
      body: fc.oneof(oddJson, anyText, fc.constantFrom('', 'user_id=a&user_id=b', 'csrf_token=%zz'))
    })
    .map(({ method, path, segments, query, headers, body }) => {
      const target = [path, ...segments].join('/') + (query === undefined ? '' : `?${query}`)
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const length = Buffer.byteLength(body)
      const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}`
      return { head: `${head}Content-Length: ${length}\r\n\r\n`, body }
    })
