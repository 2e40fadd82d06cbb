import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { endOwnGrant, listGrants } from '../../plugins/identity/oauth/grants.ts'
import { deleted, newestFirst, ok, success } from '../../schemas/common.ts'
import { Grant, GrantKey } from '../../schemas/grant.ts'

/** The programs that a user has let in. Needs a session. */
const grant: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('grant', 'Programs that were let in by OAuth.')

  app.get(
    '/grant/index',
    {
      config: { allow: ['session'] },
      schema: {
        operationId: 'listGrants',
        summary: 'List the programs you have let in',
        description: 'Newest first. Users let programs in on the consent page.',
        response: { 200: success({ grants: newestFirst(Grant) }) }
      }
    },
    async (request) => ok({ grants: await listGrants(request) })
  )

  app.delete(
    '/grant/item/id_:id',
    {
      config: { allow: ['session'], fails: ['GRANT-NOT-FOUND', 'VALIDATION-FAILED'] },
      schema: {
        operationId: 'endGrant',
        summary: 'Revoke the access of a program',
        description: 'Its tokens stop working at once.',
        params: GrantKey,
        response: { 200: deleted }
      }
    },
    async (request) => {
      const { id } = request.params
      await endOwnGrant(request, id)
      return ok({ id })
    }
  )
}

export default grant
