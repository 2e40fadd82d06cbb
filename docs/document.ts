/** A part of an OpenAPI document, as plain JSON. */
export interface Node {
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** The members of a node that are nodes themselves. */
export const nodes = (value: unknown): Record<string, Node> =>
  isNode(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, it]) => (isNode(it) ? [[key, it] as const] : []))
      )
    : {}

export const names = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Follows references within the document, also several in a row. A part that is no reference is returned itself. */
export function follow(part: Node, document: Node): Node {
  if (typeof part.$ref !== 'string') return part
  const keys = part.$ref.slice(2).split('/')
  const target = keys.reduce<unknown>(
    (node, key) => (isNode(node) ? node[key] : undefined),
    document
  )
  if (!isNode(target)) throw new Error(`nothing is at ${part.$ref}`)
  return follow(target, document)
}
