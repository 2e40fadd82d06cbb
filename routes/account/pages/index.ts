import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { remainingMethods } from '../../../plugins/http/dispatch/index.ts'
import { Failure, fail, setFailure } from '../../../plugins/http/errors/index.ts'
import { credentialsLimit } from '../../../plugins/http/json-body.ts'
import { checkFormToken } from '../../../plugins/patterns/pages/form-token.ts'
import type { PageOptions } from '../../../plugins/patterns/pages/options.ts'
import { problemOf } from '../../../plugins/patterns/pages/problem.ts'
import { accessTokens } from './access-tokens.ts'
import { activity } from './activity.ts'
import { password } from './password.ts'
import { programs } from './programs.ts'
import { secondFactor } from './second-factor.ts'
import type { Section } from './section.ts'
import { sessions } from './sessions.ts'
import { webhooks } from './webhooks.ts'

const url = '/account/index'

/** The message about the last action, and the section that shows it. */
interface FormOutcome {
  section: Section
  show?: object
  failure?: Failure
}

/** The page of the signed-in user's account. Each section does the same as its JSON operations. */
const account: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const config = { html: true } as const
  const sections: Section[] = [
    password(app),
    secondFactor(app),
    sessions(app),
    accessTokens(app),
    ...(app.oauth ? [programs(app)] : []),
    ...(app.deliveries.isOn ? [webhooks(app)] : []),
    activity(app)
  ]
  const actions = new Map(
    sections.flatMap((section) =>
      Object.entries(section.actions).map(([name, run]) => [name, { section, run }] as const)
    )
  )

  const checkAction = app.check(Type.Object({ action: Type.String() }, { 'x-form': true }))
  app.post(
    url,
    {
      config: { ...config, body: 'form', bodyLimit: credentialsLimit },
      // Each section checks the fields of its own forms.
      preValidation: checkFormToken(options.SVC_CSRF_FIELD)
    },
    async (request, reply) => {
      const { failure, value } = checkAction(request.body)
      if (failure) throw failure
      const { action } = value
      const { section, run } = actions.get(action) ?? fail('VALIDATION-FAILED')
      try {
        const outcome = await run(request, reply)
        if (outcome && 'show' in outcome) return page(request, reply, { section, ...outcome })
        const again = section.done?.[action] ? `${url}?done=${action}` : url
        return reply.redirect(outcome?.to ?? `${again}#${section.name}`, 303)
      } catch (error) {
        // If the session has ended meanwhile, the visitor is sent to sign in (contract CSRF-4).
        if (!(error instanceof Failure) || error.code === 'SESSION-CLOSED') throw error
        setFailure(reply, error)
        return page(request, reply, { section, failure: error })
      }
    }
  )

  app.route({
    method: remainingMethods(app, url),
    url,
    config: { ...config, body: 'none' },
    schema: { querystring: Type.Object({ done: Type.Optional(Type.String()) }) },
    handler: (request, reply) => page(request, reply)
  })

  async function page(request: FastifyRequest, reply: FastifyReply, outcome?: FormOutcome) {
    const { done = '' } = request.query as { done?: string }
    const { viewer, csrfToken } = request
    const common = { user: viewer.user, csrfToken, csrfField: options.SVC_CSRF_FIELD, time }
    const parts = []
    for (const section of sections) {
      const { name, title, labels } = section
      const { show, failure } = outcome?.section === section ? outcome : {}
      parts.push({
        name,
        title,
        done:
          outcome || !Object.hasOwn(section.done ?? {}, done) ? undefined : section.done?.[done],
        data: {
          ...common,
          ...(await section.load(request)),
          show,
          failure: failure && problemOf(failure, labels)
        }
      })
    }
    return reply.view('routes/account/pages/index', { title: 'Account', ...common, parts })
  }
}

/** A time for people; the page names the time zone. */
const time = (text: string) => `${text.slice(0, 10)} ${text.slice(11, 16)}`

export default account
