import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkFormToken } from '../../../plugins/patterns/pages/form-token.ts'
import type { PageOptions } from '../../../plugins/patterns/pages/options.ts'
import { auditEvents } from '../../../schemas/audit.ts'
import { oneOf, PageQuery } from '../../../schemas/common.ts'
import { roles } from '../../../schemas/user.ts'

export const url = '/admin/desk'

const Cursor = PageQuery.properties.cursor

/** A login name that somebody types. There may be no such user. */
export const Login = Type.String({ maxLength: 255, pattern: '^[^\\u0000]*$' })

/** The query of the page. Each field belongs to one section. */
export const DeskQuery = Type.Object({
  /** Name of the section that a form has just changed. */
  done: Type.Optional(Type.String()),
  flags_cursor: Cursor,
  webhooks_cursor: Cursor,
  /** Filters of the users: text, role, and whether locked. */
  users_q: Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$' })),
  users_role: Type.Optional(oneOf(['', ...roles])),
  users_locked: Type.Optional(oneOf(['', 'true', 'false'])),
  users_cursor: Cursor,
  /** Filters of the audit trail. An empty field of the form matches all. */
  event: Type.Optional(oneOf(['', ...auditEvents])),
  /** Login name or key. */
  user_id: Type.Optional(Login),
  cursor: Cursor
})
export type DeskQuery = Static<typeof DeskQuery>

/** A part of the desk. The template `<name>.eta` beside it shows what `load` finds. */
export interface Section {
  /** The name in URLs, and the name of the view. */
  name: string
  title: string
  /** Its fields of `DeskQuery`: this section shows what is wrong with them. */
  fields?: readonly (keyof DeskQuery)[]
  load(query: DeskQuery): Promise<object>
  /** Names for the fields of its forms, used in error messages. */
  labels?: Readonly<Record<string, string>>
}

/** What a section gets when it is made. Its forms send a POST to `/admin/desk/<name>`. */
export interface Desk {
  app: Parameters<FastifyPluginAsyncTypebox>[0]
  options: PageOptions
  /** Runs `work`, then shows the desk again. If `work` fails, the section shows the failure. */
  answer(
    section: string,
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<unknown>,
    /** Further fields for the query of the page that is shown then. */
    query?: URLSearchParams
  ): Promise<FastifyReply>
}

/** The `config` of all routes of the desk: pages, for administrators only. */
export const guarded = { html: true, role: 'admin' } as const

/** The options of a form's route, except its schema. */
export const formRoute = ({ options }: Desk) => ({
  config: { ...guarded, body: 'form' as const },
  // `answer` shows on the page what is wrong with a form.
  attachValidation: true,
  preValidation: checkFormToken(options.SVC_CSRF_FIELD)
})
