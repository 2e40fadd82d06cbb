import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import fp from 'fastify-plugin'
import { atFirstUse } from '../../schemas/first-use.ts'
import type { Eagerness } from './validation/index.ts'

type Schemas = Record<string, unknown>

/** Adds to `found` the shared schemas that this one refers to, directly or not. */
function addReferred(schema: unknown, shared: Schemas, found: Schemas) {
  JSON.stringify(schema, (key, value) => {
    const id = key === '$ref' && String(value).replace(/#$/, '')
    if (id && id in shared && !(id in found)) {
      found[id] = shared[id]
      addReferred(shared[id], shared, found)
    }
    return value
  })
  return found
}

/**
 * Compiles the serializer of an answer with the shared schemas that it refers to. By default each is
 * compiled with all of them, and each scope and route has copies of all.
 */
export default fp<Eagerness>(
  async (app, { isEager }) => {
    /** Each serializer by its schemas. GET and HEAD of a route share one, and so do routes that fail alike. */
    const compiled = new Map<string, (data: unknown) => string>()
    const schemas: Record<string, unknown> = {}
    const bucket = {
      add(schema: unknown) {
        schemas[(schema as { $id: string }).$id] = schema
        return app
      },
      getSchema: (id: string) => schemas[id],
      getSchemas: () => schemas
    }
    app.setSchemaController({
      bucket: () => bucket,
      compilersFactory: {
        buildSerializer: (shared, options) => (route) =>
          atFirstUse(isEager, () => {
            const referred = addReferred(route.schema, shared as Schemas, {})
            const key = JSON.stringify([route.schema, referred])
            const serialize = compiled.get(key) ?? SerializerSelector()(referred, options)(route)
            compiled.set(key, serialize)
            return serialize
          })
      }
    })
  },
  { name: 'serialization', fastify: '5.x' }
)
