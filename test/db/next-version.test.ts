import t from 'tap'
import { ownPlace } from '../support/database.ts'
import { newService, outcome, signIn } from '../support/helper.ts'

t.test(
  'while the next version has renamed a table or a column, requests for it are told to come again, and no others',
  async (t) => {
    const { app, sql } = await newService(t, await ownPlace(t))
    const { send } = await signIn(app)
    async function ask() {
      const answers = await Promise.all([
        send('GET', '/memo/index'),
        send('POST', '/memo/index', { title: 'plans', body: 'none' }),
        send('POST', '/todo/index', { title: 'Buy milk' })
      ])
      return answers.map((answer) => `${outcome(answer)} ${answer.headers['retry-after'] ?? ''}`)
    }
    const done = Array(3).fill('200 success ')
    const later = '503 SERVICE-OVERLOADED 1'
    t.same(await ask(), done)
    for (const [there, back] of [
      ['TABLE memos RENAME TO notes', 'TABLE notes RENAME TO memos'],
      ['TABLE memos RENAME COLUMN body TO text', 'TABLE memos RENAME COLUMN text TO body']
    ] as const) {
      await sql(`ALTER ${there}`)
      t.same(await ask(), [later, later, '200 success '], there)
      await sql(`ALTER ${back}`)
      t.same(await ask(), done, back)
    }
  }
)
