import { createHmac } from 'node:crypto'
import fp from 'fastify-plugin'
import { Failure } from '../http/errors/index.ts'
import { jsonParser } from '../http/json-body.ts'
import { sameSecret } from '../runtime/secrets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signature of a verified webhook; null if nothing was verified. */
    signature: Signature | null
  }
}

interface Signature {
  /** Unix seconds, by the sender's clock. */
  timestamp: number
  /** HMAC-SHA256 of timestamp and body, hex. Two events never have the same. */
  hmac: string
}

/** How far the sender's clock may differ from ours. A replay is possible only within this time. */
const toleranceSeconds = 300

// Node.js joins a header that was sent twice with ", ", which does not match.
const form = /^t=(\d{1,12})((?:,(?:v1=[\da-f]{64}|(?!t=|v1=)[a-z]\w*=[^,\s]*))+)$/i
const signature = /,v1=([\da-f]{64})/gi

/**
 * Checks `X-Webhook-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of t + "." + body>`. If there are
 * several `v1`, one has to match: a sender that changes its secret signs with both. Other schemes are
 * ignored: a sender that introduces a new scheme signs with both for a while.
 * @param header As received, undefined if there was none.
 * @param body The bytes as received, before anything has parsed them.
 * @param now Milliseconds since the epoch.
 * @returns Null if the header is missing, malformed or stale, or no signature matches.
 */
function verifySignature(
  header: string | string[] | undefined,
  body: Buffer,
  secret: string,
  now: number
): Signature | null {
  const [, t = '', schemes = ''] = form.exec(String(header)) ?? []
  const age = Math.floor(now / 1000) - Number(t)
  if (!t || Math.abs(age) > toleranceSeconds) return null
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  const matches = [...schemes.matchAll(signature)].map(([, hex = '']) =>
    sameSecret(hex.toLowerCase(), expected)
  )
  return matches.includes(true) ? { timestamp: Number(t), hmac: expected } : null
}

/**
 * Verifies the bodies of routes with `body: 'raw'` in its scope, and only then parses them as JSON.
 * Checks in this order: BODY-TOO-LARGE, WEBHOOK-SIGNATURE-INVALID, BODY-INVALID.
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
