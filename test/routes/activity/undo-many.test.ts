import t from 'tap'
import { type Sent, startRuns } from '../../support/activity.ts'
import { outcome } from '../../support/helper.ts'

t.test('a run with more conflicts than one request looks at is undone to its end', async (t) => {
  const { inRun, undo, todos, sql } = await startRuns(t, { SVC_BATCH_MAX: '1100' })
  const items = Array.from({ length: 1100 }, (_, n) => ({ title: `todo ${n}` }))
  await inRun('big', 'POST', '/todo/batch', { items })
  await sql("UPDATE todos SET title = 'changed since' WHERE id > 50")
  /** Repeats as documented: while there is more, go on from where the last answer ended. */
  async function undoAll(body: object) {
    const answers = []
    let Data = { more: true, next_cursor: null as number | null }
    while (Data.more && answers.length < 5) {
      const cursor = Data.next_cursor === null ? {} : { cursor: Data.next_cursor }
      const answer = await undo({ run: 'big', ...body, ...cursor })
      Data = answer.json().Data
      answers.push(answer)
    }
    t.equal(Data.more, false)
    t.equal(Data.next_cursor, null)
    return answers
  }
  const counts = (answers: Sent[]) =>
    answers.map((answer) => {
      const { undone, conflicts } = answer.json().Data
      return [outcome(answer), undone.length, conflicts.length]
    })
  const expected = [
    ['409 CONFLICT', 0, 1000],
    ['207 partial', 50, 50]
  ]
  t.same(counts(await undoAll({ dry_run: true })), expected)
  t.equal((await todos()).length, 100, 'the first page of them')
  t.same(counts(await undoAll({})), expected)
  t.match(await sql('SELECT count(*) AS count FROM todos'), [{ count: 1050 }])
  await sql("UPDATE changes SET undone = true WHERE run = 'big'")
  t.same(
    counts(await undoAll({})),
    [
      ['409 CONFLICT', 0, 1000],
      ['409 CONFLICT', 0, 100]
    ],
    'all undone before'
  )
  t.equal(outcome(await undo({ run: 'big', cursor: -1 })), '422 VALIDATION-FAILED')
  t.equal(outcome(await undo({ run: 'big', cursor: 1 })), '404 RUN-NOT-FOUND', 'nothing is older')
})

t.test('undos of undos: each run is undone or not, as its changes are', async (t) => {
  const { inRun, undo, todos, runs } = await startRuns(t)
  await inRun('r', 'POST', '/todo/index', { title: 'a' })
  await inRun('r', 'POST', '/todo/index', { title: 'b' })
  const both = await todos()
  const chain = ['r']
  for (let level = 1; level <= 5; level++) {
    const answer = await undo({ run: chain.at(-1) })
    t.equal(outcome(answer), '200 success', `level ${level}`)
    chain.push(answer.json().Data.run)
    const isThere = level % 2 === 0
    t.same(await todos(), isThere ? both : [])
    // The last one stands; of the others, every second one.
    const states = chain.map((run, at) => ({ run, undone: (chain.length - 1 - at) % 2 === 1 }))
    t.match(await runs(), states.toReversed(), `level ${level}`)
    t.equal(
      outcome(await undo({ run: 'r', dry_run: true })),
      isThere ? '200 success' : '409 CONFLICT'
    )
  }
  const again = await undo({ run: chain[4] })
  t.equal(outcome(again), '409 CONFLICT', 'is undone')
  const redone = await undo({ run: chain[5] })
  t.equal(outcome(redone), '200 success')
  t.equal(outcome(await undo({ run: 'r' })), '200 success', 'after an even number: undone again')
  t.same(await todos(), [])
})

t.test('undos of many undos: a request marks a limited number of changes', async (t) => {
  const { inRun, undo, sql } = await startRuns(t, { SVC_BATCH_MAX: '500' })
  const items = Array.from({ length: 500 }, (_, n) => ({ title: `todo ${n}` }))
  await inRun('r', 'POST', '/todo/batch', { items })
  const { run: undone } = (await undo({ run: 'r' })).json().Data
  const { run } = (await undo({ run: undone })).json().Data
  // As if each change of it came after 14 more undos, each of the one before.
  await sql(`INSERT INTO changes
    (id, at, user_id, via, request_id, kind, key, action, undone, undoes, bytes)
    WITH RECURSIVE levels (level) AS (SELECT 1 UNION ALL SELECT level + 1 FROM levels WHERE level < 14)
    SELECT 1000000 + 500 * level + id, at, user_id, via, request_id, kind, key, 'delete', level % 2 = 0,
      CASE WHEN level > 1 THEN 1000000 + 500 * (level - 1) + id END, bytes
    FROM changes, levels WHERE run = '${run}'`)
  await sql(`UPDATE changes SET undoes = 1000000 + 500 * 14 + id WHERE run = '${run}'`)
  const ids = (await sql(`SELECT id FROM changes WHERE run = '${run}'`)).map(({ id }) => Number(id))
  const counts = []
  let cursor: number | null = Number.MAX_SAFE_INTEGER
  // By the run and by ids: both go on from the cursor.
  for (let part = 0; cursor !== null; part++) {
    const asked = part % 2 ? { ids } : { run }
    const { undone, next_cursor }: { undone: unknown[]; next_cursor: number | null } = (
      await undo({ ...asked, cursor })
    ).json().Data
    counts.push(undone.length)
    cursor = next_cursor
  }
  t.same(counts, [134, 134, 134, 98], '15 marks each')
  const inForce = await sql('SELECT count(*) AS count FROM changes WHERE undone AND id > 1000000')
  t.match(inForce, [{ count: 7 * 500 }])
  const odd = await sql(`SELECT count(*) AS count FROM changes
    WHERE undone AND id BETWEEN 1001501 AND 1002000`)
  t.match(odd, [{ count: 500 }], 'level 1, which was in force')
})

t.test('a search of the list looks at a limited number of changes', async (t) => {
  const { demo, inRun, sql } = await startRuns(t)
  await inRun('r', 'POST', '/memo/index', { body: 'the only one' })
  await sql(`INSERT INTO changes
    (at, user_id, via, run, request_id, kind, key, action, undone, bytes)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    SELECT at, user_id, via, 'r', request_id, 'todo', i, 'delete', false, bytes FROM changes, n`)
  for (const filter of ['kind=memo', 'kind=memo&limit=1', 'key=1&kind=memo', 'run=r&kind=memo']) {
    const get = async (cursor = '') =>
      (await demo.send('GET', `/activity/index?${filter}${cursor}`)).json().Data
    let Data = await get()
    if (!filter.includes('key') && !filter.includes('run')) {
      t.same(Data.changes, [], filter)
      t.equal(Data.next_cursor, 2, filter)
      Data = await get(`&cursor=${Data.next_cursor}`)
    }
    t.match(Data, { changes: [{ id: 1, kind: 'memo' }], next_cursor: null }, filter)
  }
  const since = 'since=2027-01-01T00:00:00Z'
  for (const query of [since, `run=r&${since}`]) {
    const { Data } = (await demo.send('GET', `/activity/index?${query}`)).json()
    t.match(Data, { changes: [], next_cursor: 2 }, query)
  }
})
