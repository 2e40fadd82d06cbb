import { catalog, type ErrorCode } from '../../../schemas/errors.ts'
import type { Document, OperationObject, Response, Schema } from './document.ts'
import { headersOf } from './headers.ts'

type Parts = Document['components']

/** What a reference names. */
const named = <Part extends { $ref?: string }>(
  all: Record<string, Part>,
  { $ref }: { $ref?: string } = {}
) => all[$ref?.split('/').at(-1) ?? '']

/** The members that every failure has. */
const common = ['status', 'errorCode', 'errorMessage']

/** The names of the other members that these failures can have. */
function membersOf({ responses, schemas }: Parts, failures: Response[]) {
  const names = failures.flatMap((failure) => {
    const media = named(responses, failure)?.content?.['application/json']
    const envelope = named(schemas, media?.schema)
    return Object.keys(named(schemas, envelope?.properties?.Data)?.properties ?? {})
  })
  return [...new Set(names)].filter((name) => !common.includes(name))
}

/** The answer of every failure. */
function failureWith(members: string[]): Response {
  const text = { type: 'string' }
  const Data: Schema = {
    type: 'object',
    required: common,
    properties: {
      status: { ...text, enum: ['failure'] },
      errorCode: { ...text, description: 'Rely on this.' },
      errorMessage: text
    },
    description: `Some also have ${members.map((name) => `\`${name}\``).join(', ')}.`
  }
  const schema: Schema = {
    type: 'object',
    required: ['Result', 'Data'],
    properties: { Result: { type: 'boolean' }, Data }
  }
  return {
    description: '`GET /error/item/code_{code}` says what to do.',
    content: { 'application/json': { schema } }
  }
}

/** Headers that successes have whatever the operation is. */
const usual = Object.keys(headersOf(200, { isCounted: true, isReplayed: true }))

/**
 * Leaves out of the document of one operation what nobody needs to call it: the schemas of its failures, the
 * examples of its answers, and headers that say nothing of it. Each status still names its codes.
 */
export function shorten(
  document: Document,
  { responses }: OperationObject,
  codes: readonly ErrorCode[]
) {
  const { components, info } = document
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  const members = membersOf(
    components,
    failures.map(([, failure]) => failure)
  )
  components.responses.Failure = failureWith(members)
  for (const [status] of failures) {
    const own = codes.filter((code) => String(catalog[code].status) === status)
    responses[status] = {
      $ref: '#/components/responses/Failure',
      description: own.map((code) => `\`${code}\``).join(', ')
    }
  }
  for (const answer of Object.values(responses)) {
    const { headers = {}, content = {} } = named(components.responses, answer) ?? answer
    for (const name of usual) delete headers[name]
    for (const media of Object.values(content)) delete media.example
  }
  // Of the items of a batch; the catalog lists them.
  const { ErrorCode } = components.schemas
  if (ErrorCode) delete ErrorCode.enum
  for (const name of ['summary', 'contact', 'license']) Reflect.deleteProperty(info, name)
  Reflect.deleteProperty(document, 'externalDocs')
}
