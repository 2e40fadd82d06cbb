import t from 'tap'
import { openDatabase } from '../../../db/open.ts'
import { loadConfig } from '../../../fastify.config.ts'
import { emptyDatabase, isPostgres, runMigration, runSql } from '../../support/database.ts'
import {
  addUser,
  newService,
  outcome,
  signIn,
  startService,
  temporaryFolder
} from '../../support/helper.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { openBrowser } from '../../support/visitor.ts'

const user_pass = 'a password of one'

const login = (app: Awaited<ReturnType<typeof startService>>['app'], user_id: string) =>
  app.inject({ method: 'POST', url: '/session/login', payload: { user_id, user_pass } })

t.test('a login name is found as people and phones type it', async (t) => {
  const { app } = await startService(t)
  await addUser(app, 'Änna', { password: user_pass })
  for (const typed of [
    ...['Änna', 'änna', 'ÄNNA', ' änna ', 'Änna\u00a0', '\u200bänna', 'A\u0308nna'],
    ...['änna@example.com', 'Änna@Example.com ', '\ufeffänna@example.com\u200b']
  ]) {
    const response = await login(app, typed)
    t.equal(outcome(response), '200 success', JSON.stringify(typed))
    t.equal(response.json().Data.user.user_id, 'Änna', 'shown as it was made')
    const token = await app.inject({
      ...{ method: 'POST', url: '/token/issue' },
      payload: { user_id: typed, user_pass }
    })
    t.not(token.statusCode, 401, 'and for a token')
    const page = await openBrowser(app).signIn(typed, user_pass)
    t.equal(page.statusCode, 303, 'and on the page')
  }
  t.equal(outcome(await login(app, 'ä nna')), '401 LOGIN-FAILED', 'no space within')
})

t.test('no two names differ in case, width or accents alone, wherever they are made', async (t) => {
  const { app } = await startService(t)
  const admin = await signIn(app, 'admin')
  const add = (user_id: string, e_mail: string) =>
    admin.send('POST', '/admin/user/index', { user_id, user_name: 'x', e_mail })
  t.equal(outcome(await add(' Jürgen ', ' Jürgen@münchen.example\u200b')), '200 success')
  for (const user_id of ['jürgen', 'JÜRGEN', 'Ju\u0308rgen', 'ｊürgen', 'jür\u00adgen']) {
    const response = await add(user_id, 'other@example.com')
    t.equal(outcome(response), '409 CONFLICT', user_id)
    t.equal(response.json().Data.taken, 'user_id', user_id)
  }
  for (const e_mail of [
    ...['jürgen@münchen.example', 'JÜRGEN@MÜNCHEN.EXAMPLE', 'jürgen@xn--mnchen-3ya.example'],
    'Ju\u0308rgen@XN--MNCHEN-3YA.example'
  ]) {
    const response = await add('other', e_mail)
    t.equal(outcome(response), '409 CONFLICT', e_mail)
    t.equal(response.json().Data.taken, 'e_mail', e_mail)
  }
  const added = await add('kelvin', '\u212aelvin@xn--strae-oqa.example')
  t.equal(
    added.json().Data.user.e_mail,
    '\u212aelvin@straße.example',
    'the domain as people read it'
  )
  t.equal(outcome(await add('kelvin2', 'kelvin@straße.example')), '409 CONFLICT')
  const [{ user_id } = {}] = (await admin.send('GET', '/admin/user/index?limit=2'))
    .json()
    .Data.users.slice(1)
  t.equal(user_id, 'Jürgen', 'without what surrounds it')
})

t.test('a reset mails to the address in any of its forms', async (t) => {
  const mail = await startMailServer(t)
  const { app } = await newService(t, { SVC_SMTP_URL: mail.url })
  const admin = await signIn(app, 'admin')
  const names = { user_id: 'info', user_name: 'Info', e_mail: 'info@münchen.example' }
  await admin.send('POST', '/admin/user/index', names)
  await app.background.idle()
  for (const email of [
    'info@xn--mnchen-3ya.example',
    'INFO@MÜNCHEN.example ',
    '\u00a0info@münchen.example'
  ]) {
    const before = mail.mails.length
    const payload = { email }
    const response = await app.inject({ method: 'POST', url: '/password-reset', payload })
    t.equal(response.statusCode, 202)
    await app.background.idle()
    t.equal(mail.mails.length, before + 1, email)
  }
})

