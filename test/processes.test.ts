import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { freshPlace, isPostgres, onRedis, runSql } from './support/database.ts'
import { startMailServer, tokenOf } from './support/mail-server.ts'
import { signInOver, startServer } from './support/server-process.ts'
import {
  type Answer,
  limits,
  outcomeOf,
  post,
  tally,
  tenOfTwelve,
  tenWrongTokens,
  twelveLogins,
  twelveWrongTokens
} from './support/tally.ts'

const kind = isPostgres ? 'PostgreSQL' : 'SQLite file'

t.test(`two processes start together on one empty ${kind} (contract DATA-2)`, async (t) => {
  const mail = await startMailServer(t)
  const place = await freshPlace(t)
  const env = { ...place, SVC_SMTP_URL: mail.url }
  const [one, two] = await Promise.all([startServer(t, env), startServer(t, env)])
  const addresses = [one.address, two.address]
  const first = await signInOver(one.address)
  const second = first.at(two.address)
  const senders = [first, second]
  /** Sends so many requests at once, in turn to the two processes. */
  const both = (times: number, send: (at: typeof first, n: number) => Promise<Answer>) =>
    Promise.all(Array.from({ length: times }, (_, n) => send(senders[n % 2] as typeof first, n)))

  t.test('one of them has made the accounts', async (t) => {
    const users = await runSql(place, 'SELECT user_id FROM users ORDER BY id')
    t.same(
      users.map(({ user_id }) => user_id),
      ['admin', 'demo']
    )
  })

  t.test('a session of one process is valid in the other, and ends in both', async (t) => {
    const session = await signInOver(one.address, 'admin')
    const other = session.at(two.address)
    t.equal((await other('POST', '/todo/index', { title: 'of both' })).statusCode, 200)
    t.match(await session('GET', '/todo/index'), { Data: { todos: [{ title: 'of both' }] } })
    t.equal((await other('POST', '/session/logout')).statusCode, 200)
    t.equal((await session('GET', '/todo/index')).statusCode, 401)
  })

  t.test('of 20 requests with one idempotency key, one is carried out', async (t) => {
    const answers = await both(20, (send) =>
      send('POST', '/todo/index', { title: 'once' }, { 'idempotency-key': 'k' })
    )
    for (const each of answers) t.match(outcomeOf(each), /^200 success$|^409 CONFLICT$/)
    const { Data } = await first('GET', '/todo/index')
    t.equal((Data as { todos: unknown[] }).todos.length, 1)
  })

  t.test('of 10 moves of a memo at once one succeeds, as does one of 10 writes', async (t) => {
    const { Data } = await first('POST', '/memo/index', { body: 'x' })
    const { id } = (Data as { memo: { id: number } }).memo
    const move = () =>
      both(10, (send) => send('PUT', `/memo/state/id_${id}`, { to_state: 'published' }))
    t.same(tally(await move()), { '200 success': 1, '409 INVALID-TRANSITION': 9 })
    const write = () =>
      both(10, (send, n) =>
        send('PUT', `/memo/item/id_${id}`, { body: String(n) }, { 'if-match': '"v2"' })
      )
    t.same(tally(await write()), { '200 success': 1, '412 PRECONDITION-FAILED': 9 })
  })

  t.test('of 20 wrong guesses five are judged, and both processes know of the lock', async (t) => {
    const guesses = Array.from({ length: 20 }, (_, n) =>
      post(addresses[n % 2] ?? '', '/session/login', { user_id: 'admin', user_pass: `wrong ${n}` })
    )
    t.same(tally(await Promise.all(guesses)), { '401 LOGIN-FAILED': 5, '423 ACCOUNT-LOCKED': 15 })
    for (const address of addresses) {
      const right = { user_id: 'admin', user_pass: 'admin' }
      t.equal(outcomeOf(await post(address, '/session/login', right)), '423 ACCOUNT-LOCKED')
    }
  })

  t.test(
    'of 8 resets requested five are mailed and one is valid; of its 8 completions one succeeds',
    async (t) => {
      const asked = Array.from({ length: 8 }, (_, n) =>
        post(addresses[n % 2] ?? '', '/password-reset', { email: 'demo@example.com' })
      )
      t.same(tally(await Promise.all(asked)), { '202 success': 8 })
      while (mail.mails.length < 5) await wait(10)
      const unused = 'SELECT id FROM password_resets WHERE used_at IS NULL'
      t.equal((await runSql(place, unused)).length, 1)

      const made = await runSql(place, 'SELECT id FROM password_resets')
      t.equal(made.length, 5, 'both processes count together')

      const tokens = mail.mails.map(tokenOf)
      const hashes = new Map(tokens.map((token) => [hash('sha256', token), token]))
      const [row] = await runSql(
        place,
        'SELECT token_hash FROM password_resets WHERE used_at IS NULL'
      )
      const token = hashes.get(String(row?.token_hash)) ?? ''
      const completions = Array.from({ length: 8 }, (_, n) =>
        post(addresses[n % 2] ?? '', `/password-reset/${token}`, { password: `password ${n}` })
      )
      const results = tally(await Promise.all(completions))
      t.same(results, { '200 success': 1, '409 TOKEN-ALREADY-USED': 7 })
      t.equal((await second('GET', '/todo/index')).statusCode, 401, 'every session has ended')
    }
  )
})

t.test('limits hold over two processes that share a Redis', onRedis, async (t) => {
  const env = { ...(await freshPlace(t)), ...limits }
  const servers = await Promise.all([startServer(t, env), startServer(t, env)])
  const addresses = servers.map(({ address }) => address)
  t.same(await twelveLogins(addresses), tenOfTwelve)
  t.same(await twelveWrongTokens(addresses), tenWrongTokens)
})
