import t, { type Test } from 'tap'

/** What has an end: a test, or something else that is set up and taken down. */
export type Scope = Pick<Test, 'teardown'>

/** A scope, and what ends it: the last that was set up goes first. */
export function openScope() {
  const ends: (() => unknown)[] = []
  const scope: Scope = { teardown: (end) => void ends.push(end) }
  return {
    scope,
    async end() {
      for (const end of ends.splice(0).toReversed()) await end()
    }
  }
}

const file = openScope()
t.teardown(file.end)

/** Ends what the tests of a file share. */
export const endOfFile = file.end

/** The scope of a test, or for the root that of its file: others may follow in its process. */
export const scopeOf = (test: Test) => (test === t ? file.scope : test)

/**
 * The `test` of a file whose tests each begin with `begin`. A `beforeEach` would also be called for the files that
 * follow it in its process.
 */
export const testAfter =
  (begin: () => unknown) => (name: string, run: (test: Test) => Promise<unknown>) =>
    t.test(name, async (test) => {
      await begin()
      await run(test)
    })
