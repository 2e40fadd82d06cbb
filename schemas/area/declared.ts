import { coded } from '../coded.ts'
import { checkFields, type Fields } from './field.ts'
import { type Beside, checkBeside, isObject } from './language.ts'
import { namesOf, refuse } from './names.ts'
import { checkPatterns } from './patterns.ts'
import { checkUnique } from './unique.ts'

/** An area that is described by data, not by code (docs/areas.md). */
export interface Declaration extends Readonly<Beside> {
  readonly fields: Fields
}

/** How many areas can be declared. */
export const maxAreas = 100

/** Names that paths, scopes, codes, tags and components of the service have. */
const taken = new Set(
  `accesstoken account action activity admin area asset attachment audit batch board circuit conflict credential
  deleted delivery detail document done error featureflag file flag forbidden grant health home kind listed login logout mail mcp
  memo metric oauth operation page passkey password plan planned reaction redelivery result role run scope search session signup subscription
  todo token undone user via webhook`.split(/\s+/)
)

/** @throws Refusal that names the field or member that is wrong */
export function checkDeclaration(value: unknown): asserts value is Declaration {
  if (!isObject(value)) refuse('it is no object: write { "name": ..., "fields": ... }')
  const { fields, ...beside } = value
  checkBeside(beside)
  const { name, was, unique } = beside
  namesOf(name)
  if (taken.has(name)) refuse(`name: ${name} is taken by the service itself`)
  if (was !== undefined) namesOf(was)
  if (was === name) refuse('was is the name that the area had before')
  checkFields(fields)
  checkUnique(unique, fields)
  checkPatterns(beside, fields)
}

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
      if (type === 'ref' && !kinds.has(to)) refuse(`${name}: ${field}: there is no area ${to}`)
    }
  }
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
