import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifySchemaCompiler } from 'fastify'
import fp from 'fastify-plugin'
import { componentOf } from '../../../schemas/common.ts'
import { atFirstUse } from '../../../schemas/first-use.ts'
import { type Checked, createChecker, type Eagerness, formats } from './checker.ts'
import type { Part } from './violations.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Checks one value; for a body that is validated part by part. */
    check<Schema extends TSchema>(schema: Schema): (value: unknown) => Checked<Static<Schema>>
    /** The names of all fields of forms. */
    formFields: ReadonlySet<string>
  }
}

const parts: Record<string, Part> = {
  body: 'body',
  params: 'params',
  querystring: 'query',
  headers: 'headers'
}

/**
 * Validates requests by their TypeBox schemas. Values in bodies are never converted; members that the schema does not
 * name are dropped. A violation has the code that the schema names (`x-error-codes`), else VALIDATION-FAILED.
 */
export default fp<Eagerness>(
  async (app, { isEager }) => {
    const { checkOf, validateSchema } = createChecker({ isEager })
    const components = new Map<string, object>()

    /** Registers the components that `schema` refers to, directly or through other components. Ajv gets them later. */
    function addComponents(schema: unknown, where: string) {
      if (typeof schema !== 'object' || schema === null) return
      if ('format' in schema && 'type' in schema && !((schema.format as string) in formats)) {
        const known = Object.keys(formats).join(', ')
        throw new Error(
          `${where}: format ${schema.format} is unknown; use ${known}, or add it to formats in plugins/http/validation/checker.ts`
        )
      }
      const component = componentOf(schema)
      if (component) {
        const { $id } = component
        const known = components.get($id)
        if (known === component) return
        if (known) throw new Error(`${where}: another schema has the $id ${$id} too`)
        components.set($id, component)
        if (isEager) validateSchema(component)
        app.addSchema(component)
      }
      const inside = component ? `${where}, component ${component.$id}` : where
      for (const value of Object.values(component ?? schema)) addComponents(value, inside)
    }

    const formFields = new Set<string>()
    app.decorate('formFields', formFields)
    function learnFields(form: object) {
      const { properties = {} }: { properties?: object } = componentOf(form) ?? form
      for (const name of Object.keys(properties)) formFields.add(name)
    }

    app.addHook('onRoute', function prepare(route) {
      addComponents(route.schema, `route ${route.method} ${route.url}`)
      const { body = 'json' } = route.config ?? {}
      if (body === 'form' || body === 'multipart') learnFields(route.schema?.body ?? {})
      // Set for each route: Fastify replaces a compiler of the whole service in a scope that adds a component.
      // A multipart form never becomes `request.body`; it is checked while it is read.
      const isForm = route.config?.body === 'multipart'
      route.validatorCompiler ??= isForm
        ? (part) => (part.httpPart === 'body' ? () => true : compile(part))
        : compile
    })

    app.decorate('check', <Schema extends TSchema>(schema: Schema) => {
      addComponents(schema, 'app.check')
      if (schema['x-form']) learnFields(schema)
      return atFirstUse(isEager, () => checkOf<Static<Schema>>(schema, 'body'))
    })

    const compile: FastifySchemaCompiler<object> = ({ schema, httpPart = 'body' }) => {
      const check = atFirstUse(isEager, () => checkOf(schema, parts[httpPart] ?? 'body'))
      return (given: unknown) => {
        const { failure, value } = check(given)
        return failure ? { error: failure } : { value }
      }
    }
  },
  { name: 'validation', fastify: '5.x', dependencies: ['errors'] }
)
