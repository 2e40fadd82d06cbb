import type { Document, Schema } from './document.ts'

/** A schema that OpenAPI 3.0 reads; its parts stay as they are. */
function olderSchema({ contentMediaType: _, ...schema }: Schema): Schema {
  const { $ref, type, examples, enum: words, properties = {}, ...rest } = schema
  const types = [type ?? []].flat().filter((one) => one !== 'null')
  // What stands beside a reference does not count there.
  if ($ref) return { $ref }
  // Other members are allowed anyway; for Go's generator, `true` would make them objects.
  if (rest.additionalProperties === true) delete rest.additionalProperties
  return {
    ...rest,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(Array.isArray(examples) && { example: examples[0] }),
    // Of several types a value can have any.
    ...(types.length === 1 && { type: types[0] ?? 'object' }),
    ...(Array.isArray(type) && type.includes('null') && { nullable: true }),
    // Null is no word: `nullable` allows it, and some generators have no name for it.
    ...(words && { enum: words.filter((word) => word !== null) })
  }
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
