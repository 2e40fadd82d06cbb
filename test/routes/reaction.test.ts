import type { InjectOptions } from 'fastify'
import t from 'tap'
import { freshPlace, runSql } from '../support/database.ts'
import { newcomer, outcome, restart, signIn, startService } from '../support/helper.ts'
import { makeJwt, secret } from '../support/jwt.ts'
import { signInOver, startServer } from '../support/server-process.ts'

/** For tests that leave nothing behind that another one sees. */
const shared = await startService(t, { SVC_LOGIN_RATE_MAX: '1000' })
const { app } = shared

// One test starts processes, which takes time.
const token = 'agent-token-0123456789abcdef0123456789abcdef'
const agent = { authorization: `Bearer ${token}` }

const toggleUrl = (reaction = 'like', target = 'type_memo/id_1') =>
  `/reaction/toggle/${target}/reaction_${reaction}`
const itemUrl = (reaction = 'like', target = 'type_memo/id_1') =>
  `/reaction/item/${target}/reaction_${reaction}`
const summaryUrl = (target = 'type_memo/id_1') => `/reaction/summary/${target}`

/** `Data` without the status. */
function dataOf(response: { json(): { Data: Record<string, unknown> } }) {
  const { status: _, ...data } = response.json().Data
  return data
}

t.test('a toggle adds, the next one removes (contract REACTION-1)', async (t) => {
  const demo = await signIn(app)
  const added = await demo.send('PUT', toggleUrl())
  t.equal(added.statusCode, 200)
  t.same(added.json(), {
    Result: true,
    Data: {
      status: 'success',
      action: 'added',
      summary: { total: 1, by_type: { like: 1 }, user_reactions: ['like'] }
    }
  })
  t.same(dataOf(await demo.send('PUT', toggleUrl())), {
    action: 'removed',
    summary: { total: 0, by_type: {}, user_reactions: [] }
  })
  t.same(dataOf(await demo.send('PUT', toggleUrl())), {
    action: 'added',
    summary: { total: 1, by_type: { like: 1 }, user_reactions: ['like'] }
  })
})

t.test('types, users and targets are independent (contract REACTION-1)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const admin = await signIn(app, 'admin')
  for (const type of ['like', 'heart', 'laugh', 'sad', 'wow']) {
    t.equal(outcome(await demo.send('PUT', toggleUrl(type))), '200 success', type)
  }
  await admin.send('PUT', toggleUrl('wow'))
  await admin.send('PUT', toggleUrl('sad', 'type_memo/id_2'))
  await admin.send('PUT', toggleUrl('sad', 'type_todo/id_1'))
  await demo.send('PUT', toggleUrl('laugh'))
  t.same(dataOf(await demo.send('GET', summaryUrl())), {
    total: 5,
    by_type: { like: 1, heart: 1, sad: 1, wow: 2 },
    user_reactions: ['like', 'heart', 'sad', 'wow']
  })
  t.same(dataOf(await admin.send('GET', summaryUrl())).user_reactions, ['wow'])
  for (const target of ['type_memo/id_2', 'type_todo/id_1']) {
    const summary = { total: 1, by_type: { sad: 1 }, user_reactions: [] }
    t.same(dataOf(await demo.send('GET', summaryUrl(target))), summary, target)
  }
})

t.test(
  'the summary is for anyone; a known caller also gets their own types (contract REACTION-2)',
  async (t) => {
    const { app } = await startService(t, {
      SVC_AGENT_BEARER_TOKEN: token,
      SVC_AGENT_BEARER_USER: 'demo',
      SVC_JWT_SECRET: secret
    })
    const demo = await signIn(app)
    const admin = await signIn(app, 'admin')
    await demo.send('PUT', toggleUrl('heart'))
    const jwt = { authorization: `Bearer ${makeJwt({ sub: '2', exp: 4_000_000_000 })}` }
    const cases: [who: string, headers: Record<string, string>, own: string[]][] = [
      ['nobody', {}, []],
      ['a session', { cookie: demo.cookie }, ['heart']],
      ['the session of another', { cookie: admin.cookie }, []],
      ['a session that is over', { cookie: 'PHPSESSID=unknown' }, []],
      ['the agent', agent, ['heart']],
      ['a JWT', jwt, ['heart']]
    ]
    for (const [who, headers, user_reactions] of cases) {
      const response = await app.inject({ url: summaryUrl(), headers })
      t.same(dataOf(response), { total: 1, by_type: { heart: 1 }, user_reactions }, who)
    }
    const bad = await app.inject({ url: summaryUrl(), headers: { authorization: 'Bearer bad' } })
    t.equal(outcome(bad), '401 JWT-INVALID')
    t.same(dataOf(await app.inject(summaryUrl('type_memo/id_99'))), {
      total: 0,
      by_type: {},
      user_reactions: []
    })
  }
)

