import { readFileSync } from 'node:fs'
import t from 'tap'
import { Failure, failureBody } from '../../plugins/http/errors/index.ts'
import { catalog, errorCodes } from '../../schemas/errors.ts'
import { errorsMarkdown } from '../../tools/docs/generate.ts'
import { ofAreas } from './document/areas.ts'

/** The contract's table: code, HTTP status, message. The codes of one area alone are in `areas/`. */
const contractTable = `
  SESSION-CLOSED | 401 | Session timeout. Please log in again.
  LOGIN-FAILED | 401 | Wrong user ID or user PASS
  CSRF-TOKEN-INVALID | 403 | Invalid CSRF token.
  METHOD-NOT-ALLOWED | 405 | The HTTP method is not allowed for this endpoint.
  NOT-FOUND | 404 | The requested resource was not found.
  INTERNAL-ERROR | 500 | An unexpected internal error occurred.
  ROUTE-CONFLICT | 500 | Route configuration conflict.
  TODO-ID-REQUIRED | 400 | TODO id is required.
  TODO-NOT-FOUND | 404 | TODO item was not found.
  TODO-TITLE-REQUIRED | 400 | TODO title is required.
  UPLOAD-FILE-REQUIRED | 400 | Upload file is required.
  UPLOAD-TOO-LARGE | 413 | Upload exceeds size limit.
  UPLOAD-MIME-REJECTED | 415 | Upload mime type is not allowed.
  ACCOUNT-LOCKED | 423 | Account is locked due to too many failed login attempts.
  BATCH-ITEM-FAILED | 422 | One or more batch items failed.
  BATCH-TOO-LARGE | 400 | Batch request exceeds the maximum number of items.
  CIRCUIT-OPEN | 503 | The downstream service is temporarily unavailable.
  CONFLICT | 409 | A conflicting operation is already in progress.
  FORBIDDEN | 403 | You do not have permission to perform this action.
  INVALID-TRANSITION | 409 | The requested state transition is not allowed.
  JWT-INVALID | 401 | The JWT token is invalid or expired.
  PRECONDITION-FAILED | 412 | The resource was modified by another request. Fetch the latest version and retry.
  PRECONDITION-REQUIRED | 428 | If-Match header is required for this operation.
  RATE-LIMIT-EXCEEDED | 429 | Too many requests. Please try again later.
  SIGNED-URL-EXPIRED | 410 | The signed URL has expired.
  SIGNED-URL-INVALID | 403 | The signed URL is invalid.
  TOKEN-ALREADY-USED | 409 | The reset token has already been used.
  TOKEN-EXPIRED | 410 | The reset token has expired.
  VALIDATION-FAILED | 422 | One or more input fields failed validation.
  WEBHOOK-SIGNATURE-INVALID | 401 | Webhook signature is invalid or stale.
`

/** Codes that the service adds to the table. */
const additions: Record<string, number> = {
  'REQUEST-INVALID': 400,
  'BODY-INVALID': 400,
  'BODY-TOO-LARGE': 413,
  'MEMO-ID-REQUIRED': 400,
  'MEMO-NOT-FOUND': 404,
  'ATTACHMENT-ID-REQUIRED': 400,
  'ATTACHMENT-NOT-FOUND': 404,
  'RANGE-NOT-SATISFIABLE': 416,
  'USER-NOT-FOUND': 404,
  'DOWNSTREAM-FAILED': 502,
  'SERVICE-OVERLOADED': 503
}

const expected = contractTable
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' | '))

t.test('the catalog agrees with the table, to the letter (contract E6)', async (t) => {
  t.equal(expected.length, 30)
  const answers = Object.fromEntries(
    expected.map(([code, status, message]) => [code, `${status} ${message}`])
  )
  for (const [code, answer] of Object.entries({ ...answers, ...(await ofAreas('errors')) })) {
    const row = catalog[code as keyof typeof catalog]
    t.equal(`${row?.status} ${row?.message}`, answer, code)
  }
})

t.test('the catalog has these codes beyond the table (contract ERROR-1)', async (t) => {
  const statuses = Object.fromEntries(errorCodes.map((code) => [code, catalog[code].status]))
  t.match(statuses, additions)
})

t.test(
  'every code has a message, a condition and the failure envelope (contract E6)',
  async (t) => {
    for (const code of errorCodes) {
      const { message, condition, remedy } = catalog[code]
      t.match(condition, /\.$/, code)
      t.match(remedy, /^[A-Z][^.]*([a-z/]\.[^ ][^.]*)*\.$/, `${code}: one sentence`)
      t.equal(new Failure(code).message, message)
      t.same(JSON.parse(failureBody({ code, data: undefined })), {
        Result: true,
        Data: { status: 'failure', errorCode: code, errorMessage: message }
      })
    }
  }
)

t.test('docs/errors.md is in sync: run `npm run docs` (contract ERROR-1)', async (t) => {
  const committed = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  t.equal(committed, errorsMarkdown())
  for (const code of errorCodes) t.ok(committed.includes(`| \`${code}\` |`), code)
})

t.test('a remedy and a condition name only operations that there are', async (t) => {
  const text = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
  const { paths }: { paths: Record<string, object> } = JSON.parse(text)
  const named = Object.entries(catalog).flatMap(([code, { remedy, condition }]) =>
    [...`${remedy} ${condition}`.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`?]*)[^`]*`/g)].map(
      ([, method = '', path = '']) => ({ code, method, path })
    )
  )
  t.ok(named.length > 20)
  for (const { code, method, path } of named) {
    t.ok(Object.hasOwn(paths[path] ?? {}, method.toLowerCase()), `${code}: ${method} ${path}`)
  }
})
