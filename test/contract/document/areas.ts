import { readdirSync } from 'node:fs'

const folder = new URL('../areas/', import.meta.url)

/**
 * All that the files of `test/contract/areas/` export under this name, merged. These are facts about an
 * area that tests of the whole contract need and that no schema contains.
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
