import SQLite from 'better-sqlite3'
import pg from 'pg'
import t, { type Test } from 'tap'
import { databaseFile } from '../../db/sqlite/file.ts'
import { isPostgres, ownPlace, type Place } from '../support/database.ts'
import { newService, outcome, signIn } from '../support/helper.ts'

const broken = '500 INTERNAL-ERROR '
const done = '200 success '

async function start(t: Test) {
  const place = await ownPlace(t)
  const service = await newService(t, place)
  const { send } = await signIn(service.app)
  const ask = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const answer = await send(method, url, body)
    return `${outcome(answer)} ${answer.headers['retry-after'] ?? ''}`
  }
  return {
    ...{ ...service, place, ask },
    write: (title: string) => ask('POST', '/todo/index', { title }),
    /** What the log says of failures since it was asked. */
    causes: () =>
      service.log
        .splice(0)
        .map((line) => JSON.parse(line))
        .filter(({ level }) => level >= 50)
        .map(({ msg, err }) => `${msg}: ${err?.message}`)
  }
}

t.test(
  'what a statement does not find is 500 where it is asked for, and logged with its cause',
  async (t) => {
    const { sql, ask, write, causes } = await start(t)
    const all = () =>
      Promise.all([
        ask('GET', '/memo/index'),
        ask('POST', '/memo/index', { title: 'plans', body: 'none' }),
        write('Buy milk')
      ])
    t.same(await all(), [done, done, done])
    for (const [there, back] of [
      ['TABLE memos RENAME TO notes', 'TABLE notes RENAME TO memos'],
      ['TABLE memos RENAME COLUMN body TO text', 'TABLE memos RENAME COLUMN text TO body']
    ] as const) {
      await sql(`ALTER ${there}`)
      causes()
      t.same(await all(), [broken, broken, done], there)
      t.match(causes(), [
        /^INTERNAL-ERROR: .*(memos|body).*; a migration has to make it/,
        /^INTERNAL-ERROR: .*(memos|body).*; a migration has to make it/
      ])
      await sql(`ALTER ${back}`)
      t.same(await all(), [done, done, done], back)
    }
    await sql('DROP TABLE reactions')
    t.equal(await ask('GET', '/reaction/summary/type_todo/id_1'), broken)
    t.match(causes(), [/^INTERNAL-ERROR: .*reactions/])
  }
)

t.test('a constraint that nobody foresaw is 500, and logged with its cause', async (t) => {
  const { sql, write, causes } = await start(t)
  t.equal(await write('one'), done)
  await sql('CREATE UNIQUE INDEX unforeseen ON todos (user_id)')
  causes()
  t.equal(await write('two'), broken)
  t.match(causes(), [/^INTERNAL-ERROR: .*(unforeseen|todos\.user_id)/])
  await sql('DROP INDEX unforeseen')
  t.equal(await write('three'), done)
})

/** Takes the database away under a running service; a SQLite file is kept busy by another process. Returns what ends it. */
async function takeAway({ SVC_DATA_DIR, SVC_DATABASE_URL }: Place) {
  if (!isPostgres) {
    const other = new SQLite(databaseFile(SVC_DATA_DIR))
    other.exec('BEGIN IMMEDIATE')
    return () => other.close()
  }
  const url = new URL(SVC_DATABASE_URL)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const server = new pg.Client({ connectionString: url.href })
  await server.connect()
  await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    name
  ])
  await server.query(`ALTER DATABASE ${name} RENAME TO ${name}_away`)
  return async () => {
    await server.query(`ALTER DATABASE ${name}_away RENAME TO ${name}`)
    await server.end()
  }
}

t.test('a database that is away or busy is 503, until it is not', async (t) => {
  const { place, write } = await start(t)
  t.equal(await write('one'), done)
  const bringBack = await takeAway(place)
  t.equal(await write('two'), '503 SERVICE-OVERLOADED 1')
  await bringBack()
  t.equal(await write('three'), done)
})
