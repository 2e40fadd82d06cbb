import type { Document, Schema } from './document.ts'

/** A schema that OpenAPI 3.0 reads; its parts stay as they are. */
function olderSchema({ examples, contentMediaType: _, ...schema }: Schema): Schema {
  const { $ref, type, additionalProperties, ...rest } = schema
  // What stands beside a reference does not count there.
  if ($ref) return { $ref }
  if (Array.isArray(examples)) Object.assign(rest, { example: examples[0] })
  // Other members are allowed anyway; for Go's generator, `true` would make them objects.
  if (additionalProperties !== true && additionalProperties !== undefined) {
    Object.assign(rest, { additionalProperties })
  }
  if (Object.keys(rest.properties ?? { any: true }).length === 0) delete rest.properties
  if (!Array.isArray(type)) return type === undefined ? rest : { ...rest, type }
  // Null is no word of a choice: `nullable` allows it, and some generators have no name for it.
  if (rest.enum) rest.enum = rest.enum.filter((word) => word !== null)
  return { ...rest, type: type.find((name) => name !== 'null') ?? 'object', nullable: true }
}

/** Any part of a document; only what an example shows is not read. `isMap`: its keys are names, not keywords. */
function olderPart(part: unknown, isMap = false): unknown {
  if (Array.isArray(part)) return part.map((item) => olderPart(item))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(isMap ? part : olderSchema({ ...part })).map(([key, value]) => [
      key,
      key === 'example' && !isMap ? value : olderPart(value, key === 'properties' && !isMap)
    ])
  )
}

/** The text of a document in OpenAPI 3.0, for tools that read no 3.1. It knows the words that ours has, not all of 3.1. */
export function olderDocument(text: string) {
  const { info, webhooks, ...document }: Document = JSON.parse(text)
  const { summary: _, license, ...rest }: Record<string, unknown> = { ...info }
  const older = {
    openapi: '3.0.3',
    info: { ...rest, license: { name: Object(license).name } },
    'x-webhooks': webhooks
  }
  return JSON.stringify(olderPart({ ...document, ...older }))
}
