/** Random choices that a seed repeats (mulberry32). Times and the order of answers still differ. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 to 1, without 1 itself. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number) {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance = (probability: number) => this.next() < probability

  /** One of the items; undefined if there is none. */
  pick = <T>(items: readonly T[]) => items[Math.floor(this.next() * items.length)]

  shuffle<T>(items: readonly T[]): T[] {
    const placed = items.map((item) => ({ item, place: this.next() }))
    return placed.sort((a, b) => a.place - b.place).map(({ item }) => item)
  }

  /** A separate generator, so that the choices of one client do not depend on the speed of others. */
  fork = () => new Random(this.next() * 2 ** 32)
}
