import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { remainingMethods } from '../../../plugins/http/dispatch.ts'
import { Failure, setFailure } from '../../../plugins/http/errors/index.ts'
import { credentialsLimit } from '../../../plugins/http/json-body.ts'
import { refuseForeignPage } from '../../../plugins/identity/sign-in/index.ts'
import type { PageOptions } from '../../../plugins/patterns/pages/options.ts'
import { AddressKey, addressHours } from '../../../schemas/account.ts'

const url = '/account/address/token_:token'

/** What the page says after a removal. */
export const removedUrl = '/account/removed'

/**
 * Where the link to a new address leads (contract ACCOUNT-2), for whoever reads the mail, signed in or not. To look changes
 * nothing: programs open the links of mails too.
 */
const address: FastifyPluginAsyncTypebox<PageOptions> = async (app, options) => {
  const page = { allow: ['session', 'anyone'], html: true } as const
  const schema = { params: AddressKey }
  const tokenOf = ({ params }: FastifyRequest) => (params as Static<typeof AddressKey>).token

  const show = (
    { identity }: FastifyRequest,
    reply: FastifyReply,
    shown: {
      title: string
      e_mail?: string
      isDone?: boolean
      isTaken?: boolean
      failure?: Failure
    }
  ) =>
    reply.view('routes/account/pages/address', {
      ...{ user: identity?.user, hours: addressHours },
      ...shown
    })

  function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown) {
    if (!(error instanceof Failure) || !['NOT-FOUND', 'CONFLICT'].includes(error.code)) throw error
    setFailure(reply, error)
    const isTaken = error.code === 'CONFLICT'
    return show(request, reply, { title: 'This link is not valid', isTaken, failure: error })
  }

  app.post(
    url,
    {
      config: {
        ...page,
        body: 'form',
        bodyLimit: credentialsLimit,
        addressLimit: options.loginLimit
      },
      schema,
      onRequest: refuseForeignPage(options)
    },
    async (request, reply) => {
      try {
        const { e_mail } = await app.profile.follow(request, tokenOf(request))
        return show(request, reply, { title: 'Your new address', e_mail, isDone: true })
      } catch (error) {
        return refuse(request, reply, error)
      }
    }
  )

  app.route({
    method: remainingMethods(app, url),
    url,
    config: { ...page, body: 'none' },
    schema,
    async handler(request, reply) {
      try {
        const { e_mail } = await app.profile.find(tokenOf(request))
        return show(request, reply, { title: 'Your new address', e_mail })
      } catch (error) {
        return refuse(request, reply, error)
      }
    }
  })

  app.route({
    method: remainingMethods(app, removedUrl),
    url: removedUrl,
    config: { ...page, body: 'none' },
    handler: ({ identity }, reply) =>
      reply.view('routes/account/pages/removed', {
        ...{ title: 'Your account is deleted', user: identity?.user }
      })
  })
}

export default address
