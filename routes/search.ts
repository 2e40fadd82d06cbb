import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { searchKinds } from '../plugins/patterns/search.ts'
import { ok, success } from '../schemas/common.ts'
import { SearchQuery, searchFields } from '../schemas/search.ts'

/** Search in the rows of all kinds at once. */
const search: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('search', 'Find rows of any kind by their text.', {
    search: 'rows of all kinds'
  })

  app.get(
    '/search/index',
    {
      config: {
        allow: ['session', 'agent', 'jwt'],
        scope: 'any',
        mcp: {
          description: 'Your rows with this text in title, body or name, newest first.'
        }
      },
      schema: {
        operationId: 'search',
        summary: 'Search',
        description:
          'Your own rows of all kinds with this text in a title, body or name, newest first.',
        querystring: SearchQuery,
        response: { 200: success(searchFields) }
      }
    },
    async (request) => ok(await searchKinds(request, request.query))
  )
}

export default search
