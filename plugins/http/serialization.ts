import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import fp from 'fastify-plugin'
import { atFirstUse } from '../../schemas/first-use.ts'
import type { Eagerness } from './validation/checker.ts'

interface Schema {
  $id?: string
  $ref?: string
  type?: unknown
  anyOf?: Schema[]
}
type Schemas = Record<string, Schema>

const idOf = (ref: string) => ref.replace(/#$/, '')

/** Adds to `found` the shared schemas that this one refers to, directly or not. */
function addReferred(schema: unknown, shared: Schemas, found: Schemas) {
  JSON.stringify(schema, (key, value) => {
    const id = key === '$ref' && idOf(String(value))
    if (id && shared[id] && !(id in found)) {
      found[id] = shared[id]
      addReferred(shared[id], shared, found)
    }
    return value
  })
  return found
}

/**
 * The same schema without choices of a value and null. For each choice, fast-json-stringify would compile a validator,
 * and run it for each value: that takes longer than all the rest.
 */
const withoutNull = (schema: object, shared: Schemas) =>
  JSON.parse(JSON.stringify(schema), (_key, value) => {
    const { anyOf = [], ...rest }: Schema = Object(value)
    const [one, other, ...more] = anyOf
    if (!one || other?.type !== 'null' || more.length > 0) return value
    const { $id, ...found } = (one.$ref && shared[idOf(one.$ref)]) || one
    return typeof found.type === 'string' ? { ...found, ...rest, nullable: true } : value
  })

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
            const all = shared as Schemas
            const schemas = Object.entries(addReferred(route.schema, all, {}))
            const referred = Object.fromEntries(
              schemas.map(([id, schema]) => [id, withoutNull(schema, all)])
            )
            const schema = withoutNull(Object(route.schema), all)
            const key = JSON.stringify([schema, referred])
            const serialize =
              compiled.get(key) ?? SerializerSelector()(referred, options)({ ...route, schema })
            compiled.set(key, serialize)
            return serialize
          })
      }
    })
  },
  { name: 'serialization', fastify: '5.x' }
)
