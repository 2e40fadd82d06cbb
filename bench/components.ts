import { componentOf } from '../schemas/common.ts'

/** Registers the components that a schema refers to, as the service's validation does. */
export function addComponents(
  app: { addSchema(schema: object): unknown; getSchema(id: string): unknown },
  schema: unknown
) {
  if (typeof schema !== 'object' || schema === null) return
  const component = componentOf(schema)
  if (component && app.getSchema(component.$id)) return
  if (component) app.addSchema(component)
  for (const value of Object.values(component ?? schema)) addComponents(app, value)
}
