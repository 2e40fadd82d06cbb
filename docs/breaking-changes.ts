import { readFileSync } from 'node:fs'
import { type Direction, SchemaComparison } from './breaking-schemas.ts'
import { follow, type Node, names, nodes } from './document.ts'

const text = (value: unknown) => JSON.stringify(value)

/** Finds what breaks callers who know the `before` document and call the service of the `after` document. */
class Comparison {
  readonly found: string[] = []
  readonly #before: Node
  readonly #after: Node
  readonly #schemas: SchemaComparison

  constructor(before: Node, after: Node) {
    this.#before = before
    this.#after = after
    this.#schemas = new SchemaComparison(before, after, (change) => this.found.push(change))
  }

  run(): string[] {
    const after = nodes(this.#after.paths)
    for (const [path, methods] of Object.entries(nodes(this.#before.paths))) {
      for (const [method, operation] of Object.entries(nodes(methods))) {
        const name = `${method.toUpperCase()} ${path}`
        const now = nodes(after[path])[method]
        if (now) this.#operation(name, operation, now)
        else this.found.push(`${name} is gone`)
      }
    }
    return this.found
  }

  #operation(name: string, before: Node, after: Node) {
    if (before.operationId !== after.operationId) {
      this.found.push(`${name}: operationId was ${before.operationId}`)
    }
    const ways = new Set(
      names(after.security).length ? (after.security as unknown[]).map(text) : []
    )
    for (const way of (before.security as unknown[] | undefined) ?? []) {
      if (!ways.has(text(way))) this.found.push(`${name}: ${text(way)} no longer lets in`)
    }
    this.#parameters(name, before, after)
    this.#media(`${name} body`, nodes(before).requestBody, nodes(after).requestBody, 'request')
    const answers = nodes(after.responses)
    for (const [status, answer] of Object.entries(nodes(before.responses))) {
      const now = answers[status]
      if (now) this.#answer(`${name} ${status}`, answer, now)
      else if (Number(status) < 400) this.found.push(`${name}: ${status} is gone`)
    }
  }

  #parameters(name: string, before: Node, after: Node) {
    const list = ({ parameters }: Node, document: Node) =>
      new Map(
        Object.values(nodes(parameters)).map((parameter) => {
          const it = follow(parameter, document)
          return [`${it.in} ${it.name}`, it]
        })
      )
    const known = list(before, this.#before)
    const now = list(after, this.#after)
    for (const [key, parameter] of now) {
      const old = known.get(key)
      if (parameter.required && !old?.required) this.found.push(`${name}: ${key} is required`)
      if (!old) continue
      this.#schemas.compare(`${name} ${key}`, nodes(old).schema, nodes(parameter).schema, 'request')
    }
    for (const key of known.keys()) if (!now.has(key)) this.found.push(`${name}: ${key} is gone`)
  }

  #answer(place: string, before: Node, after: Node) {
    const old = follow(before, this.#before)
    const now = follow(after, this.#after)
    const headers = nodes(now.headers)
    for (const [name, header] of Object.entries(nodes(old.headers))) {
      const isNeeded = follow(header, this.#before).required
      // Nobody can rely on a header that was only sent sometimes.
      if (!isNeeded) continue
      if (!headers[name]) this.found.push(`${place}: header ${name} is gone`)
      else if (!follow(headers[name], this.#after).required) {
        this.found.push(`${place}: header ${name} does not always come`)
      }
    }
    this.#media(place, old, now, 'answer')
  }

  #media(place: string, before: Node | undefined, after: Node | undefined, direction: Direction) {
    const now = nodes(after?.content)
    for (const [type, media] of Object.entries(nodes(before?.content))) {
      if (!now[type]) this.found.push(`${place}: ${type} is gone`)
      else this.#schemas.compare(place, nodes(media).schema, nodes(now[type]).schema, direction)
    }
  }
}

/** Lists, one per line, what in `after` breaks callers who were written for `before`. */
export const breakingChanges = (before: object, after: object): string[] =>
  new Comparison({ ...before }, { ...after }).run()

/** Whether a version may break callers of an earlier one: the first number that is not 0 is greater. */
export function mayBreak(before: string, after: string) {
  const [old, now] = [before, after].map((version) => version.split('.').map(Number))
  const index = old?.findIndex((number) => number > 0) ?? 0
  const significant = (version: number[] | undefined) => version?.slice(0, index + 1) ?? []
  return text(significant(old)) !== text(significant(now))
}

const read = (name: string): Node & { info: { version: string } } =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
export const released = () => read('openapi.released.json')

if (import.meta.main) {
  const [before, after] = [released(), read('openapi.json')]
  const changes = breakingChanges(before, after)
  for (const change of changes) console.log(`breaking: ${change}`)
  const isAllowed = mayBreak(before.info.version, after.info.version)
  console.log(
    `${changes.length} breaking changes from ${before.info.version} to ${after.info.version}`
  )
  if (changes.length > 0 && !isAllowed) process.exitCode = 1
}
