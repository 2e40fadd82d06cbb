/** Of this process; a test that uses it says which, so that it can be tried again. */
export const seed = Date.now() % 1_000_000
let state = seed

/** Numbers that look random, and are the same for the same seed (mulberry32). */
export function random(below: number): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below
}

export const oneOf = <Item>(items: readonly Item[]) => items[random(items.length)] as Item
/** Each of these, or not. */
export const some = <Item>(items: readonly Item[]) => items.filter(() => random(3) === 0)
