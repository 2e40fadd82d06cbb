import { follow, type Node, names, nodes } from './document.ts'

/** Requests may become less restricted, and answers may have more: neither breaks callers. */
export type Direction = 'request' | 'answer'

const upperLimits = ['maxLength', 'maximum', 'maxItems']
const lowerLimits = ['minLength', 'minimum', 'minItems']

/** Finds how a schema of the `after` document breaks callers who know the `before` document. */
export class SchemaComparison {
  readonly #before: Node
  readonly #after: Node
  readonly #report: (change: string) => void
  /** The schemas that are being compared, to notice circles. */
  readonly #open = new Set<Node>()

  constructor(before: Node, after: Node, report: (change: string) => void) {
    this.#before = before
    this.#after = after
    this.#report = report
  }

  compare(place: string, old: Node | undefined, now: Node | undefined, direction: Direction) {
    if (!old || !now) return
    const before = follow(old, this.#before)
    const after = follow(now, this.#after)
    // A schema can refer to itself.
    if (this.#open.has(before)) return
    this.#open.add(before)
    this.#parts(place, before, after, direction)
    this.#open.delete(before)
  }

  #parts(place: string, before: Node, after: Node, direction: Direction) {
    if (
      JSON.stringify(before.type) !== JSON.stringify(after.type) ||
      !before.anyOf !== !after.anyOf ||
      !before.oneOf !== !after.oneOf
    ) {
      this.#report(`${place}: has another type`)
      return
    }
    this.#values(place, before, after, direction)
    if (direction === 'request') this.#limits(place, before, after)

    const properties = nodes(after.properties)
    for (const [name, property] of Object.entries(nodes(before.properties))) {
      if (!properties[name]) this.#report(`${place}: ${name} is gone`)
      else this.compare(`${place} ${name}`, property, properties[name], direction)
    }
    const [must, may] =
      direction === 'request'
        ? [after.required, before.required]
        : [before.required, after.required]
    for (const name of names(must)) {
      if (names(may).includes(name) || (direction === 'answer' && !properties[name])) continue
      const change = direction === 'request' ? 'is required' : 'does not always come'
      this.#report(`${place}: ${name} ${change}`)
    }
    this.compare(`${place}[]`, nodes(before).items, nodes(after).items, direction)
    for (const kind of ['anyOf', 'oneOf'] as const) {
      const choices = Object.values(nodes(after[kind]))
      for (const [index, choice] of Object.values(nodes(before[kind])).entries()) {
        if (!choices[index]) this.#report(`${place}: has fewer choices`)
        else this.compare(place, choice, choices[index], direction)
      }
    }
  }

  /** New values in an answer break nobody: callers are told to expect them. */
  #values(place: string, before: Node, after: Node, direction: Direction) {
    const values = ({ enum: several, const: one }: Node) =>
      names(several ?? (one === undefined ? [] : [one]))
    const now = values(after)
    const lost = values(before).filter((value) => !now.includes(value))
    const isNarrower = direction === 'request' && now.length > 0 && values(before).length === 0
    if (
      direction === 'request' ? lost.length > 0 || isNarrower : lost.length > 0 && 'const' in before
    ) {
      this.#report(`${place}: takes other values`)
    }
  }

  #limits(place: string, before: Node, after: Node) {
    const tighter = (name: string, sign: number) =>
      after[name] !== undefined &&
      (before[name] === undefined || sign * Number(after[name]) < sign * Number(before[name]))
    for (const name of upperLimits.filter((limit) => tighter(limit, 1))) {
      this.#report(`${place}: ${name} is ${after[name]}`)
    }
    for (const name of lowerLimits.filter((limit) => tighter(limit, -1))) {
      this.#report(`${place}: ${name} is ${after[name]}`)
    }
    for (const name of ['pattern', 'format']) {
      if (after[name] === undefined || after[name] === before[name]) continue
      this.#report(`${place}: ${name} is ${after[name]}`)
    }
  }
}
