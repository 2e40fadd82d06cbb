import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * What an action leads to: `show` is shown by its section in this very answer, `to` is another page;
 * with neither, the page is asked for again and says that it is done (`Section.done`).
 */
export type Shown = { show: object } | { to: string } | undefined

type Run = (request: FastifyRequest, reply: FastifyReply) => Promise<Shown>

/** A part of the page of the account, with its forms. A failure of an action is shown in it. */
export interface Section {
  /** The name of its template, and of its anchor in the page (`#name`). */
  name: string
  title: string
  /** Its actions, by the value that buttons send as `action`. No two sections may use the same value. */
  actions: Readonly<Record<string, Run>>
  /** The message after an action, if the result is not visible anyway. */
  done?: Readonly<Record<string, string>>
  /** Names for the fields of its forms, used in error messages. */
  labels?: Readonly<Record<string, string>>
  /** The data that its view shows, in addition to `show`. */
  load(request: FastifyRequest): Promise<object>
}

/** Makes an action from the schema of its form's fields. */
export function action<Schema extends TObject>(
  app: FastifyInstance,
  schema: Schema,
  run: (form: Static<Schema>, request: FastifyRequest, reply: FastifyReply) => Promise<Shown>
): Run {
  const check = app.check(Type.Object(schema.properties, { 'x-form': true }))
  return async (request, reply) => {
    const { failure, value } = check(request.body)
    if (failure) throw failure
    return run(value, request, reply)
  }
}
