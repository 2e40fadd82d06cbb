import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { fail } from '../plugins/http/errors/index.ts'
import { CatalogEntry, entryOf } from '../schemas/catalog.ts'
import { ok, ref, success } from '../schemas/common.ts'
import { errorCodes } from '../schemas/errors.ts'

/** The error catalog, for programs: what a code means and what to do about it. */
const error: FastifyPluginAsyncTypebox = async (app) => {
  app.tag('error', 'What error codes mean, and what to do about them.')
  const entries = errorCodes.map(entryOf)
  const byCode = new Map(entries.map((entry) => [String(entry.errorCode), entry]))

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
        response: { 200: success({ error: ref(CatalogEntry) }) }
      }
    },
    async (request) => ok({ error: byCode.get(request.params.code) ?? fail('NOT-FOUND') })
  )
}

export default error
