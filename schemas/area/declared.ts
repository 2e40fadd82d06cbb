import type { Fields } from './field.ts'

/** An area that is described by data, not by code (docs/areas.md). */
export interface Declaration {
  name: string
  description?: string
  fields: Fields
  max?: number
}

let declared: readonly Declaration[] | undefined

/**
 * Adds the declared areas of this process: once, before anything is loaded that is made from the kinds of rows
 * (schemas, repositories, operations).
 */
export function declareAreas(areas: readonly Declaration[]): void {
  if (declared) throw new Error('areas are declared before schemas/kinds.ts is loaded, and once')
  declared = areas
}

/** The declared areas. From the first use on, none can be added. */
export function declaredAreas(): readonly Declaration[] {
  declared ??= []
  return declared
}
