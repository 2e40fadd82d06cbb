import { type Kind, kinds } from './kinds.ts'

/** Whether a failed request can be sent again. `later`: after the time in `Retry-After`. */
export const retries = ['no', 'later', 'after_change'] as const

interface Row {
  status: number
  message: string
  condition: string
  /** Whether the same request can succeed: never, later, or (of most) after a change in it. */
  retry?: (typeof retries)[number]
  /** What to do, in one sentence that a program can act on. */
  remedy: string
}

type OfKinds = { [K in Kind as `${Uppercase<K>}-${'ID-REQUIRED' | 'NOT-FOUND'}`]: Row }

/** The codes of a missing and an unknown key, for each kind of recorded row. */
const ofKinds = Object.fromEntries(
  kinds.flatMap((kind): [string, Row][] => {
    const [code, name] = [kind.toUpperCase(), `${kind[0]?.toUpperCase()}${kind.slice(1)}`]
    const one = `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
    const required: Row = {
      status: 400,
      message: `${name} id is required.`,
      condition: 'Missing or non-numeric id.',
      remedy: `Send the \`id\` of ${one}: in the path digits only, such as \`/${kind}/item/id_1\`; in a body a number.`
    }
    const notFound: Row = {
      status: 404,
      message: `${name} was not found.`,
      condition: `No ${kind} for that id owned by the signed-in user.`,
      remedy: `Use an \`id\` that \`GET /${kind}/index\` lists for this user.`
    }
    return [
      [`${code}-ID-REQUIRED`, required],
      [`${code}-NOT-FOUND`, notFound]
    ]
  })
) as OfKinds

/** The codes of a missing and of an unknown key of a kind. */
export function codesOf(kind: Kind) {
  const code = kind.toUpperCase() as Uppercase<Kind>
  return { required: `${code}-ID-REQUIRED`, absent: `${code}-NOT-FOUND` } as const
}

/** A kind of CONFLICT. */
interface Conflict extends Required<Pick<Row, 'message' | 'retry' | 'remedy'>> {}

/** The kinds of CONFLICT (`reason`): what is so (`Data.message`), whether the same request can succeed, and what to do. */
export const conflicts = {
  running: {
    message: 'The first request with this key has no answer yet.',
    retry: 'later',
    remedy: 'send it again after `Retry-After` seconds'
  },
  quota: {
    message: 'There is no room for more.',
    retry: 'after_change',
    remedy: 'delete what is no longer needed; or wait for `Retry-After` seconds, if that is given'
  },
  taken: {
    message: 'Another has this value.',
    retry: 'after_change',
    remedy: 'choose another value for the field that `Data.taken` names'
  },
  referenced: {
    message: 'Another row refers to it.',
    retry: 'after_change',
    remedy: 'delete or change the row that `Data.referenced_by` names first'
  },
  'last-administrator': {
    message: 'No administrator would be left.',
    retry: 'after_change',
    remedy: 'make another user an administrator first'
  },
  'last-way-in': {
    message: 'The user could not sign in any more.',
    retry: 'after_change',
    remedy: 'set a password or add a passkey first'
  },
  undone: {
    message: 'It is undone already.',
    retry: 'no',
    remedy: 'to have it again, undo the run that `Data.undone_by` names'
  },
  changed: {
    message: 'Its state does not allow this.',
    retry: 'after_change',
    remedy:
      'read its current state, which does not allow this; of a plan, `Data.plan` shows it anew, and applying it again accepts that; after an undo, `Data.conflicts` says why'
  }
} as const satisfies Record<string, Conflict>

/** Which kind of CONFLICT it is. */
export type ConflictReason = keyof typeof conflicts

export const conflictReasons = Object.keys(conflicts) as ConflictReason[]

/** The code of an unknown key among what a list shows of the caller. */
const ofOwn = (name: string, path: string) => ({
  status: 404,
  message: `${name} was not found.`,
  condition: `No live ${name.toLowerCase()} for that id owned by the signed-in user.`,
  remedy: `Use an \`id\` that \`GET ${path}\` lists for this user.`
})

