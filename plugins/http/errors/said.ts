import { sizeOf, typeWords } from '../../../schemas/attachment.ts'
import {
  type ConflictReason,
  catalog,
  conflictReasons,
  conflicts,
  type ErrorCode
} from '../../../schemas/errors.ts'

const later = 'Something that is needed for this does not answer. Please try again later.'
const unlike = 'Something in what was sent cannot be right. Check it, then try again.'

/** What a page says of a failure in place of the message of the catalog, which is for programs. */
const sentences: Partial<Record<ErrorCode, string>> = {
  'SESSION-CLOSED': 'You have been signed out. Sign in again.',
  'LOGIN-FAILED': 'Wrong user ID or password.',
  'ACCOUNT-LOCKED':
    'Too many wrong passwords or codes. Sign out and in again; if that is refused too, wait a while.',
  'METHOD-NOT-ALLOWED': 'This page cannot be used that way.',
  'NOT-FOUND': 'There is nothing here.',
  'TODO-TITLE-REQUIRED': 'Fill in the title.',
  'UPLOAD-FILE-REQUIRED': 'Choose a file that is not empty.',
  'UPLOAD-TOO-LARGE': 'This file is too large.',
  'UPLOAD-MIME-REJECTED': 'Files of this type are not accepted.',
  'CIRCUIT-OPEN': later,
  'DOWNSTREAM-FAILED': later,
  FORBIDDEN: 'You may not do this.',
  'INVALID-TRANSITION': 'It is in another state now, and cannot move there from it.',
  'PRECONDITION-FAILED': 'Somebody else has changed it in the meantime. Look at it first.',
  'RATE-LIMIT-EXCEEDED': 'That was too often. Please wait a little, then try again.',
  'CHANGES-GONE': 'What changed before is no longer recorded. Load the page again.',
  'PLAN-DECIDED': 'This has already been decided.',
  'PLAN-INVALID': 'This cannot be done as it was proposed.',
  'VALIDATION-FAILED': unlike,
  'REQUEST-INVALID': unlike,
  'BODY-INVALID': unlike,
  'BODY-TOO-LARGE': 'That is too much at once. Send less.',
  'USER-NOT-FOUND': 'There is no such user.',
  'SERVICE-OVERLOADED': 'This cannot be done just now. Please try again in a moment.'
}

/** The same of CONFLICT, by its reason. */
const ofConflict: Partial<Record<ConflictReason, string>> = {
  running: 'This is being done already. Look again in a moment.',
  quota: 'There is no room for more. Delete what you no longer need first.',
  taken: 'This is already in use. Choose another.',
  'last-administrator': 'At least one unlocked administrator must remain.',
  'last-way-in': 'Nobody could sign in any more. Set a password or add a passkey first.',
  changed: 'It has changed in the meantime, so this is not possible. Look at it first.'
}

/** What a page says of a failure: one sentence or two, in the words of who reads it. */
export function saidOf({
  code,
  data = {}
}: {
  code: ErrorCode
  data?: Readonly<Record<string, unknown>> | undefined
}): string {
  if (code === 'CONFLICT') {
    const reason = conflictReasons.find((one) => one === data.reason) ?? 'changed'
    return ofConflict[reason] ?? conflicts[reason].message
  }
  const said = sentences[code]
  if (typeof data.maximum === 'number' && code === 'UPLOAD-TOO-LARGE') {
    return `${said} It may have at most ${sizeOf(data.maximum)}.`
  }
  if (Array.isArray(data.allowed) && code === 'UPLOAD-MIME-REJECTED') {
    return `${said} Choose one of: ${typeWords(data.allowed)}.`
  }
  if (said !== undefined) return said
  if (code.endsWith('-ID-REQUIRED')) return unlike
  return code.endsWith('-NOT-FOUND') ? 'This is no longer here.' : catalog[code].message
}
