import type { AnySchemaObject, ErrorObject } from 'ajv'
import type { ErrorCode } from '../../../schemas/errors.ts'
import type { Detail } from '../../../schemas/failures.ts'
import { Failure, invalid, maxDetails } from '../errors/index.ts'

/** Where in a request a value is. */
export type Part = Detail['in']

type ErrorCodes = Partial<Record<string, ErrorCode>>
const codesOf = (schema: unknown): ErrorCodes =>
  (schema as { 'x-error-codes'?: ErrorCodes } | undefined)?.['x-error-codes'] ?? {}

/** The code that a schema names for a violation. Null and an absent value both count as `required`. */
function codeOf({ keyword, data, params, parentSchema }: ErrorObject): ErrorCode | undefined {
  const properties: Record<string, unknown> = parentSchema?.properties ?? {}
  if (keyword === 'required') return codesOf(properties[params.missingProperty]).required
  if (keyword === 'type' && data === null) {
    const codes = codesOf(parentSchema)
    if (codes.required ?? codes.type) return codes.required ?? codes.type
    const missing: string[] = parentSchema?.required ?? []
    return missing.map((name) => codesOf(properties[name]).required).find(Boolean)
  }
  return codesOf(parentSchema)[keyword]
}

/** The branches of an `anyOf` or `oneOf` that failed, if each only requires a member. */
function choiceOf({ keyword, parentSchema }: ErrorObject): AnySchemaObject[] {
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return []
  const branches: AnySchemaObject[] = parentSchema?.[keyword] ?? []
  return branches.every((branch) => branch.required && Object.keys(branch).length === 1)
    ? branches
    : []
}

/** Whether an error only says that a value, which may be null, is not. Another error says what is wrong with it. */
const isOfNull = ({ keyword, params, parentSchema }: ErrorObject) =>
  keyword === 'type'
    ? params.type === 'null'
    : keyword === 'anyOf' &&
      parentSchema?.anyOf.some(({ type }: AnySchemaObject) => type === 'null')

/** What a value of a format must be. */
export const formatWords: Readonly<Record<string, string>> = {
  'date-time': 'a time such as 2026-11-21T09:30:00Z',
  date: 'a date such as 2026-12-24',
  uri: 'a URL'
}

/** What a value must be, in words that say what would be taken. */
function messageOf({ keyword, params, parentSchema, message = 'is not valid' }: ErrorObject) {
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'const') return `must be ${params.allowedValue}`
  const words = keyword === 'format' && formatWords[params.format]
  if (words) return `must be ${words}`
  const rule = keyword === 'pattern' && parentSchema?.['x-must']
  return rule ? `must ${rule}` : message
}

/** The failure of a value that breaks its schema: with the code that the schema names, else VALIDATION-FAILED. */
export function validationFailure(found: ErrorObject[], part: Part): Failure {
  const all = found.filter((error) => !isOfNull(error))
  // If the type is wrong, other violations do not matter.
  const mistyped = new Set(all.flatMap((e) => (e.keyword === 'type' ? [e.instancePath] : [])))
  // If one of several members is needed, one message says so, not one for each member.
  const branches = new Set(all.flatMap(choiceOf))
  const isBranch = ({ parentSchema }: ErrorObject) =>
    parentSchema !== undefined && branches.has(parentSchema)
  const errors = all.filter(
    (e) => e.keyword === 'type' || !(mistyped.has(e.instancePath) || isBranch(e))
  )
  for (const error of errors) {
    const code = codeOf(error)
    if (!code) continue
    const data = error.keyword === 'maxItems' && { data: { maximum: error.schema } }
    return new Failure(code, { ...data })
  }
  const details = errors.slice(0, maxDetails).map((error): Detail => {
    const path = error.instancePath.slice(1).split('/')
    if (error.keyword === 'required') path.push(error.params.missingProperty)
    const names = choiceOf(error).flatMap(({ required }) => required)
    // A choice fails if no member is there. A `oneOf` also fails if several are.
    const one = `${names.join(' or ')}${all.some(isBranch) ? '' : ', not both'}`
    const message = names.length > 0 ? `must have ${one}` : messageOf(error)
    return { in: part, field: path.filter(Boolean).join('.'), message }
  })
  return invalid(...details)
}
