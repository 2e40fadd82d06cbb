/**
 * The error catalog: the one place where a code's status and message are written.
 * `docs/errors.md`, the OpenAPI failure schemas and the error handler are derived from it.
 */
export const catalog = {
  'SESSION-CLOSED': {
    status: 401,
    message: 'Session timeout. Please log in again.',
    condition: 'Authenticated endpoint without a valid session.'
  },
  'LOGIN-FAILED': {
    status: 401,
    message: 'Wrong user ID or user PASS',
    condition: 'Login credentials rejected.'
  },
  'CSRF-TOKEN-INVALID': {
    status: 403,
    message: 'Invalid CSRF token.',
    condition:
      'State-changing request of a logged-in session caller with missing or wrong token, or a login sent by a foreign page.'
  },
  'METHOD-NOT-ALLOWED': {
    status: 405,
    message: 'The HTTP method is not allowed for this endpoint.',
    condition: 'Path exists, method not registered; `Allow` header lists methods.'
  },
  'NOT-FOUND': {
    status: 404,
    message: 'The requested resource was not found.',
    condition:
      'Route resolves to no controller or action (JSON when Accept prefers JSON). Also an unknown reset token.'
  },
  'INTERNAL-ERROR': {
    status: 500,
    message: 'An unexpected internal error occurred.',
    condition: 'Unhandled failure on a REST request.'
  },
  'ROUTE-CONFLICT': {
    status: 500,
    message: 'Route configuration conflict.',
    condition: 'Ambiguous controller dispatch.'
  },
  'TODO-ID-REQUIRED': {
    status: 400,
    message: 'TODO id is required.',
    condition: 'Missing or non-numeric id.'
  },
  'TODO-NOT-FOUND': {
    status: 404,
    message: 'TODO item was not found.',
    condition: 'No row for that id owned by the signed-in user.'
  },
  'TODO-TITLE-REQUIRED': {
    status: 400,
    message: 'TODO title is required.',
    condition: 'Empty title on create or update.'
  },
  'UPLOAD-FILE-REQUIRED': {
    status: 400,
    message: 'Upload file is required.',
    condition: 'Upload missing or not a genuine uploaded file.'
  },
  'UPLOAD-TOO-LARGE': {
    status: 413,
    message: 'Upload exceeds size limit.',
    condition: 'Size over the configured maximum.'
  },
  'UPLOAD-MIME-REJECTED': {
    status: 415,
    message: 'Upload mime type is not allowed.',
    condition: 'Detected type not on the allowlist.'
  },
  'ACCOUNT-LOCKED': {
    status: 423,
    message: 'Account is locked due to too many failed login attempts.',
    condition: 'Login for a locked account.'
  },
  'BATCH-ITEM-FAILED': {
    status: 422,
    message: 'One or more batch items failed.',
    condition:
      'A batch item cannot be processed; the overall response may be 207 (partial) or 422 (all failed).'
  },
  'BATCH-TOO-LARGE': {
    status: 400,
    message: 'Batch request exceeds the maximum number of items.',
    condition: "Input array longer than the endpoint's maximum, checked before processing."
  },
  'CIRCUIT-OPEN': {
    status: 503,
    message: 'The downstream service is temporarily unavailable.',
    condition: 'Circuit breaker is open.'
  },
  CONFLICT: {
    status: 409,
    message: 'A conflicting operation is already in progress.',
    condition:
      'Reserved for a second request conflicting with one underway (for example a duplicate idempotency key).'
  },
  FORBIDDEN: {
    status: 403,
    message: 'You do not have permission to perform this action.',
    condition: 'Role claim does not satisfy the endpoint.'
  },
  'INVALID-TRANSITION': {
    status: 409,
    message: 'The requested state transition is not allowed.',
    condition: "From/to pair not in the workflow's allowed map."
  },
  'JWT-INVALID': {
    status: 401,
    message: 'The JWT token is invalid or expired.',
    condition: 'Header absent, token malformed, wrong signature, expired, or algorithm not HS256.'
  },
  'PRECONDITION-FAILED': {
    status: 412,
    message: 'The resource was modified by another request. Fetch the latest version and retry.',
    condition:
      'A conditional update affected zero rows because a concurrent writer advanced the version.'
  },
  'PRECONDITION-REQUIRED': {
    status: 428,
    message: 'If-Match header is required for this operation.',
    condition: 'Conditional write without an `If-Match` header.'
  },
  'RATE-LIMIT-EXCEEDED': {
    status: 429,
    message: 'Too many requests. Please try again later.',
    condition: 'Counter above the limit in the current window; `Retry-After` header present.'
  },
  'SIGNED-URL-EXPIRED': {
    status: 410,
    message: 'The signed URL has expired.',
    condition: '`expires` in the past.'
  },
  'SIGNED-URL-INVALID': {
    status: 403,
    message: 'The signed URL is invalid.',
    condition: 'Signature mismatch or missing parameters.'
  },
  'TOKEN-ALREADY-USED': {
    status: 409,
    message: 'The reset token has already been used.',
    condition: 'Reset token with used_at set.'
  },
  'TOKEN-EXPIRED': {
    status: 410,
    message: 'The reset token has expired.',
    condition: 'Reset token past its expiry (410, not 404).'
  },
  'VALIDATION-FAILED': {
    status: 422,
    message: 'One or more input fields failed validation.',
    condition: 'Input validation fails; `Data.details` says which fields and why.'
  },
  'WEBHOOK-SIGNATURE-INVALID': {
    status: 401,
    message: 'Webhook signature is invalid or stale.',
    condition: 'Signature header missing, malformed or failing HMAC check.'
  },
  'REACTION-TYPE-INVALID': {
    status: 400,
    message: 'Invalid reaction type.',
    condition: 'Reaction type not in the allowed list.'
  },
  'REACTION-NOT-FOUND': {
    status: 404,
    message: 'Reaction not found.',
    condition: 'Explicit removal of a reaction that does not exist.'
  },
  'REQUEST-INVALID': {
    status: 400,
    message: 'The request could not be understood.',
    condition: 'Bad URL, bad percent-encoding, or a message that the HTTP parser refuses.'
  },
  'BODY-INVALID': {
    status: 400,
    message: 'The request body is not valid JSON.',
    condition: 'Body that is not JSON, not UTF-8, incomplete, or has a `__proto__` key.'
  },
  'BODY-TOO-LARGE': {
    status: 413,
    message: 'The request body is too large.',
    condition: 'Body over `SVC_BODY_MAX_BYTES`.'
  },
  'MEMO-ID-REQUIRED': {
    status: 400,
    message: 'Memo id is required.',
    condition: 'Missing or non-numeric id.'
  },
  'MEMO-NOT-FOUND': {
    status: 404,
    message: 'Memo was not found.',
    condition: 'No memo for that id owned by the signed-in user.'
  },
  'ATTACHMENT-ID-REQUIRED': {
    status: 400,
    message: 'Attachment id is required.',
    condition: 'Missing or non-numeric id.'
  },
  'ATTACHMENT-NOT-FOUND': {
    status: 404,
    message: 'Attachment was not found.',
    condition: 'No attachment for that id owned by the signed-in user.'
  },
  'RANGE-NOT-SATISFIABLE': {
    status: 416,
    message: 'The requested range lies outside the content.',
    condition: '`Range` with no byte of the content; `Content-Range` says how many there are.'
  },
  'FLAG-NOT-FOUND': {
    status: 404,
    message: 'Feature flag was not found.',
    condition: 'Override for a flag that does not exist.'
  },
  'USER-NOT-FOUND': {
    status: 404,
    message: 'User was not found.',
    condition: 'Administrative operation on a user that does not exist.'
  },
  'DOWNSTREAM-FAILED': {
    status: 502,
    message: 'The downstream service failed.',
    condition: 'A downstream call failed while its circuit is closed.'
  },
  'SERVICE-OVERLOADED': {
    status: 503,
    message: 'The service cannot take this request now. Please try again later.',
    condition:
      'Overload, no space left on the disk, or the database does not answer the health check.'
  }
} as const satisfies Record<string, { status: number; message: string; condition: string }>

export type ErrorCode = keyof typeof catalog

export const errorCodes = Object.keys(catalog) as ErrorCode[]
