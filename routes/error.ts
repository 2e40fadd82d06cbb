import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../plugins/http/errors/index.ts'
import { CatalogEntry, entryOf } from '../schemas/catalog.ts'
import { ok, oneOf, ref, success } from '../schemas/common.ts'
import { conflictReasons, errorCodes, isErrorCode } from '../schemas/errors.ts'

/** The error catalog, for programs: what a code means and what to do about it. */
const error: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('error', 'What error codes mean, and what to do about them.')
  const entries = errorCodes.map((code) => entryOf(code))

  app.get(
    '/error/index',
    {
      config: { allow: ['anyone'] },
      schema: {
        operationId: 'listErrors',
        summary: 'List error codes',
        description: 'Every code that a failure can have, and what to do about it.',
        response: {
          200: success({ errors: Type.Array(ref(CatalogEntry), { description: 'Every code.' }) })
        }
      }
    },
    async () => ok({ errors: entries })
  )

  app.get(
    '/error/item/code_:code',
    {
      config: { allow: ['anyone'], fails: ['NOT-FOUND'] },
      schema: {
        operationId: 'getError',
        summary: 'Read an error code',
        description: 'The target of the `Link` with `rel="help"` of every failure.',
        params: Type.Object({
          code: Type.String({ description: 'As in `errorCode`.', examples: ['TODO-NOT-FOUND'] })
        }),
        querystring: Type.Object({
          reason: Type.Optional(
            oneOf(conflictReasons, { description: 'Of `CONFLICT`: which kind.' })
          )
        }),
        response: { 200: success({ error: ref(CatalogEntry) }) }
      }
    },
    async ({ params: { code }, query }) => {
      if (!isErrorCode(code)) return fail('NOT-FOUND')
      return ok({ error: entryOf(code, query.reason) })
    }
  )
}

export default error
