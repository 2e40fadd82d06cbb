import { entryOf } from '../../../schemas/catalog.ts'
import {
  adviceOf,
  type ConflictReason,
  catalog,
  conflicts,
  type ErrorCode,
  errorCodes
} from '../../../schemas/errors.ts'

/** What a model is told is wrong, if the catalog's message is not about tools. */
const messages: Partial<Record<ErrorCode, string>> = {
  // Nobody who calls a tool had a session.
  'SESSION-CLOSED': 'This tool takes another kind of credential.',
  'PRECONDITION-REQUIRED': 'This tool needs `if_match`.',
  'PRECONDITION-FAILED': 'It was changed: its version is not the one that `if_match` names.',
  CONFLICT: 'A rule, or another call that is running, forbids this call.'
}

/** What the message of a failure depends on, besides its code. */
interface Circumstances {
  reason?: ConflictReason
  message?: string
}

export function messageOf(code: ErrorCode, circumstances: Circumstances = {}) {
  const { reason, message } = circumstances
  if (code.endsWith('-ID-REQUIRED')) return 'The `id` is missing, or is no whole number.'
  const ofReason = code === 'CONFLICT' && (message ?? (reason && conflicts[reason].message))
  return ofReason || (messages[code] ?? catalog[code].message)
}

/** What a model is told to do, if the catalog speaks of what only HTTP has: paths, headers, sign-in. */
const ofTools: Partial<Record<ErrorCode, string>> = {
  'SESSION-CLOSED':
    'This tool does not take your kind of credential. Call one that `tools/list` names, or connect with an access token of the `scope` given here.',
  'JWT-INVALID':
    'This tool takes a JWT, and you are connected with another credential. Call one that `tools/list` names.',
  'ACCESS-TOKEN-INVALID': 'Ask the user for a new access token, and connect with it.',
  'SCOPE-INSUFFICIENT':
    'Ask the user for an access token that also has the `scope` given here (only administrators have `admin:` scopes); `tools/list` names what this one may call.',
  FORBIDDEN: 'Your user may not call this tool. Call one that `tools/list` names.',
  'NOT-FOUND': 'Call a tool that `tools/list` names, with all the arguments that it requires.',
  'PRECONDITION-REQUIRED': 'Read it first, and pass its version as `if_match`, such as v3.',
  'PRECONDITION-FAILED':
    'Read it again, apply the change to what it says now, and pass its new version as `if_match`, such as v3.',
  'VALIDATION-FAILED': 'Change what `details` names; `tools/list` says what each argument takes.',
  'UPLOAD-MIME-REJECTED':
    'Pass a file of one of the types in `allowed`, in base64: `content` is not its text.',
  'UPLOAD-FILE-REQUIRED': 'Pass the file in base64 as `content`; it must not be empty.',
  'UPLOAD-TOO-LARGE':
    'Send the file to `POST /attachment/index` with the same token, as multipart/form-data in a field called `file`.',
  // Of a tool that no plan can call: the others propose a plan by themselves.
  'APPROVAL-NEEDED':
    'No plan can do this. Ask your user to do it, or for an access token that does not ask.',
  'PLAN-NOT-FOUND': 'Pass the `id` of a plan that `create_plan` gave.',
  'PLAN-DECIDED': 'It cannot be withdrawn any more: `state` says what was decided.',
  'INTERNAL-ERROR':
    'Report it with the `request_id` given here; the same call is likely to fail again.'
}

/**
 * The remedy of a failure, for models: of CONFLICT, that of its reason. `rewrite` replaces operations and
 * headers by what tools call them.
 */
export function remedyOf(
  code: ErrorCode,
  { reason }: Circumstances,
  rewrite: (text: string) => string
) {
  if (code.endsWith('-ID-REQUIRED')) return 'Pass its `id`, a whole number, as a list shows it.'
  return ofTools[code] ?? rewrite(adviceOf(code, reason).remedy.replaceAll('`Data.', '`'))
}

/** The error catalog, as models are told of it. */
export const errorsForTools = (rewrite: (text: string) => string) =>
  errorCodes.map((code) => {
    const { reasons, ...entry } = entryOf(code)
    return {
      ...entry,
      errorMessage: messageOf(code),
      remedy: remedyOf(code, {}, rewrite),
      ...(reasons && {
        reasons: reasons.map((one) => ({ ...one, remedy: remedyOf(code, one, rewrite) }))
      })
    }
  })