t.test('wrong passwords count for one name, however it is typed (contract LOCK-1)', async (t) => {
  const { app } = await newService(t, { SVC_LOCKOUT_FAILURES: '3' })
  await addUser(app, 'anna', { password: user_pass })
  const guess = (user_id: string) =>
    app.inject({ method: 'POST', url: '/session/login', payload: { user_id, user_pass: 'wrong' } })
  for (const [first, second, third] of [
    ['anna', 'Anna', ' ANNA '],
    ['nobody', 'Nobody', ' NOBODY '],
    ['no@münchen.example', 'NO@xn--mnchen-3ya.example', 'no@münchen.example ']
  ] as const) {
    for (const name of [first, second, third])
      t.equal(outcome(await guess(name)), '401 LOGIN-FAILED')
    t.equal(outcome(await guess(first)), '423 ACCOUNT-LOCKED', first)
  }
})

t.test('SVC_AGENT_BEARER_USER names its user in any case', async (t) => {
  const env = { SVC_AGENT_BEARER_TOKEN: 'a'.repeat(40), SVC_AGENT_BEARER_USER: ' Demo' }
  const { app } = await newService(t, env)
  const headers = { authorization: `Bearer ${'a'.repeat(40)}` }
  const response = await app.inject({ url: '/session/current', headers })
  t.equal(response.json().Data.user.user_id, 'demo')
})

t.test(
  'users from before, whose names differ in case alone, go on by their exact names',
  async (t) => {
    const config = loadConfig({
      SVC_DATA_DIR: temporaryFolder(t),
      SVC_DATABASE_URL: isPostgres ? await emptyDatabase(t) : ''
    })
    await (await openDatabase(config)).close()
    for (const text of [
      'DROP INDEX users_namesakes',
      'DROP INDEX users_login_key',
      'DROP INDEX users_address_key',
      'ALTER TABLE users DROP COLUMN login_key',
      'ALTER TABLE users DROP COLUMN address_key',
      'CREATE UNIQUE INDEX users_e_mail ON users (lower(e_mail))'
    ]) {
      await runSql(config, text)
    }
    const old: [login: string, address: string][] = [
      ['anna', 'jürgen@example.com'],
      // PostgreSQL's lower() knows Ü, SQLite's does not.
      ['Anna', isPostgres ? 'ann@example.com' : 'JÜRGEN@example.com'],
      ['bob', 'bob@xn--mnchen-3ya.example'],
      ['BOB', 'bob@münchen.example']
    ]
    for (const [login, address] of old) {
      const time = isPostgres ? "'2026-11-21T09:30:00Z'" : "'2026-11-21T09:30:00.000Z'"
      await runSql(
        config,
        `INSERT INTO users (user_id, user_name, e_mail, role, password_hash, password_changed_at, created_at, updated_at)
       VALUES ('${login}', 'x', '${address}', 'user', '', 0, ${time}, ${time})`
      )
    }
    await runMigration(config, 'name-keys')
    const database = await openDatabase(config)
    t.teardown(() => database.close())
    const { users } = database.repos
    for (const [login, address] of old) {
      t.equal((await users.findForSignIn(login))?.user_id, login)
      t.equal((await users.findForSignIn(` ${address} `))?.user_id, login, address)
      t.equal((await users.findByMail(address))?.user_id, login, address)
    }
    t.equal((await users.findForSignIn('ANNA'))?.user_id, 'anna', 'the oldest has the others')
    t.same(await users.namesakes({}), [{ user_id: 'Anna' }, { user_id: 'BOB' }])
    const one = {
      user_name: 'x',
      role: 'user',
      password_hash: '',
      now: '2026-11-21T09:30:00.000Z'
    } as const
    const isAdded = await users.insert({
      ...one,
      user_id: 'aNNa',
      e_mail: 'new@example.com',
      now_ms: 0
    })
    t.notOk(isAdded, 'nobody gets a third')
  }
)