t.test('changes need a session and its CSRF token, or Bearer (contract E7, E8)', async (t) => {
  const { app } = await startService(t, {
    SVC_AGENT_BEARER_TOKEN: token,
    SVC_AGENT_BEARER_USER: 'demo',
    SVC_JWT_SECRET: secret
  })
  const { cookie, csrfToken } = await signIn(app)
  const jwt = { authorization: `Bearer ${makeJwt({ sub: '2', exp: 4_000_000_000 })}` }
  const cases: [who: string, headers: Record<string, string>, expected: string][] = [
    ['nobody', {}, '401 SESSION-CLOSED'],
    ['a session without the token', { cookie }, '403 CSRF-TOKEN-INVALID'],
    ['a session with another', { cookie, 'x-csrf-token': 'x' }, '403 CSRF-TOKEN-INVALID'],
    ['a session with the token', { cookie, 'x-csrf-token': csrfToken }, '200 success'],
    ['the agent', agent, '200 success'],
    ['a JWT', jwt, '200 success']
  ]
  for (const [who, headers, expected] of cases) {
    // The second request removes what the first added, so that every case begins without a reaction.
    t.equal(outcome(await app.inject({ method: 'PUT', url: toggleUrl(), headers })), expected, who)
    const removed = await app.inject({ method: 'DELETE', url: itemUrl(), headers })
    t.equal(outcome(removed), expected, `${who}, removal`)
  }
  t.same(dataOf(await app.inject(summaryUrl())).total, 0)
})

t.test('a removal that finds nothing is REACTION-NOT-FOUND (contract REACTION-3)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const admin = await signIn(app, 'admin')
  await demo.send('PUT', toggleUrl('like'))
  await demo.send('PUT', toggleUrl('wow'))
  const notFound = '404 REACTION-NOT-FOUND'
  t.equal(outcome(await admin.send('DELETE', itemUrl('like'))), notFound, "another user's")
  t.equal(outcome(await demo.send('DELETE', itemUrl('sad'))), notFound, 'another type')
  t.equal(outcome(await demo.send('DELETE', itemUrl('like', 'type_memo/id_2'))), notFound)
  t.same(dataOf(await demo.send('DELETE', itemUrl('like'))), {
    summary: { total: 1, by_type: { wow: 1 }, user_reactions: ['wow'] }
  })
  const again = await demo.send('DELETE', itemUrl('like'))
  t.equal(outcome(again), notFound, 'the second time')
  t.equal(again.json().Data.errorMessage, 'Reaction not found.')
})

t.test('other reaction types are REACTION-TYPE-INVALID (contract E6)', async (t) => {
  const demo = await signIn(app)
  for (const type of ['', 'LIKE', 'Like', 'dislike', 'like%20', '%20like', 'like_', 'like,wow']) {
    for (const [method, url] of [
      ['PUT', toggleUrl(type)],
      ['DELETE', itemUrl(type)]
    ] as const) {
      t.equal(outcome(await demo.send(method, url)), '400 REACTION-TYPE-INVALID', url)
    }
  }
  const missing = await demo.send('PUT', '/reaction/toggle/type_memo/id_1')
  t.equal(outcome(missing), '400 REACTION-TYPE-INVALID', 'missing')
  const both = await demo.send('PUT', toggleUrl('x', 'type_a%20b/id_x'))
  t.equal(outcome(both), '400 REACTION-TYPE-INVALID', 'before what is wrong with the target')
})

