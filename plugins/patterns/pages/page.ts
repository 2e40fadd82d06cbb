import { hash, randomUUID } from 'node:crypto'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Referenced } from '../../../db/own/references.ts'
import { Natural } from '../../../schemas/common.ts'
import { remainingMethods } from '../../http/dispatch.ts'
import { conflict, Failure, fail, setFailure, toFailure } from '../../http/errors/index.ts'
import { takeTurns } from '../../runtime/turns.ts'
import { listChanges } from '../activity/own-activity.ts'
import { sentencesOf } from '../activity/shown.ts'
import { maxAnswerBytes } from '../idempotency/index.ts'
import { drawField } from './fields.ts'
import type { Form, Outcome, Question, Refusal } from './form.ts'
import { problemOf, refusalOf } from './form.ts'
import { checkFormToken } from './form-token.ts'
import { labelOf } from './inputs.ts'
import type { PageOptions } from './options.ts'
import type { receivesFiles } from './received.ts'
import { time } from './time.ts'
import { namedFor, queryOf, undoForm, undoing, undoneFor, undoTold } from './undo.ts'

const dayMs = 86_400_000

/** A page of signed-in visitors: what it loads, the template that shows that, and what its forms do. */
export interface Page<Query extends TObject = TObject> {
  url: string
  title: string
  /** Its template, by its path in the project. */
  view: string
  /** Filters and cursors of the page. */
  query?: Query
  /** The parameter that opens a form: once something was done, it is closed. */
  opens?: string
  /** The field by which the forms of rows name their row; by default `id`. */
  key?: string
  /** Only administrators see it. */
  role?: 'admin'
  /** The name in the navigation, if the page stands there, and how many things wait there for the visitor. */
  link?: string
  waiting?(request: FastifyRequest): Promise<number>
  /** It is the page of a declared area: many of these stand in a menu of their own. */
  ofKind?: boolean
  forms?: Readonly<Record<string, Form>>
  /** The most that a form may have, in bytes, if not 64 KiB. */
  bodyLimit?: number
  /** Its forms may have files. */
  receives?: ReturnType<typeof receivesFiles>
  load(request: FastifyRequest, query: Static<Query>): Promise<object>
}

/** Fields of the query of every page: what was done, the changes or the plan that can be undone, and what an undo did. */
const Told = {
  done: Type.Optional(Type.String({ maxLength: 64 })),
  undo: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}(-[0-9]{1,15}){0,19}$' })),
  undo_plan: Type.Optional(Natural()),
  undo_run: undoing.run,
  left: Type.Optional(Type.String({ pattern: '^[a-z_]{1,40}(,[a-z_]{1,40}){0,49}$' })),
  ...undoTold
}
type Told = Static<TObject<typeof Told>>
type Values = Readonly<Record<string, unknown>>

/** The long forms of each user, whatever page they are on. */
const inTurn = takeTurns<number>()

/** What a page shows beside what it loads. */
interface Drawn {
  show?: object
  question?: Question & { form: string; fields: [name: string, value: string][] }
  refusal?: Refusal
}

/** A field of a form, for `plugins/patterns/pages/field.eta`. */
interface FieldOptions {
  label: string
  /** The key of the row to which the form belongs, if the page has the form once for each. */
  row?: number | string
  value?: unknown
}

/**
 * Adds a page and its forms. A form is sent to the page itself; the button says which it is (`action`). What is refused is
 * drawn again with its values and its problems, with the status of the failure.
 */
