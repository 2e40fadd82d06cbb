import { createHmac } from 'node:crypto'

/** The secret that signs the tokens of these tests: `SVC_JWT_SECRET` of the services that they start. */
export const secret = 'a secret of the tests, 32 bytes or more'

const encode = (part: object | string) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** `header.payload.signature`, built without a library (RFC 7515 §3.1). A text part stays unchanged. */
export function makeJwt(
  payload: object | string,
  header: object | string = { alg: 'HS256', typ: 'JWT' },
  { key = secret, digest = 'sha256' } = {}
) {
  const signed = `${encode(header)}.${encode(payload)}`
  return `${signed}.${createHmac(digest, key).update(signed).digest('base64url')}`
}
