import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fields } from '../../schemas/area/field.ts'

/** Parts of an area that tests declare, and the file of one. */

export const fields = { url: { type: 'url' } }
export const bookmark = (more: object = {}) => ({ name: 'bookmark', fields, ...more })

export function write(folder: string, area: { name: string } | string) {
  const { name, text } =
    typeof area === 'string'
      ? { name: 'bookmark', text: area }
      : { name: area.name, text: JSON.stringify(area) }
  const file = join(folder, `${name}.json`)
  writeFileSync(file, text)
  return file
}

/** The same fields, these with an index, which the command line cannot say. */
export const withIndexes = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      names.includes(name) ? { ...field, index: true } : field
    ])
  )
