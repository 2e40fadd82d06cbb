import { checkAccess } from './access.ts'
import { checkFields, type Fields } from './field.ts'
import { type Beside, checkBeside, isObject } from './language.ts'
import { namesOf, refuse } from './names.ts'
import { checkPatterns } from './patterns.ts'
import { checkUnique } from './unique.ts'

/** An area that is described by data, not by code (docs/areas.md). */
export interface Declaration extends Readonly<Beside> {
  readonly fields: Fields
}

/** Names that paths, scopes, codes, tags, components and results of batches have. */
const taken = new Set(
  `accesstoken account action activity admin area asset attachment audit batch board circuit conflict credential
  deleted delivery detail document done error featureflag file flag forbidden grant health home kind listed login logout mail mcp
  memo metric oauth operation page passkey password plan planned profile reaction reason redelivery result role run scope search session signup subscription
  taken todo token undone user version via webhook`.split(/\s+/)
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
  checkAccess({ ...beside, fields })
}
