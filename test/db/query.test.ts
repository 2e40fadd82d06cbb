import t from 'tap'
import { byFilters } from '../../db/query.ts'

t.test('few filters have a statement for each set, many one for several', async (t) => {
  /** How many statements all sets of so many filters make. */
  function statementsOf(count: number) {
    const filters = Array.from({ length: count }, (_, index) => `field${index}`)
    const made = new Set<object>()
    const listOf = byFilters(filters, () => {
      const statement = {}
      made.add(statement)
      return statement
    })
    for (let set = 0; set < 2 ** count; set++) {
      const given = filters.filter((_, index) => (set >> index) & 1)
      t.ok(made.has(listOf(Object.fromEntries(given.map((name) => [name, true])))))
    }
    return made.size
  }
  t.equal(statementsOf(3), 8)
  t.equal(statementsOf(10), 12)
})
