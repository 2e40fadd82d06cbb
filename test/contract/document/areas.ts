import { readdirSync } from 'node:fs'

const folder = new URL('../areas/', import.meta.url)

/**
 * What the files of `test/contract/areas/` export under this name, as one: what tests of the whole
 * contract must know of an area, and no schema says.
 */
export async function ofAreas<T>(name: 'prepare' | 'attempts' | 'triggers' | 'errors') {
  const found: Record<string, T> = {}
  for (const file of readdirSync(folder).sort()) {
    const area: Partial<Record<typeof name, Record<string, T>>> = await import(
      new URL(file, folder).href
    )
    Object.assign(found, area[name])
  }
  return found
}