t.test('targets: a type of 1 to 64 plain characters, an id of digits', async (t) => {
  const demo = await signIn(app)
  const good = '200 success'
  const bad = '422 VALIDATION-FAILED'
  const cases: [target: string, expected: string][] = [
    [`type_${'x'.repeat(64)}/id_1`, good],
    [`type_${'x'.repeat(65)}/id_1`, bad],
    ['type_blog_post/id_1', good],
    ['type__/id_1', good],
    ['type_a.b-C9/id_1', good],
    ['type_../id_1', good],
    ['type_a%5Fb/id_1', good],
    ['type_a%2Fb/id_1', bad],
    ['type_a%20b/id_1', bad],
    ['type_a%0A/id_1', bad],
    ['type_%C3%A9/id_1', bad],
    ['type_/id_1', bad],
    ['id_1', bad],
    ['type_memo/id_0', good],
    ['type_memo/id_007', good],
    ['type_memo/id_9007199254740991', good],
    ['type_memo/id_9007199254740992', bad],
    [`type_memo/id_${'9'.repeat(400)}`, bad],
    ['type_memo/id_-1', bad],
    ['type_memo/id_1.0', bad],
    ['type_memo/id_1e3', bad],
    ['type_memo/id_abc', bad],
    ['type_memo/id_', bad],
    ['type_memo', bad]
  ]
  for (const [target, expected] of cases) {
    t.equal(outcome(await demo.send('PUT', toggleUrl('wow', target))), expected, `PUT ${target}`)
    t.equal(outcome(await app.inject(summaryUrl(target))), expected, `GET ${target}`)
    t.equal(outcome(await demo.send('DELETE', itemUrl('wow', target))), expected, `DEL ${target}`)
  }
  const details = (await app.inject(summaryUrl('type_a%2Fb/id_x'))).json().Data.details
  t.same(
    details.map((detail: { in: string; field: string }) => `${detail.in}.${detail.field}`).sort(),
    ['params.targetId', 'params.targetType']
  )
})

t.test('an underscore is part of a target type, and case matters', async (t) => {
  const demo = await signIn(app)
  await demo.send('PUT', toggleUrl('like', 'type_blog_post/id_7'))
  await demo.send('PUT', '/reaction/toggle/reaction_wow/id_7/type_blog_post')
  for (const [target, total] of [
    ['type_blog_post/id_7', 2],
    ['id_7/type_blog_post', 2],
    ['type_blog/id_7', 0],
    ['type_Blog_post/id_7', 0]
  ] as const) {
    t.equal(dataOf(await app.inject(summaryUrl(target))).total, total, target)
  }
})

t.test('50 toggles at once by one user neither fail nor double', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  for (const [count, total] of [
    [50, 0],
    [51, 1]
  ] as const) {
    const responses = await Promise.all(
      Array.from({ length: count }, () => demo.send('PUT', toggleUrl()))
    )
    t.same(new Set(responses.map(outcome)), new Set(['200 success']))
    const actions = responses.map((response) => dataOf(response).action)
    t.equal(actions.filter((action) => action === 'added').length, Math.ceil(count / 2))
    t.equal(actions.filter((action) => action === 'removed').length, Math.floor(count / 2))
    for (const response of responses) {
      const { action, summary } = dataOf(response)
      t.same(
        summary,
        action === 'added'
          ? { total: 1, by_type: { like: 1 }, user_reactions: ['like'] }
          : { total: 0, by_type: {}, user_reactions: [] },
        'the summary is of the moment of the toggle'
      )
    }
    t.equal(dataOf(await app.inject(summaryUrl())).total, total)
  }
})

t.test('50 toggles at once by each of 20 users are counted right', async (t) => {
  // Long, because a thousand writes of one row wait for each other.
  const { app, sql } = await startService(t, { SVC_DATABASE_TIMEOUT_MS: '60000' })
  const users = await Promise.all(
    Array.from({ length: 20 }, (_, index) => newcomer(app, `user${index}`))
  )
  const toggles = (times: number) =>
    Array.from({ length: times }, () => users.map(({ send }) => send('PUT', toggleUrl()))).flat()
  const even = await Promise.all(toggles(50))
  t.same(new Set(even.map(outcome)), new Set(['200 success']))
  t.same(dataOf(await app.inject(summaryUrl())), { total: 0, by_type: {}, user_reactions: [] })
  await Promise.all(toggles(51))
  t.same(dataOf(await app.inject(summaryUrl())).by_type, { like: 20 })
  t.same(
    await sql('SELECT reaction_type, count FROM reaction_counts'),
    await sql('SELECT reaction_type, count(*) AS count FROM reactions GROUP BY 1'),
    'counts and rows agree'
  )
  const removed = await Promise.all(users.map(({ send }) => send('DELETE', itemUrl())))
  t.same(new Set(removed.map(outcome)), new Set(['200 success']))
  t.equal(dataOf(await app.inject(summaryUrl())).total, 0)
  t.same(await sql('SELECT * FROM reaction_counts'), [], 'no count of 0 is left')
})

