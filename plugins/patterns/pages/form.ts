import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../../schemas/errors.ts'
import type { Conflict, Undone } from '../../../schemas/undo.ts'
import type { Failure } from '../../http/errors/index.ts'
import { saidOf } from '../../http/errors/said.ts'
import type { Part } from '../activity/sentence.ts'
import { fieldOf, sentence } from './fields.ts'

/** What an undo did. */
export interface Undo {
  undone: readonly Undone[]
  conflicts: readonly Conflict[]
}

/**
 * What a form led to. `show` is drawn in this very answer, and never again (a secret); `to` is another page. Otherwise
 * the browser asks for the page again, which offers to undo that `plan` or `run`, or says what was undone, or `left` out.
 */
export type Outcome =
  | { show: object }
  | { to: string }
  | { plan: number }
  | { run?: string; left?: readonly string[] }
  | { undid: Undo }
  | undefined

/** What a person is asked before something happens that cannot be undone. */
export interface Question {
  /** Names the thing: `Revoke “nightly import”?` */
  title: string
  /** What happens then. */
  text: string | readonly Part[]
  /** What the button says: the verb. Undefined if it cannot happen: the text says why. */
  button?: string
  /** Whether the field `user_pass` of the form is asked for with it. */
  asksPassword?: boolean
}

interface FormOptions<Fields> {
  run?(fields: Fields, request: FastifyRequest, reply: FastifyReply): Promise<Outcome>
  /** Instead of `run`, what it does first, outside a transaction: what that returns is done in one. */
  prepare?(fields: Fields, request: FastifyRequest): Promise<() => Promise<Outcome>>
  /** A user has one of them done at a time; others wait. */
  isLong?: boolean
  /** What the page says once it is done, if the result is not visible anyway. */
  done?: string
  /** What it may have left out: only these names are said to be. */
  leavesOut?: readonly string[]
  /** Asked first. Undefined: nothing is asked. */
  ask?(fields: Fields, request: FastifyRequest): Promise<Question | undefined>
  /** Its changes are recorded. The page offers to undo them; if nothing is recorded, `ask` asks first. */
  isUndoable?: boolean
  /** An optional field that is empty is left out. */
  isEmptyAbsent?: boolean
  /** It makes something: sent again, as by a reload, it does nothing. */
  once?: boolean
  /** Our own sentences for what is refused, by the name of the field or by the code. */
  words?: Readonly<Record<string, string>>
  /** The fields at which failures stand, by their codes, if their schemas do not say so. */
  at?: Readonly<Partial<Record<ErrorCode, string>>>
}

/** A form of a page, by the value of `action` that its button sends. */
export interface Form {
  properties: Readonly<Record<string, TSchema>>
  required: readonly string[]
  options: Omit<FormOptions<never>, 'run' | 'prepare' | 'ask'>
  /** The question to ask first; undefined for none. Fails if the fields are not valid. */
  ask(request: FastifyRequest): Promise<Question | undefined>
  /** Gets ready, and returns what is to be done. Fails if the fields are not valid. */
  prepare(request: FastifyRequest, reply: FastifyReply): Promise<() => Promise<Outcome>>
}

/** Fields that every form may send. */
const common = {
  action: Type.Optional(Type.String()),
  /** Random, made with the page: the same form is not done twice. */
  form_id: Type.Optional(Type.String({ maxLength: 64 })),
  /** Whether the question was answered with yes. */
  sure: Type.Optional(Type.String({ maxLength: 8 }))
}

/** Makes a form from the schema of its fields. */
export function form<Schema extends TObject>(
  app: FastifyInstance,
  schema: Schema,
  { run, prepare, ask, ...options }: FormOptions<Static<Schema>>
): Form {
  const check = app.check(
    Type.Object({ ...common, ...schema.properties } as Schema['properties'], { 'x-form': true })
  )
  // A field that is missing is judged like an empty one.
  const empty = Object.fromEntries(
    (schema.required ?? [])
      .filter((name) => schema.properties[name]?.type !== 'array')
      .map((name) => [name, ''])
  )
  const isFilled = ([name, value]: [string, unknown]) =>
    value !== '' || schema.required?.includes(name)
  function fieldsOf({ body }: FastifyRequest) {
    const all = Object.entries(Object(body))
    const sent = Object.fromEntries(options.isEmptyAbsent ? all.filter(isFilled) : all)
    const { failure, value } = check({ ...empty, ...sent })
    if (failure) throw failure
    return value as Static<Schema>
  }
  return {
    properties: schema.properties,
    required: schema.required ?? [],
    options,
    ask: async (request) => {
      const fields = fieldsOf(request)
      return options.isUndoable && request.server.activity.isOn ? undefined : ask?.(fields, request)
    },
    async prepare(request, reply) {
      const fields = fieldsOf(request)
      return prepare ? prepare(fields, request) : async () => run?.(fields, request, reply)
    }
  }
}

/** What a page shows of a form that was refused. */
export interface Refusal {
  code: ErrorCode
  message: string
  /** What the page says, unless that stands beside a field. */
  said: string
  /** Said instead, with the names of rows, if an undo has done nothing. */
  kept?: readonly Part[]
  /** By the names of the fields. */
  problems: Readonly<Record<string, string>>
  /** A field that was drawn says what is wrong. */
  isBeside: boolean
  /** What is wrong with the lines of a file. */
  lines: readonly string[]
}

/** Puts a failure into sentences beside the fields, of a form or a filter, that were sent. */
export function refusalOf(
  failure: Failure,
  properties: Form['properties'] = {},
  { words = {}, at = {} }: Partial<Form['options']> = {},
  sent: unknown
): Refusal {
  const { code, message, data } = failure
  const given = Object(sent) as Record<string, unknown>
  const say = (field: string, message: string) =>
    words[field] ?? sentence(properties[field] ?? Type.Unknown(), given[field], message)
  const details = data?.details ?? []
  const problems = Object.fromEntries(
    details.flatMap(({ field, message }) => {
      const name = field.split('.')[0] ?? ''
      return name in properties ? [[name, say(name, message)]] : []
    })
  )
  const own = fieldOf(properties, code)
  const field = failure.field ?? at[code] ?? own
  const said = (failure.field && words[failure.field]) ?? words[code] ?? saidOf(failure)
  if (field !== undefined) {
    const isOwn = field === own && words[code] === undefined
    problems[field] = isOwn ? say(field, '') : said
  }
  return { code, message, said, problems, isBeside: false, lines: data?.lines ?? [] }
}

/** What is wrong with a field that is drawn: the page says it there, and nowhere else. */
export function problemOf(refusal: Refusal | undefined, name: string) {
  const problem = refusal?.problems[name]
  if (refusal && problem !== undefined) refusal.isBeside = true
  return problem
}
