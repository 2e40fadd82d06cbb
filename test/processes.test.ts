import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { freshPlace, isPostgres, onRedis, runSql } from './support/database.ts'
import { signIn, startService } from './support/helper.ts'
import { until } from './support/hostile.ts'
import { closedPort, startMailServer, tokenOf } from './support/mail-server.ts'
import { childrenOf, signInOver, startServer } from './support/server-process.ts'

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof signInOver>>>>

/** Status and code of an answer. */
const outcomeOf = ({ statusCode, Data }: Answer) => {
  const { errorCode, status } = Data as { errorCode?: string; status: string }
  return `${statusCode} ${errorCode ?? status}`
}

/** How many of each outcome there are. */
function tally(answers: Answer[]) {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[outcomeOf(answer)] = (counts[outcomeOf(answer)] ?? 0) + 1
  return counts
}

async function post(address: string, path: string, body: object) {
  const answer = await fetch(address + path, { method: 'POST', body: JSON.stringify(body) })
  return { statusCode: answer.status, ...((await answer.json()) as { Data: never }) }
}

const kind = isPostgres ? 'PostgreSQL' : 'SQLite file'

t.test(`two processes on one ${kind}`, async (t) => {
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

  t.test('a session of one process is valid in the other, and ends in both', async (t) => {
    const session = await signInOver(one.address, 'admin')
    const other = session.at(two.address)
    t.equal((await other('GET', '/todo/index')).statusCode, 200)
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

/** At once, so that each has a connection of its own, and workers share them. */
async function twelveLogins(addresses: string[]) {
  const logins = Array.from({ length: 12 }, (_, n) => {
    const body = { user_id: `nobody ${n}`, user_pass: 'x' }
    return post(addresses[n % addresses.length] ?? '', '/session/login', body)
  })
  return tally(await Promise.all(logins))
}
const tenOfTwelve = { '401 LOGIN-FAILED': 10, '429 RATE-LIMIT-EXCEEDED': 2 }

/** Wrong Bearer credentials count together, wherever they are sent. */
async function twelveWrongTokens(addresses: string[]) {
  const calls = Array.from({ length: 12 }, async (_, n) => {
    const headers = { authorization: `Bearer wrong ${n}` }
    const answer = await fetch(`${addresses[n % addresses.length]}/todo/index`, { headers })
    return { statusCode: answer.status, ...((await answer.json()) as { Data: never }) }
  })
  return tally(await Promise.all(calls))
}
const tenWrongTokens = { '401 SESSION-CLOSED': 10, '429 RATE-LIMIT-EXCEEDED': 2 }
const limits = {
  SVC_LOGIN_RATE_MAX: '10',
  SVC_BEARER_FAIL_MAX: '10',
  SVC_AGENT_BEARER_TOKEN: 'the-right-one'
}

t.test('limits hold over two processes that share a Redis', onRedis, async (t) => {
  const env = { ...(await freshPlace(t)), ...limits }
  const servers = await Promise.all([startServer(t, env), startServer(t, env)])
  const addresses = servers.map(({ address }) => address)
  t.same(await twelveLogins(addresses), tenOfTwelve)
  t.same(await twelveWrongTokens(addresses), tenWrongTokens)
})

t.test('a changed flag shows in the other process at once', onRedis, async (t) => {
  const one = await startService(t)
  const two = await startService(t, one.place)
  const admin = await signIn(one.app, 'admin')
  // The clock stands still: without a message, an answer would be kept for ever.
  t.equal(await two.app.flags.isEnabled('f'), false)
  for (const is_enabled of [true, false]) {
    await admin.send('POST', '/admin/featureflag/index', { flag_name: 'f', is_enabled })
    while ((await two.app.flags.isEnabled('f')) !== is_enabled) await wait(10)
  }
})

t.test('workers of one command', async (t) => {
  const env = {
    ...(await freshPlace(t)),
    SVC_REDIS_URL: '',
    // With port 0, a new worker that is the only one would take another port.
    SVC_PORT: String(await closedPort()),
    SVC_WORKERS: '2',
    ...limits
  }
  const { child, exit, address } = await startServer(t, env)
  const workers = () => childrenOf(child)

  t.test(
    'a worker killed under load: the other answers, a new one starts, nothing is lost',
    async (t) => {
      const send = await signInOver(address)
      await until('two workers', () => workers().length === 2)
      const before = workers()
      const acknowledged: number[] = []
      const refused: string[] = []
      let writing = true
      const writer = async () => {
        while (writing) {
          // A connection of the killed worker is reset; the next one goes to the other worker.
          const answer = await send('POST', '/todo/index', { title: 'kept' }).catch(() => null)
          if (answer?.statusCode === 200) {
            acknowledged.push((answer.Data as { todo: { id: number } }).todo.id)
          } else if (answer) refused.push(outcomeOf(answer))
        }
      }
      const writers = Array.from({ length: 6 }, writer)
      const acknowledgedUpTo = async (count: number) => {
        while (acknowledged.length < count) await wait(10)
      }
      await acknowledgedUpTo(50)
      process.kill(Number(before[0]), 'SIGKILL')
      await acknowledgedUpTo(acknowledged.length + 50)
      while (
        workers().filter((pid) => !before.includes(pid)).length === 0 ||
        workers().length < 2
      ) {
        await wait(10)
      }
      await acknowledgedUpTo(acknowledged.length + 50)
      writing = false
      await Promise.all(writers)
      t.same(refused, [], 'no answer but 200')
      const rows = await runSql(env, `SELECT id FROM todos WHERE title = 'kept'`)
      const kept = new Set(rows.map(({ id }) => id))
      t.same(
        acknowledged.filter((id) => !kept.has(id)),
        []
      )
    }
  )

  t.test('limits count over all workers, even after one has ended', async (t) => {
    const beside = { '401 LOGIN-FAILED': 9, '429 RATE-LIMIT-EXCEEDED': 3 }
    t.same(await twelveLogins([address]), beside, 'the earlier sign-in counts')
    t.same(await twelveWrongTokens([address]), tenWrongTokens)
  })

  t.test('SIGTERM ends all workers', async (t) => {
    const all = workers()
    child.kill('SIGTERM')
    t.same(await exit, [0, null])
    for (const pid of all) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  })
})