t.test('of 50 removals at once one finds the reaction', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  await demo.send('PUT', toggleUrl())
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => demo.send('DELETE', itemUrl()))
  )
  const outcomes = responses.map(outcome)
  t.equal(outcomes.filter((each) => each === '200 success').length, 1)
  t.equal(outcomes.filter((each) => each === '404 REACTION-NOT-FOUND').length, 49)
  t.equal(dataOf(await app.inject(summaryUrl())).total, 0)
})

t.test('toggles and removals at once wait for each other', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      n % 2 ? demo.send('DELETE', itemUrl()) : demo.send('PUT', toggleUrl())
    )
  )
  const known = ['200 success', '404 REACTION-NOT-FOUND']
  t.same(
    responses.map(outcome).filter((each) => !known.includes(each)),
    []
  )
})

t.test('reactions of a deleted user stay counted, so that counts and rows agree', async (t) => {
  const { app, sql } = await restart(shared)
  const leaver = await newcomer(app, 'leaver')
  await leaver.send('PUT', toggleUrl())
  await sql(`DELETE FROM users WHERE user_id = 'leaver'`)
  t.equal(outcome(await leaver.send('PUT', toggleUrl())), '401 SESSION-CLOSED')
  t.equal(dataOf(await app.inject(summaryUrl())).total, 1)
  t.equal((await sql('SELECT id FROM reactions')).length, 1)
})

t.test('a toggle accepts a JSON body or none, and ignores it (contract E2)', async (t) => {
  const { cookie, csrfToken } = await signIn(app)
  const headers = { cookie, 'x-csrf-token': csrfToken }
  const cases: [payload: InjectOptions['payload'], expected: string][] = [
    [undefined, '200 success'],
    ['', '200 success'],
    ['{}', '200 success'],
    ['{"user_id":1,"reaction_type":"x"}', '200 success'],
    ['{', '400 BODY-INVALID']
  ]
  for (const [payload, expected] of cases) {
    const response = await app.inject({
      method: 'PUT',
      url: toggleUrl(),
      headers,
      ...(payload !== undefined && { payload })
    })
    t.equal(outcome(response), expected, String(payload))
  }
})

t.test('Allow lists the methods of each path (contract E4)', async (t) => {
  for (const [url, allow] of [
    [toggleUrl(), 'PUT'],
    [itemUrl(), 'DELETE'],
    [summaryUrl(), 'GET, HEAD']
  ] as const) {
    const response = await app.inject({ method: 'POST', url })
    t.equal(outcome(response), '405 METHOD-NOT-ALLOWED', url)
    t.equal(response.headers.allow, allow, url)
  }
})

t.test('an expired JWT is refused, though anyone may ask for a summary', async (t) => {
  const { app } = await startService(t, { SVC_JWT_SECRET: secret })
  const headers = { authorization: `Bearer ${makeJwt({ sub: '2', exp: 1 })}` }
  t.equal(outcome(await app.inject({ url: summaryUrl(), headers })), '401 JWT-INVALID')
})

t.test('51 toggles in two processes: 26 add, 25 remove, and counts and rows agree', async (t) => {
  const place = await freshPlace(t)
  const [one, two] = await Promise.all([startServer(t, place), startServer(t, place)])
  const first = await signInOver(one.address)
  const second = first.at(two.address)
  const answers = await Promise.all(
    Array.from({ length: 51 }, (_, n) => (n % 2 ? second : first)('PUT', toggleUrl()))
  )
  for (const { statusCode } of answers) t.equal(statusCode, 200)
  const actions = answers.map(({ Data }) => (Data as { action: string }).action)
  t.equal(actions.filter((action) => action === 'added').length, 26)
  t.same(await runSql(place, 'SELECT count FROM reaction_counts'), [{ count: 1 }])
  t.equal((await runSql(place, 'SELECT id FROM reactions')).length, 1)
})
