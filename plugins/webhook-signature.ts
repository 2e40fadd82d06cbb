import { createHmac, timingSafeEqual } from 'node:crypto'
import fp from 'fastify-plugin'
import { Failure } from './errors.ts'
import { jsonParser } from './json-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What a verified webhook was signed with; null where nothing was verified. */
    signature: Signature | null
  }
}

interface Signature {
  /** Unix seconds, by the sender's clock. */
  timestamp: number
  /** HMAC-SHA256 of timestamp and body, hex: the same for the same event only. */
  hmac: string
}

/** How far the sender's clock may be from ours, either way; also how long a replay can be tried. */
const toleranceSeconds = 300

// A header sent twice arrives joined by ", ", which does not match.
const form = /^t=(\d{1,12})((?:,v1=[\da-f]{64})+)$/i

/**
 * Checks `X-Webhook-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of t + "." + body>`; of several
 * `v1` (a sender that changes its secret signs with both) one has to match.
 * @param header As received, undefined where there was none.
 * @param body The bytes as received, before anything has parsed them.
 * @param now Milliseconds since the epoch.
 * @returns Null where the header is missing, malformed or stale, or no signature matches.
 */
export function verifySignature(
  header: string | string[] | undefined,
  body: Buffer,
  secret: string,
  now: number
): Signature | null {
  const [, t = '', signatures = ''] = form.exec(String(header)) ?? []
  const age = Math.floor(now / 1000) - Number(t)
  if (!t || Math.abs(age) > toleranceSeconds) return null
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  const matches = signatures
    .split(',v1=')
    .slice(1)
    .map((hex) => timingSafeEqual(Buffer.from(hex, 'hex'), expected))
  return matches.includes(true) ? { timestamp: Number(t), hmac: expected.toString('hex') } : null
}

/**
 * Verifies every body of its scope that a route reads as `body: 'raw'`, and only then parses it as
 * JSON. Ends with BODY-TOO-LARGE, WEBHOOK-SIGNATURE-INVALID or BODY-INVALID, in this order.
 */
export default fp<{ secret: string }>(
  async (app, { secret }) => {
    const parseJson = jsonParser(app)
    app.decorateRequest('signature', null)
    app.addContentTypeParser<Buffer>(
      'application/octet-stream',
      { parseAs: 'buffer' },
      function parseSigned(request, body, done) {
        const header = request.headers['x-webhook-signature']
        const signature = verifySignature(header, body, secret, app.now())
        if (!signature) return done(new Failure('WEBHOOK-SIGNATURE-INVALID'))
        request.signature = signature
        return parseJson(request, body, done)
      }
    )
  },
  { name: 'webhook-signature', fastify: '5.x', dependencies: ['clock', 'json-body'] }
)