const rows = {
  ...ofKinds,
  'SESSION-CLOSED': {
    status: 401,
    message: 'Session timeout. Please log in again.',
    condition: 'Authenticated endpoint without a valid session.',
    remedy:
      'If `Data.message` says that it needs a session, ask your user to do it, because no token can; else send an access token with the `scope` that `WWW-Authenticate` names, or sign in with `POST /session/login` and send its cookie; `security` of the operation in `/api-docs/json` says what it takes.'
  },
  'LOGIN-FAILED': {
    status: 401,
    message: 'Wrong user ID or user PASS',
    condition: 'Login credentials rejected.',
    remedy:
      'Send the correct `user_id` and `user_pass`, and an unused `code` if the user has a second factor; repeated failures lock the account; with a passkey, answer a new challenge of `POST /session/passkeyoptions` with its cookie.'
  },
  'SECOND-FACTOR-REQUIRED': {
    status: 401,
    message: 'A second-factor code is required.',
    condition: 'Correct password without `code`, for a user who has a second factor.',
    remedy:
      'Send the same request again with `code`: the six digits that the app shows, or a recovery code.'
  },
  'CSRF-TOKEN-INVALID': {
    status: 403,
    message: 'Invalid CSRF token.',
    condition:
      'State-changing request of a logged-in session caller with missing or wrong token, or a login or token issue sent by a foreign page.',
    remedy:
      'Send the `csrfToken` from the login or from `GET /session/current` as `X-CSRF-Token`; sign in from a page of the service, or of an origin in `SVC_CORS_ORIGINS`.'
  },
  'METHOD-NOT-ALLOWED': {
    status: 405,
    message: 'The HTTP method is not allowed for this endpoint.',
    condition: 'Path exists, method not registered; `Allow` header lists methods.',
    remedy:
      'Use one of the methods that the `Allow` header lists; pages of another origin need it in `SVC_CORS_ORIGINS`.'
  },
  'NOT-FOUND': {
    status: 404,
    message: 'The requested resource was not found.',
    condition:
      'Route resolves to no controller or action (JSON when Accept prefers JSON). Also an unknown reset token.',
    remedy:
      'Take the path from `/api-docs/json`, which lists every operation; for a reset token, ask for a new one.'
  },
  'INTERNAL-ERROR': {
    status: 500,
    message: 'An unexpected internal error occurred.',
    condition: 'Unhandled failure on a REST request.',
    retry: 'no',
    remedy:
      'Report it with the `X-Request-Id` of the answer; the same request is likely to fail again.'
  },
  'ROUTE-CONFLICT': {
    status: 500,
    message: 'Route configuration conflict.',
    condition: 'Ambiguous controller dispatch.',
    retry: 'no',
    remedy: 'Tell the operator of the service: two of its parts claim this path.'
  },
  'TODO-ID-REQUIRED': { ...ofKinds['TODO-ID-REQUIRED'], message: 'TODO id is required.' },
  'TODO-NOT-FOUND': {
    ...ofKinds['TODO-NOT-FOUND'],
    message: 'TODO item was not found.',
    condition: 'No row for that id owned by the signed-in user.'
  },
  'TODO-TITLE-REQUIRED': {
    status: 400,
    message: 'TODO title is required.',
    condition: 'Empty title on create or update.',
    remedy: 'Send a `title` that has a character other than white space.'
  },
  'UPLOAD-FILE-REQUIRED': {
    status: 400,
    message: 'Upload file is required.',
    condition: 'Upload missing or not a genuine uploaded file.',
    remedy: 'Send `multipart/form-data` with one non-empty file in the field `file`.'
  },
  'UPLOAD-TOO-LARGE': {
    status: 413,
    message: 'Upload exceeds size limit.',
    condition: 'Size over the configured maximum.',
    remedy: 'Send a file of at most `Data.maximum` bytes.'
  },
  'UPLOAD-MIME-REJECTED': {
    status: 415,
    message: 'Upload mime type is not allowed.',
    condition: 'Detected type not on the allowlist.',
    remedy:
      'Send a file of one of the types in `Data.allowed`; the type is detected from the content, not from the name.'
  },
  'ACCOUNT-LOCKED': {
    status: 423,
    message: 'Account is locked due to too many failed login attempts.',
    condition: 'Login for a locked account.',
    remedy:
      'Reset the password with `POST /password-reset`, or ask an administrator to unlock the account.'
  },
  'BATCH-ITEM-FAILED': {
    status: 422,
    message: 'One or more batch items failed.',
    condition:
      'A batch item cannot be processed; the overall response may be 207 (partial) or 422 (all failed).',
    remedy:
      'Correct each failed item according to its `errorCode` in `Data.items`, and send only those again.'
  },
  'BATCH-TOO-LARGE': {
    status: 400,
    message: 'Batch request exceeds the maximum number of items.',
    condition: "Input array longer than the endpoint's maximum, checked before processing.",
    remedy: 'Split the items over several requests, with at most `Data.maximum` in each.'
  },
  'CIRCUIT-OPEN': {
    status: 503,
    message: 'The downstream service is temporarily unavailable.',
    condition: 'Circuit breaker is open.',
    retry: 'later',
    remedy: 'Send it again after `Retry-After` seconds; until then no call is made.'
  },
  CONFLICT: {
    status: 409,
    message: 'A conflicting operation is already in progress.',
    condition:
      'A request that conflicts with one underway (the same idempotency key) or with a rule: a name or address is taken, a limit of the user is reached, no administrator would be left, a user could not sign in any more, a second factor is already on or off, or nothing can be undone; `Data.reason` says which.',
    remedy: `Send it again unchanged only if there is \`Retry-After\`; by \`Data.reason\`: ${conflictReasons.map((reason) => `\`${reason}\`, ${conflicts[reason].remedy}`).join('; ')}.`
  },
  FORBIDDEN: {
    status: 403,
    message: 'You do not have permission to perform this action.',
    condition: 'Role claim does not satisfy the endpoint.',
    remedy:
      'Use a credential whose user has the role that the operation needs; for a webhook that an access token made, that token; to undo the change of another, the owner of the row; a token that two others stand above cannot derive a further one.'
  },
  'INVALID-TRANSITION': {
    status: 409,
    message: 'The requested state transition is not allowed.',
    condition: "From/to pair not in the workflow's allowed map.",
    remedy:
      'From `Data.state`, choose one of `Data.allowed_next`; if that is empty, the state is final.'
  },
  'JWT-INVALID': {
    status: 401,
    message: 'The JWT token is invalid or expired.',
    condition: 'Header absent, token malformed, wrong signature, expired, or algorithm not HS256.',
    remedy: 'Get a new JWT with `POST /token/issue` and send it as `Authorization: Bearer`.'
  },
  'ACCESS-TOKEN-INVALID': {
    status: 401,
    message: 'The access token is invalid, expired or revoked.',
    condition:
      'Access token (`gth_...`) that is unknown, altered, revoked or expired; no credential at all at `/mcp`; at `/metrics`, anything but its token.',
    remedy:
      'Send `Authorization: Bearer` with the token exactly as it was shown, or ask its user for a new one, made with `POST /accesstoken/index`: no other credential derives one; at `/metrics`, send `SVC_METRICS_TOKEN`.'
  },
  'ACCESS-TOKEN-NOT-FOUND': ofOwn('Access token', '/accesstoken/index'),
  'SUBSCRIPTION-NOT-FOUND': {
    status: 404,
    message: 'Subscription was not found.',
    condition:
      'No subscription for that id owned by the signed-in user, or an access token may not read all of its kinds.',
    remedy: 'Use an `id` that `GET /subscription/index` lists for this credential.'
  },
  'GRANT-NOT-FOUND': ofOwn('Grant', '/grant/index'),
  'SCOPE-INSUFFICIENT': {
    status: 403,
    message: 'The access token lacks the scope for this action.',
    condition: 'Access token without the scope of the operation; `WWW-Authenticate` names it.',
    remedy:
      'Ask the user for an access token that also has the scope of this operation, which `Data.scope` and `WWW-Authenticate` name (`admin:` scopes are for administrators only); `GET /session/current` shows what this one may call.'
  },
  'APPROVAL-NEEDED': {
    status: 403,
    message: 'A person must approve this first.',
    condition: 'Change, other than a dry run, by an access token that asks.',
    remedy:
      'Propose it with `POST /plan/index`, then wait with `GET /plan/item/id_{id}?wait=30` until a person has decided; what no plan can have as a step takes a credential that does not ask.'
  },
  'BUDGET-SPENT': {
    status: 403,
    message: 'The access token has no changes left for this.',
    condition:
      'More recorded changes than the access token, or one above it, has left; nothing was done.',
    retry: 'no',
    remedy:
      'Send a request that changes less, or ask the user for another access token; `GET /session/current` shows `changes_left`.'
  },
  'PRECONDITION-FAILED': {
    status: 412,
    message: 'The resource was modified by another request. Fetch the latest version and retry.',
    condition:
      'A conditional update affected zero rows because a concurrent writer advanced the version.',
    remedy:
      'Read the resource again, apply the change to its current state, and send its new `ETag` as `If-Match`.'
  },
  'PRECONDITION-REQUIRED': {
    status: 428,
    message: 'If-Match header is required for this operation.',
    condition: 'Conditional write without an `If-Match` header.',
    remedy: 'Read the resource and send its `ETag` as `If-Match`.'
  },
  'RATE-LIMIT-EXCEEDED': {
    status: 429,
    message: 'Too many requests. Please try again later.',
    condition: 'Counter above the limit in the current window; `Retry-After` header present.',
    retry: 'later',
    remedy: 'Send it again after `Retry-After` seconds; `GET /session/current` shows every limit.'
  },
  'CHANGES-GONE': {
    status: 410,
    message: 'The changes after this id cannot be told.',
    condition:
      'A change after `after` or `Last-Event-ID` is no longer recorded, because of its age or to make room (`Data.reason` `forgotten`); or the id is newer than every change (`ahead`): it is wrong, or the database was restored from a backup.',
    remedy: 'Begin again without `after`, then read the rows again: changes made meanwhile follow.'
  },
  'SIGNED-URL-EXPIRED': {
    status: 410,
    message: 'The signed URL has expired.',
    condition: '`expires` in the past.',
    remedy: 'Get a new link, for example with `GET /attachment/link/id_{id}`.'
  },
  'SIGNED-URL-INVALID': {
    status: 403,
    message: 'The signed URL is invalid.',
    condition: 'Signature mismatch or missing parameters.',
    remedy:
      'Use the link exactly as it was given, or get a new one, for example with `GET /attachment/link/id_{id}`.'
  },
  'TOKEN-ALREADY-USED': {
    status: 409,
    message: 'The reset token has already been used.',
    condition: 'Reset token with used_at set.',
    remedy: 'Request a new reset email with `POST /password-reset`.'
  },
  'TOKEN-EXPIRED': {
    status: 410,
    message: 'The reset token has expired.',
    condition: 'Reset token past its expiry (410, not 404).',
    remedy: 'Request a new reset email with `POST /password-reset`.'
  },
  'VALIDATION-FAILED': {
    status: 422,
    message: 'One or more input fields failed validation.',
    condition: 'Input validation fails; `Data.details` says which fields and why.',
    remedy: 'Correct the fields that `Data.details` names.'
  },
  'WEBHOOK-SIGNATURE-INVALID': {
    status: 401,
    message: 'Webhook signature is invalid or stale.',
    condition: 'Signature header missing, malformed or failing HMAC check.',
    remedy: 'Sign the exact bytes of the body with the shared secret and the current time.'
  },
  'REACTION-TYPE-INVALID': {
    status: 400,
    message: 'Invalid reaction type.',
    condition: 'Reaction type not in the allowed list.',
    remedy: 'Use one of like, heart, laugh, sad and wow.'
  },
  'REACTION-NOT-FOUND': {
    status: 404,
    message: 'Reaction not found.',
    condition: 'Explicit removal of a reaction that does not exist.',
    retry: 'no',
    remedy: 'There is nothing to remove: the reaction does not exist.'
  },
  'REQUEST-INVALID': {
    status: 400,
    message: 'The request could not be understood.',
    condition:
      'Bad URL, bad percent-encoding, an `If-Match` or `If-None-Match` that is no list of entity tags, or a message that the HTTP parser refuses.',
    remedy:
      'Correct the URL or the message itself: percent-encoding, the `Host` header (in development, that of another machine needs `SVC_DEV_REMOTE=1`), the HTTP syntax, or `If-Match` and `If-None-Match`, which are `*` or tags in quotes such as `"v1", "v2"`.'
  },
  'BODY-INVALID': {
    status: 400,
    message: 'The request body is not valid JSON.',
    condition:
      'Body that is not JSON, not UTF-8, incomplete, nested more than 64 levels deep, or has a `__proto__` key.',
    remedy:
      'Send JSON in UTF-8; the usual cause is a form (`a=1&b=2`) instead of JSON (`{"a":1,"b":2}`).'
  },
  'BODY-TOO-LARGE': {
    status: 413,
    message: 'The request body is too large.',
    condition:
      'Body over `SVC_BODY_MAX_BYTES`, over 64 KiB for a form, over 16 KiB for a sign-in, a token or a reset, or JSON of more than 20,000 objects, arrays and strings (or 8 times `SVC_BATCH_MAX`).',
    remedy: 'Send a smaller body, or split it over several requests.'
  },
  'RANGE-NOT-SATISFIABLE': {
    status: 416,
    message: 'The requested range lies outside the content.',
    condition: '`Range` outside the content; `Content-Range` gives its size.',
    remedy: 'Request a range within the size that `Content-Range` gives, or omit `Range`.'
  },
  'SESSION-NOT-FOUND': ofOwn('Session', '/session/index'),
  'PASSKEY-NOT-FOUND': ofOwn('Passkey', '/account/passkeys'),
  'RUN-NOT-FOUND': {
    status: 404,
    message: 'Run was not found.',
    condition: 'The caller has no recorded changes in that run, or they are no longer kept.',
    remedy: 'Use a `run` that `GET /activity/runs` lists for this user.'
  },
  'PLAN-INVALID': {
    status: 422,
    message: 'A step of the plan cannot be done.',
    condition: 'A step of a proposed plan fails when the plan is tried; nothing is kept.',
    remedy:
      'Correct the step `Data.step` (the first is 0) as `Data.failure` says, then propose the plan again.'
  },
  'PLAN-NOT-FOUND': ofOwn('Plan', '/plan/index'),
  'PLAN-DECIDED': {
    status: 409,
    message: 'The plan is already decided.',
    condition: 'A plan is applied or refused that was applied or refused before, or has expired.',
    remedy:
      'Read `Data.state`; `POST /plan/undo/id_{id}` undoes one that was applied, a new plan proposes what is still wanted.'
  },
  'FLAG-NOT-FOUND': {
    status: 404,
    message: 'Feature flag was not found.',
    condition: 'Override for a flag that does not exist.',
    remedy: 'Create the flag first with `POST /admin/featureflag/index`.'
  },
  'USER-NOT-FOUND': {
    status: 404,
    message: 'User was not found.',
    condition: 'Administrative operation on a user that does not exist.',
    remedy: 'Name a user that exists.'
  },
  'DOWNSTREAM-FAILED': {
    status: 502,
    message: 'The downstream service failed.',
    condition: 'A downstream call failed while its circuit is closed.',
    retry: 'later',
    remedy:
      'Send it again after `Retry-After` seconds; the call may have succeeded although no answer came.'
  },
  'SERVICE-OVERLOADED': {
    status: 503,
    message: 'The service cannot take this request now. Please try again later.',
    condition:
      'Overload, a full disk, a database that does not answer the health check, or too many unread answers to one user.',
    retry: 'later',
    remedy: 'Send it again after `Retry-After` seconds.'
  }
} satisfies Record<string, Row>

export type ErrorCode = keyof typeof rows

export const errorCodes = Object.keys(rows) as ErrorCode[]
/** Whether the same request can succeed, and what to do about a failure: of CONFLICT, by its reason. */
export function adviceOf(code: ErrorCode, reason?: ConflictReason) {
  const { retry, remedy } = (code === 'CONFLICT' && reason && conflicts[reason]) || catalog[code]
  return { retry, remedy: `${remedy[0]?.toUpperCase()}${remedy.slice(1).replace(/\.$/, '')}.` }
}
export const isErrorCode = (code: unknown): code is ErrorCode =>
  errorCodes.some((known) => known === code)

/**
 * The error catalog: the only place with the status and message of each code, and what to do about it.
 * `docs/errors.md`, `/error/index`, the OpenAPI failure schemas, the client and the error handler use it.
 */
export const catalog = Object.fromEntries(
  Object.entries<Row>(rows).map(([code, row]) => [code, { retry: 'after_change', ...row }])
) as Record<ErrorCode, Required<Row>>
