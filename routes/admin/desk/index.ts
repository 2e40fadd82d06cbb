import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { remainingMethods } from '../../../plugins/http/dispatch/index.ts'
import { Failure, setFailure } from '../../../plugins/http/errors/index.ts'
import type { PageOptions } from '../../../plugins/patterns/pages/options.ts'
import { problemOf } from '../../../plugins/patterns/pages/problem.ts'
import { audit } from './audit.ts'
import { flags } from './flags.ts'
import { health } from './health.ts'
import { hour } from './hour.ts'
import { programs } from './programs.ts'
import { type Desk, DeskQuery, guarded, type Section, url } from './section.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

/** A failure, and the section that shows it. */
interface Problem {
  section: string
  failure: Failure
}

/** The administrators' page. Each section is a file in this folder, with its template. */
const desk: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const base: Desk = {
    app,
    options,
    async answer(section, request, reply, work, query) {
      try {
        if (request.validationError) throw request.validationError
        await work()
        const next = new URLSearchParams([['done', section], ...(query ?? [])])
        return reply.redirect(`${url}?${next}#${section}`, 303)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return show(request, reply, {}, { section, failure: error })
      }
    }
  }
  const sections: Section[] = [
    ...[hour(base), health(base), users(base), flags(base)],
    ...(app.oauth ? [programs(base)] : []),
    ...(app.deliveries.isOn ? [webhooks(base)] : []),
    audit(base)
  ]

  app.route({
    method: remainingMethods(app, url),
    url,
    config: { ...guarded, body: 'none' },
    schema: { querystring: DeskQuery },
    // The page itself shows what is wrong with a filter.
    attachValidation: true,
    handler: (request, reply) => {
      const failure = request.validationError
      if (!failure) return show(request, reply, request.query, null)
      if (!(failure instanceof Failure)) throw failure
      return show(request, reply, {}, { section: sectionOf(failure), failure })
    }
  })

  for (const { name } of sections) {
    const form = `${url}/${name}`
    if (!app.hasRoute({ method: 'POST', url: form })) continue
    app.route({
      method: remainingMethods(app, form),
      url: form,
      config: { ...guarded, body: 'none' },
      handler: (_request, reply) => reply.redirect(`${url}#${name}`)
    })
  }

  /** The section whose filter is wrong. */
  function sectionOf({ data }: Failure) {
    const field = data?.details?.[0]?.field
    return sections.find(({ fields = [] }) => fields.some((own) => own === field))?.name ?? ''
  }

  async function show(
    { viewer, csrfToken }: FastifyRequest,
    reply: FastifyReply,
    query: DeskQuery,
    problem: Problem | null
  ) {
    const loaded = sections.map(async ({ name, title, labels, load }) => ({
      name,
      title,
      csrfToken,
      isDone: query.done === name,
      failure: problem?.section === name ? problemOf(problem.failure, labels) : null,
      ...(await load(query))
    }))
    const sectionsNow = await Promise.all(loaded)
    if (problem) setFailure(reply, problem.failure)
    const { user } = viewer
    return reply.view('routes/admin/desk/index', {
      title: 'Desk',
      isDesk: true,
      user,
      sections: sectionsNow
    })
  }
}

export default desk
