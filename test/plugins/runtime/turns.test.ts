import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { tellInTurns } from '../../../plugins/runtime/turns.ts'

t.test('many are told a few in each turn, and once if they are told again meanwhile', async (t) => {
  const told: number[] = []
  const tell = tellInTurns((one: number) => void told.push(one))
  const many = Array.from({ length: 95 }, (_, index) => index)
  tell(many)
  t.same(told, many.slice(0, 10), 'the first at once')
  tell(many.slice(0, 20))
  t.equal(told.length, 10)
  let turns = 0
  for (; told.length < 105; turns++) await setImmediate()
  t.same(told.slice(0, 95), many)
  t.same(told.slice(95), many.slice(0, 10), 'those again who had been told before')
  t.ok(turns >= 9, `${turns} turns`)
  await setImmediate()
  tell([7])
  t.equal(told.at(-1), 7, 'and later others')
})
