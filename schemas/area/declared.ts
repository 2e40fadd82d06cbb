import { coded } from '../coded.ts'
import { checkDecisions } from './access.ts'
import type { Declaration } from './declaration.ts'
import { namesOf, refuse } from './names.ts'

/** How many areas can be declared. */
export const maxAreas = 100

/** The kinds of the service itself that a field can refer to. */
export const referable = ['todo', 'memo', 'attachment'] as const

/** @throws Refusal if areas cannot be declared together */
export function checkTogether(areas: readonly Declaration[]): void {
  if (areas.length > maxAreas) refuse(`${areas.length} areas are too many: at most ${maxAreas}`)
  for (const [first, second] of Map.groupBy(areas, ({ name }) => tableOf(name)).values()) {
    if (first && second) refuse(`${first.name} and ${second.name} have the same plural`)
  }
  const kinds = new Set<string | undefined>([...referable, ...areas.map(({ name }) => name)])
  for (const { name, fields } of areas) {
    for (const [field, { type, to }] of Object.entries(fields)) {
      if (type === 'ref' && !kinds.has(to))
        refuse(
          `${name}: ${field}: there is no area ${to}: first add it, or refer to one of ${[...kinds].join(', ')}`
        )
    }
  }
  checkDecisions(areas)
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
  declared ??= coded
  return declared
}

/** The table of a declared area: no migration of any version makes one of such a name. */
export const tableOf = (name: string) => `declared_${namesOf(name).many}`

/** The table in which the fields of users of a table stand again, a row for each user (db/declared/users.ts). */
export const usersTable = (table: string) => `${table}__users`
