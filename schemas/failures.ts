import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { FailureStatus, Key, Natural, oneOf, ref } from './common.ts'
import { catalog, conflictReasons, conflicts, type ErrorCode, errorCodes } from './errors.ts'

/** Any code of the catalog. */
export const AnyErrorCode = oneOf(errorCodes, {
  $id: 'ErrorCode',
  description:
    'Every code that a failure can have. Codes may be added, never change their meaning.',
  examples: ['TODO-TITLE-REQUIRED']
})

export const ErrorMessage = Type.String({
  $id: 'ErrorMessage',
  description: 'What the code means, for people. The wording may change.',
  examples: ['TODO title is required.']
})

/** What is wrong with one field. */
export const Detail = Type.Object(
  {
    in: oneOf(['body', 'params', 'query', 'headers'], {
      description: 'The part of the request; `params` are those of the path.'
    }),
    field: Type.String({
      description: 'Its name; empty for the part as a whole.',
      examples: ['title']
    }),
    message: Type.String({ description: 'What is wrong.', examples: ['must be string'] })
  },
  { $id: 'Detail', description: 'What is wrong with one field.' }
)

export type Detail = Static<typeof Detail>

/** Which kind of CONFLICT it is. */
export const Reason = oneOf(conflictReasons, {
  $id: 'ConflictReason',
  description: conflictReasons
    .map((reason) => `\`${reason}\`: ${conflicts[reason].message}`)
    .join(' '),
  examples: ['running']
})

/** The position of an item in its batch. */
export const batchIndex = Type.Integer({
  description: 'Position in the request, from 0.',
  examples: [0]
})

/** What is wrong with the fields of a request. */
export const details = Type.Array(ref(Detail), { description: 'Which fields are wrong, and why.' })

/** What CONFLICT says more of a value that must differ. */
export const takenFields = {
  taken: Type.Optional(Type.String({ description: 'With `taken`: which field.' })),
  details: Type.Optional(details)
}

/** What CONFLICT says more of a row that others refer to. */
export const referencedFields = {
  referenced_by: Type.Optional(
    Type.Object(
      { kind: Type.String({ description: 'Its kind.', examples: ['todo'] }), id: Key },
      { description: 'With `referenced`: a row that refers to it.' }
    )
  )
}

/** Of a row that has another version than the one that was named. */
const versionFields = {
  version: Type.Optional(Natural({ description: 'What it is now.', examples: [3] }))
}

export const BatchFailure = Type.Object(
  {
    index: batchIndex,
    status: { ...FailureStatus, description: 'It was not done.' },
    errorCode: ref(AnyErrorCode),
    errorMessage: ref(ErrorMessage),
    details: Type.Optional({
      ...details,
      description: 'With `VALIDATION-FAILED`: which fields of the item are wrong, and why.'
    }),
    reason: Type.Optional(ref(Reason)),
    taken: takenFields.taken,
    ...referencedFields,
    ...versionFields
  },
  {
    $id: 'BatchFailure',
    description: 'An item of a batch that failed.',
    examples: [
      {
        index: 0,
        status: 'failure',
        errorCode: 'TODO-TITLE-REQUIRED',
        errorMessage: catalog['TODO-TITLE-REQUIRED'].message
      }
    ]
  }
)

export type BatchFailure = Static<typeof BatchFailure>

/** Why a step cannot be done. */
export const StepFailure = Type.Object(
  {
    errorCode: ref(AnyErrorCode),
    errorMessage: ref(ErrorMessage),
    details: Type.Optional(details),
    index: Type.Optional({ ...batchIndex, description: 'Of the first item that fails.' }),
    items: Type.Optional(
      Type.Array(ref(BatchFailure), { description: 'All items that fail, if it is a batch.' })
    )
  },
  {
    $id: 'StepFailure',
    additionalProperties: true,
    description:
      'Why a step cannot be done, with the fields of `Data` that this failure has by itself.'
  }
)
export type StepFailure = Static<typeof StepFailure>

/** How many items of a batch succeeded, and how many failed. */
export const batchCounts = {
  succeeded: Type.Integer({ description: 'How many items succeeded.', examples: [1] }),
  failed: Type.Integer({ description: 'How many items failed.', examples: [1] })
}

/** What is so, for who sent a Bearer credential. */
const ofBearer = Type.Optional(
  Type.String({
    description: 'After a Bearer credential: what is wrong with it, and how to get a right one.'
  })
)

/** The fields that `Data` of a failure always has, besides code and message. */
export const failureFields: Partial<Record<ErrorCode, TProperties>> = {
  'VALIDATION-FAILED': { details },
  'BATCH-ITEM-FAILED': {
    items: Type.Array(ref(BatchFailure), { description: 'What is wrong with each item.' }),
    ...batchCounts,
    succeeded: { ...batchCounts.succeeded, examples: [0] }
  },
  'PLAN-INVALID': {
    step: Natural({ description: 'Position of the step, from 0.', examples: [0] }),
    failure: ref(StepFailure)
  },
  'BATCH-TOO-LARGE': {
    maximum: Type.Integer({ description: 'The most items that are taken.', examples: [100] })
  },
  'UPLOAD-TOO-LARGE': {
    maximum: Type.Integer({ description: 'The most bytes of a file.', examples: [10_485_760] })
  },
  'UPLOAD-MIME-REJECTED': {
    allowed: Type.Array(Type.String(), {
      description: 'The types that are taken.',
      examples: [['image/png']]
    })
  },
  'SESSION-CLOSED': { message: ofBearer },
  'JWT-INVALID': { message: ofBearer },
  'ACCESS-TOKEN-INVALID': { message: ofBearer },
  'SCOPE-INSUFFICIENT': {
    scope: Type.Optional(
      Type.String({ description: 'The scope that is missing.', examples: ['todo:write'] })
    )
  },
  'APPROVAL-NEEDED': {
    message: Type.Optional(Type.String({ description: 'Where to propose it.' }))
  },
  'REQUEST-INVALID': {
    details: Type.Optional({ ...details, description: 'Which header is wrong, and why.' })
  },
  'CHANGES-GONE': {
    reason: oneOf(['forgotten', 'ahead'], {
      description:
        '`forgotten`: a change after the id is no longer recorded. `ahead`: the id is newer than every change.'
    })
  },
  CONFLICT: {
    reason: ref(Reason),
    message: Type.String({
      description: 'What is so, in a sentence.',
      examples: [conflicts.running.message]
    })
  },
  'PRECONDITION-FAILED': {
    ...versionFields,
    details: Type.Optional(details)
  },
  'INVALID-TRANSITION': {
    state: Type.String({ description: 'Its state now.', examples: ['draft'] }),
    allowed_next: Type.Array(Type.String(), {
      description: 'States that it can be moved to now.',
      examples: [['published']]
    })
  }
}