export function addPage<Query extends TObject>(
  app: FastifyInstance,
  options: PageOptions,
  {
    url,
    title,
    view,
    query: filters,
    opens,
    key = 'id',
    role,
    link,
    ofKind,
    waiting,
    forms: own = {},
    bodyLimit,
    receives,
    load
  }: Page<Query>
): void {
  const config = { html: true, ...(role && { role }) } as const
  const schema = { querystring: Type.Object({ ...filters?.properties, ...Told }) }
  const forms: Readonly<Record<string, Form>> = {
    ...own,
    ...(Object.values(own).some(({ options }) => options.isUndoable) && { undo: undoForm(app) })
  }
  if (link !== undefined) app.frame.links.push({ url, text: link, role, waiting, ofKind })

  if (Object.keys(forms).length > 0) {
    app.post(
      url,
      {
        config: { ...config, body: 'form', ...(bodyLimit && { bodyLimit }) },
        schema,
        ...(receives ?? { preValidation: checkFormToken(options.SVC_CSRF_FIELD) })
      },
      submit
    )
  }
  app.route({
    method: remainingMethods(app, url),
    url,
    config: { ...config, body: 'none' },
    schema,
    // The page itself says what is wrong with a filter.
    attachValidation: true,
    handler(request, reply) {
      const { validationError: failure } = request
      if (!failure) return draw(request, reply, {})
      if (!(failure instanceof Failure)) throw failure
      setFailure(reply, failure)
      const refusal = refusalOf(failure, filters?.properties, {}, request.query)
      return draw(request, reply, { refusal })
    }
  })

  async function submit(request: FastifyRequest, reply: FastifyReply) {
    const { action = '', form_id, sure } = Object(request.body) as Record<string, unknown>
    const name = String(action)
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined
    try {
      if (request.notReceived) throw request.notReceived
      if (!form) return fail('VALIDATION-FAILED')
      const question = await form.ask(request)
      if (question && sure !== 'yes') {
        return draw(request, reply, {
          question: { ...question, form: name, fields: fieldsOf(request) }
        })
      }
      const { once, isLong } = form.options
      const run = async () =>
        once && typeof form_id === 'string'
          ? runOnce(form, request, reply)
          : (await form.prepare(request, reply))()
      const outcome = await (isLong ? inTurn(request.viewer.user.id, run) : run())
      if (outcome && 'show' in outcome) return draw(request, reply, outcome)
      const to = outcome && 'to' in outcome ? outcome.to : undefined
      return reply.redirect(to ?? (await next(request, name, form, outcome)), 303)
    } catch (thrown) {
      const error = thrown instanceof Referenced ? toFailure(thrown) : thrown
      // If the session has ended meanwhile, the visitor is sent to sign in (contract CSRF-4).
      if (!(error instanceof Failure) || error.code === 'SESSION-CLOSED') throw error
      setFailure(reply, error)
      const refusal = refusalOf(error, form?.properties, form?.options, request.body)
      const kept = await namedFor(request, 'Not undone', error.data?.conflicts ?? [])
      return draw(request, reply, { refusal: kept.length > 0 ? { ...refusal, kept } : refusal })
    }
  }

  /** What the page says was done, and what it offers to undo. */
  async function toldOf(request: FastifyRequest, query: Told) {
    const { done = '', undo, undo_plan: plan, undo_run: run } = query
    const form = Object.hasOwn(forms, done) ? forms[done] : undefined
    if (request.method !== 'GET' || !form?.options.done) return undefined
    const given = query.left?.split(',') ?? []
    const left = form.options.leavesOut?.filter((name) => given.includes(name)).map(labelOf) ?? []
    const also = left.length > 0 ? ` Left out, as the service writes them: ${left.join(', ')}.` : ''
    const text = form.options.done + also
    const ids = undo?.split('-').map(Number)
    const sentences = await sentencesOf(request, ids?.length === 1 ? ids : [], true)
    const [sentence] = sentences.values()
    const said = sentence ? [{ text: `${sentence.verb} ` }, ...sentence.rest] : [{ text }]
    return { said: query.undone ? await undoneFor(request, query) : said, ids, plan, run }
  }

  /** The page again: with the same filters, what was done, and what can be undone. */
  async function next(
    request: FastifyRequest,
    action: string,
    { options: { done, isUndoable } }: Form,
    outcome: Outcome
  ) {
    const asked = new URLSearchParams(request.url.split('?', 2)[1])
    const known = [...asked].filter(
      ([name]) => name !== opens && name in (filters?.properties ?? {})
    )
    const query = new URLSearchParams(known)
    if (done !== undefined) query.set('done', action)
    if (outcome && 'plan' in outcome) query.set('undo_plan', String(outcome.plan))
    else if (outcome && ('run' in outcome || 'left' in outcome)) {
      if (outcome.left && outcome.left.length > 0) query.set('left', outcome.left.join())
      if (outcome.run) query.set('undo_run', outcome.run)
    } else if (outcome && 'undid' in outcome) {
      for (const [name, value] of Object.entries(queryOf(outcome.undid))) query.set(name, value)
    } else if (done !== undefined && isUndoable && app.activity.isOn) {
      const { changes } = await listChanges(request, { limit: 20 })
      const ids = changes.filter((change) => change.request_id === request.id).map(({ id }) => id)
      if (ids.length > 0) query.set('undo', ids.join('-'))
    }
    return query.size > 0 ? `${url}?${query}` : url
  }

  /**
   * Does what the form asks for unless it was sent before. It is claimed for a day, like an idempotency key, with what it
   * does. All that was typed counts: after the browser's back button, a form can have an old id and a new text.
   */
  async function runOnce(form: Form, request: FastifyRequest, reply: FastifyReply) {
    const user_id = request.viewer.user.id
    const sent = [user_id, 'form', url, JSON.stringify(request.body)].join('\n')
    const scope_hash = hash('sha256', sent)
    const work = await form.prepare(request, reply).catch(async (error) => {
      // What was done already may be refused a second time.
      if (await app.repos.idempotencyKeys.find({ scope_hash })) return undefined
      throw error
    })
    if (!work) return undefined
    return app.db.transaction(async (repos) => {
      const now = app.now()
      const isFirst = await repos.idempotencyKeys.claim({
        user_id,
        max: maxAnswerBytes,
        scope_hash,
        body_digest: '',
        owner: '',
        lease_until: now + dayMs,
        now,
        before: now - dayMs
      })
      // Not claimed, but not known either: the user has no room for another key.
      if (!isFirst && !(await repos.idempotencyKeys.find({ scope_hash }))) conflict('quota')
      if (!isFirst) return undefined
      request.openTransaction = repos
      return work().finally(() => {
        request.openTransaction = null
      })
    })
  }

  async function draw(request: FastifyRequest, reply: FastifyReply, drawn: Drawn) {
    const { viewer, csrfToken, validationError } = request
    const query = (validationError ? {} : request.query) as Static<Query> & Told
    // What was sent, and refused.
    const given = Object(drawn.refusal && (request.body ?? request.query)) as Values
    const { action = '' } = given
    // The first field that is wrong gets the focus, also without the script.
    let isFocused = false
    return reply.view('plugins/patterns/pages/page', {
      title,
      view,
      path: url,
      user: viewer.user,
      csrfToken,
      formId: randomUUID(),
      ...(await load(request, query)),
      ...drawn,
      sent: given,
      time,
      told: await toldOf(request, query),
      links: await linksFor(request),
      /** What `field.eta` needs to draw a field of a form. */
      field(form: string, name: string, { label, row, value, ...more }: FieldOptions) {
        const { properties = {}, required = [] } = (form === '' ? filters : forms[form]) ?? {}
        const property = properties[name]
        if (!property) throw new Error(`${url}: the form ${form} has no field ${name}`)
        // The form of this row is the one that was refused.
        const isRefused =
          action === form && (row === undefined || String(given[key]) === String(row))
        const problem = isRefused ? problemOf(drawn.refusal, name) : undefined
        const hasFocus = problem !== undefined && !isFocused
        isFocused ||= hasFocus
        return drawField({
          hasFocus,
          ...{ name, label, property, isRequired: required.includes(name) },
          id: [form, row, name].filter((part) => part !== undefined).join('-'),
          value: (isRefused ? given[name] : undefined) ?? value ?? property.default ?? '',
          problem,
          ...more
        })
      }
    })
  }

  /** What the form has, but the token: to be sent again with the answer to the question. */
  const fieldsOf = ({ body }: FastifyRequest) =>
    Object.entries(Object(body) as Record<string, string | string[]>)
      .filter(([name]) => name !== options.SVC_CSRF_FIELD && name !== 'sure')
      .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]))
}

/** The navigation of a signed-in visitor, with how many things wait at each link. */
export const linksFor = (request: FastifyRequest) =>
  Promise.all(
    request.server.frame.links.map(async ({ waiting, ...link }) => ({
      ...link,
      waiting: await waiting?.(request)
    }))
  )
