import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import bcrypt from 'bcrypt'
import t from 'tap'
import { withCredential } from '../commands/credentials.ts'
import { openDatabase } from '../db/open.ts'
import { loadConfig } from '../fastify.config.ts'
import { printableLines } from '../plugins/runtime/printable.ts'
import { redirectRule } from '../schemas/grant.ts'
import { runInProcess as run, setVariable } from './support/command.ts'
import { freshPlace, newTurn, type Place, runSql } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { upload } from './support/form.ts'
import { signIn, startService } from './support/helper.ts'
import { letIn } from './support/oauth.ts'
import { withSecondFactor } from './support/second-factor.ts'
import { compileCache } from './support/server-process.ts'

const cli = new URL('../cli.ts', import.meta.url).pathname

// A folder without `.env`.
process.chdir(temporaryFolder(t))

/** Runs it as a shell would. */
async function runProcess(place: Place, args: string[], input: string | Buffer = '') {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...compileCache, SVC_ENV: 'test', SVC_BCRYPT_COST: '4', ...place }
  })
  // A command that ends before it reads closes the pipe.
  child.stdin.on('error', () => {}).end(input)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close')
  ])
  return { code: child.exitCode, stdout, stderr }
}

const done = (stdout: string) => ({ code: 0, stdout, stderr: '' })
const failed = (message: string) => ({ code: 1, stdout: '', stderr: `gatehouse: ${message}\n` })
const all =
  'serve, user, token, client, area, backup, restore, database, files, audit, flag, login, logout, mcp, call, health, verify'
const ofUser = 'user add, list, password, role, lock, totp-off, unlock, remove'
const misused = (message: string) => ({
  code: 2,
  stdout: '',
  stderr: `gatehouse: ${message} (see --help)\n`
})

/** The stored user, and whether `password` is theirs. */
async function stored(place: Place, login: string, password: string) {
  const database = await openDatabase(loadConfig(place))
  const user = await database.repos.users.find({ user_id: login })
  await database.close()
  return { ...user, isVerified: await bcrypt.compare(password, user?.password_hash ?? '') }
}

t.test('as a process: output, errors and exit codes', async (t) => {
  const place = await freshPlace(t)
  t.same(
    await runProcess(place, ['user', 'add', 'ann'], 'correct horse\nnot this\n'),
    done('added user ann\n')
  )
  t.same(
    await runProcess(place, ['user', 'add', 'ann'], 'password'),
    failed('user ann already exists')
  )
  t.same(
    await runProcess(place, ['user', 'add', 'eve'], Buffer.from('p\xe4ssw\xf6rter', 'latin1')),
    failed('standard input is not UTF-8'),
    'nobody could type this password'
  )
  t.same(await runProcess(place, []), misused(`a command is missing: choose ${all}`))
})

t.test('user add takes the password from the first line of standard input', async (t) => {
  const place = await freshPlace(t)
  t.same(
    await run(place, ['user', 'add', 'ann'], 'correct horse\nnot this\n'),
    done('added user ann\n')
  )
  t.match(await stored(place, 'ann', 'correct horse'), {
    user_name: 'ann',
    e_mail: 'ann@localhost',
    role: 'user',
    isVerified: true
  })
})

t.test('user add takes name, address and role', async (t) => {
  const place = await freshPlace(t)
  const options = ['--name', 'Bea B.', '--email', 'bea@example.com', '--role', 'admin']
  // No line end after the password, as from `printf`.
  t.same(
    await run(place, ['user', 'add', 'bea', ...options], '1234567x'),
    done('added admin bea\n')
  )
  t.match(await stored(place, 'bea', '1234567x'), {
    user_name: 'Bea B.',
    e_mail: 'bea@example.com',
    role: 'admin',
    isVerified: true
  })
  t.same(await runSql(place, 'SELECT event, subject, detail, via FROM audit_events'), [
    { event: 'user-add', subject: 'bea', detail: 'admin', via: 'cli' }
  ])
})

t.test('user list prints plain columns', async (t) => {
  const place = await freshPlace(t)
  t.same(
    await run(place, ['user', 'list']),
    done('ID  LOGIN  ROLE  LOCKED  CREATED  ADDRESS  NAME\n')
  )
  await run(place, ['user', 'add', 'ann@example.com', '--role', 'admin'], 'password of ann')
  await run(place, ['user', 'add', 'bob', '--name', 'Bob B.'], 'password of bob')
  await run(place, ['user', 'lock', 'bob'])
  const { stdout } = await run(place, ['user', 'list'])
  const time = '2000-01-01T00:00:00.000Z'
  t.equal(
    stdout.replace(/\d{4}-\S+Z/g, time),
    `ID  LOGIN            ROLE   LOCKED         CREATED                   ADDRESS          NAME
1   ann@example.com  admin  -              ${time}  ann@example.com  ann@example.com
2   bob              user   administrator  ${time}  bob@localhost    Bob B.
`
  )
})

t.test('commands work beside a running service', async (t) => {
  const { app, place } = await startService(t)
  const browser = await signIn(app)
  const other = await signIn(app, 'admin')

  t.same(
    await run(place, ['user', 'password', 'demo'], 'a new password\n'),
    done('changed the password of demo\n')
  )
  t.equal((await browser.send('GET', '/todo/index')).statusCode, 401, 'sessions of the user end')
  t.equal((await other.send('GET', '/todo/index')).statusCode, 200, 'those of others do not')
  const login = (user_pass: string) =>
    app.inject({ method: 'POST', url: '/session/login', payload: { user_id: 'demo', user_pass } })
  t.equal((await login('demo')).statusCode, 401, 'the old password is refused')
  t.equal((await login('a new password')).statusCode, 200, 'the new one works')

  t.same(await run(place, ['user', 'role', 'demo', 'admin']), done('demo is now admin\n'))
  t.match(await stored(place, 'demo', 'a new password'), { role: 'admin' })

  for (let guess = 0; guess < 5; guess++) await login('wrong')
  t.equal((await login('a new password')).statusCode, 423)
  t.same(await run(place, ['user', 'unlock', 'demo']), done('unlocked demo\n'))
  t.equal((await login('a new password')).statusCode, 200)
  t.same(await run(place, ['user', 'unlock', 'demo']), done('demo was not locked\n'))

  const locked = await signIn(app, 'admin')
  t.same(await run(place, ['user', 'lock', 'admin']), done('locked admin\n'))
  t.same(await run(place, ['user', 'lock', 'admin']), done('admin was locked already\n'))
  t.equal((await locked.send('GET', '/todo/index')).statusCode, 401)
  t.match(await run(place, ['user', 'list']), { stdout: /admin +admin +administrator/ })
  for (const words of [
    ['user', 'lock', 'demo'],
    ['user', 'role', 'demo', 'user']
  ]) {
    t.match(
      await run(place, words),
      { code: 1, stderr: /demo is the last administrator who is not locked/ },
      'the same rule as everywhere (contract ADMIN-4)'
    )
  }
  t.match(await run(place, ['user', 'lock', 'nobody']), { code: 1, stderr: /no user nobody/ })
  t.same(await run(place, ['user', 'unlock', 'admin']), done('unlocked admin\n'))
})

t.test('user totp-off switches off a lost second factor, and is recorded', async (t) => {
  const { app, clock, place, sql } = await startService(t)
  const demo = await withSecondFactor(app, clock.now)
  t.equal((await demo.logIn()).statusCode, 401)
  const off = () => run(place, ['user', 'totp-off', 'demo'])
  t.same(await off(), done('switched off the second factor of demo\n'))
  t.equal((await demo.logIn()).statusCode, 200)
  t.same(await off(), done('demo has no second factor\n'))
  t.same(await sql('SELECT * FROM recovery_codes'), [])
  const trail = "SELECT via, subject FROM audit_events WHERE event = 'second-factor-off'"
  t.same(await sql(trail), [{ via: 'cli', subject: 'demo' }])
})

t.test("user remove takes all that is the user's, beside a running service", async (t) => {
  const { app, folder, place, sql } = await startService(t, { SVC_JWT_SECRET: 's'.repeat(32) })
  const demo = await signIn(app)
  const admin = await signIn(app, 'admin')
  for (const [url, body] of [
    ['/todo/index', { title: 'x' }],
    ['/memo/index', { body: 'x' }],
    ['/accesstoken/index', { name: 'x', scopes: ['todo:read'] }]
  ] as const) {
    t.equal((await demo.send('POST', url, body)).statusCode, 200, url)
  }
  const reacted = await demo.send('PUT', '/reaction/toggle/type_memo/id_1/reaction_like')
  t.equal(reacted.statusCode, 200)
  const issued = await app.inject({
    method: 'POST',
    url: '/token/issue',
    payload: { user_id: 'demo', user_pass: 'demo' }
  })
  const authorization = `Bearer ${issued.json().Data.access_token}`
  t.equal((await app.inject({ url: '/todo/index', headers: { authorization } })).statusCode, 200)
  for (const browser of [demo, admin]) {
    t.equal((await upload(app, browser, 'x')).statusCode, 200)
  }
  const uploads = () => readdirSync(join(folder, 'uploads')).filter((name) => name !== 'tmp')
  t.equal(uploads().length, 2)
  const wrong = { user_id: 'demo', user_pass: 'wrong' }
  await app.inject({ method: 'POST', url: '/session/login', payload: wrong })

  t.same(await run(place, ['user', 'remove', 'demo']), done('removed demo\n'))
  await newTurn()
  t.equal((await demo.send('GET', '/todo/index')).statusCode, 401)
  t.equal((await app.inject({ url: '/todo/index', headers: { authorization } })).statusCode, 401)
  t.equal(uploads().length, 1, 'the file of another user stays')
  for (const table of ['todos', 'memos', 'access_tokens', 'sessions', 'changes', 'attachments']) {
    t.same(await sql(`SELECT user_id FROM ${table} WHERE user_id = 2`), [], table)
  }
  t.same(await sql('SELECT * FROM login_failures'), [])
  t.same((await sql('SELECT user_id FROM reactions')).length, 1, 'reactions stay counted')
  const trail = "SELECT via, subject, detail FROM audit_events WHERE event = 'user-remove'"
  t.same(await sql(trail), [{ via: 'cli', subject: 'demo', detail: '2' }])

  t.same(await run(place, ['user', 'remove', 'demo']), failed('there is no user demo'))
  t.same(
    await run(place, ['user', 'remove', 'admin']),
    failed('admin is the last administrator who is not locked'),
    'contract ADMIN-4'
  )
  t.equal((await admin.send('GET', '/todo/index')).statusCode, 200)
  t.equal(uploads().length, 1, 'a refusal removes nothing')
  t.same(await run(place, ['user', 'add', 'demo'], 'a new password'), done('added user demo\n'))
  t.match(await stored(place, 'demo', 'a new password'), { id: 3 }, 'no id is used again')
})

t.test('flag set and list: the rules and the record of the area', async (t) => {
  const { app, place, sql } = await startService(t)
  const demo = await signIn(app)
  const isOn = async () => (await demo.send('GET', '/featureflag/index')).json().Data.flags
  const set = (...words: string[]) => run(place, ['flag', 'set', ...words])
  t.same(await set('new-form', 'on'), done('new-form is on for everybody\n'))
  t.same(await isOn(), { 'new-form': true })
  t.same(await set('new-form', '25'), done('new-form is on for 25% of users\n'))
  t.same(await set('old-form', '100'), done('old-form is on for 100% of users\n'))
  const { stdout } = await run(place, ['flag', 'list'])
  const time = '2000-01-01T00:00:00.000Z'
  t.equal(
    stdout.replace(/\d{4}-\S+Z/g, time),
    `FLAG      ON FOR         CHANGED
old-form  100% of users  ${time}
new-form  25% of users   ${time}
`
  )
  for (const name of ['new-form', 'old-form']) {
    t.same(await set(name, 'off'), done(`${name} is on for nobody\n`))
  }
  t.same(await isOn(), { 'new-form': false, 'old-form': false }, 'also for those in the rollout')
  const trail = await sql(
    "SELECT via, subject, detail FROM audit_events WHERE event = 'flag-change' ORDER BY id"
  )
  t.same(trail[0], { via: 'cli', subject: 'new-form', detail: 'is_enabled true, rollout_pct 0' })
  t.equal(trail.length, 5)

  t.match(await set('-x', 'on'), { code: 2, stderr: "Unknown option '-x'" })
  t.match(await set('a b', 'on'), { code: 2, stderr: 'NAME is not valid: it must be 1 to 128' })
  t.same(
    await set('a', 'yes'),
    misused('on|off|PERCENT is not valid: it must be on, off, or 0 to 100')
  )
  t.same(await set('a', '101'), misused('PERCENT is not valid: it must be 0 to 100'))
  t.same(await set('a'), misused('flag set needs on|off|PERCENT'))
})

t.test('unacceptable passwords are refused, and nothing is stored', async (t) => {
  const place = await freshPlace(t)
  const refused: [string, string][] = [
    ['', 'no password was given'],
    ['\n', 'the password must have at least 8 characters'],
    ['7 chars\n', 'the password must have at least 8 characters'],
    ['é'.repeat(37), 'the password must have at most 72 bytes'],
    [' '.repeat(8), 'the password must have a character other than white space'],
    ['ANN@localhost', 'the password must not be the email address'],
    ['Password1', 'the password must not be one of the most common passwords']
  ]
  for (const [input, message] of refused) {
    t.same(await run(place, ['user', 'add', 'ann'], input), failed(message))
  }
  t.match(await stored(place, 'ann', ''), { id: undefined })

  t.same(await run(place, ['user', 'add', 'ann'], 'é'.repeat(36)), done('added user ann\n'))
  t.same(
    await run(place, ['user', 'password', 'ann'], '1234567'),
    failed('the password must have at least 8 characters')
  )
  t.match(await stored(place, 'ann', 'é'.repeat(36)), { isVerified: true })
})

t.test('failures are one line on standard error and exit code 1', async (t) => {
  const place = await freshPlace(t)
  await run(place, ['user', 'add', 'ann'], 'password of ann')
  t.same(await run(place, ['user', 'add', 'ann'], 'password'), failed('user ann already exists'))
  t.same(
    await run(place, ['user', 'add', 'bob', '--email', 'ANN@localhost'], 'password of bob'),
    failed('another user has the address ANN@localhost')
  )
  t.same(await run(place, ['user', 'password', 'bob'], 'password'), failed('there is no user bob'))
  t.same(await run(place, ['user', 'role', 'bob', 'user']), failed('there is no user bob'))
  t.same(await run(place, ['user', 'unlock', 'bob']), failed('there is no user bob'))
  t.same(await run(place, ['user', 'totp-off', 'bob']), failed('there is no user bob'))

  const file = join(place.SVC_DATA_DIR, 'file')
  writeFileSync(file, 'not a folder')
  const { code, stderr } = await run({ ...place, SVC_DATA_DIR: file }, ['user', 'list'])
  t.equal(code, 1)
  t.match(stderr, /^gatehouse: cannot use SVC_DATA_DIR .*\n$/)
})

t.test('a mistake in the command line is exit code 2', async (t) => {
  const place = await freshPlace(t)
  const loginProblem =
    'LOGIN is not valid: it must be a login name of up to 255 characters, without spaces'
  const nameProblem = 'NAME is not valid: it must be a text of up to 255 characters'
  const addressProblem = 'ADDRESS is not valid: it must be an address such as ann@example.com'
  const misuses: [string[], string][] = [
    [[], `a command is missing: choose ${all}`],
    [['user'], `a command is missing: choose ${ofUser}`],
    [['todo'], `unknown command todo: choose ${all}`],
    [['help', 'todo', 'add'], `unknown command todo add: choose ${all}`],
    [['todo', '--help'], `unknown command todo: choose ${all}`],
    [['user', 'delete'], `unknown command user delete: choose ${ofUser}`],
    [['user', 'toString'], `unknown command user toString: choose ${ofUser}`],
    [['user', 'add'], 'user add needs LOGIN'],
    [['user', 'role', 'ann'], 'user role needs ROLE'],
    [['user', 'role', 'ann', 'root'], 'ROLE must be one of user, admin'],
    [['user', 'add', 'ann', '--role', 'root'], 'ROLE must be one of user, admin'],
    [['user', 'add', 'ann', '--role'], '--role needs user|admin'],
    [['token', 'add', 'ann', 'x', 'todo:read', '--days', '-5'], '--days needs DAYS'],
    [['user', 'add', 'ann', '--password=x'], "Unknown option '--password'"],
    [['user', 'list', '--name', 'x'], 'user list takes no option --name'],
    [['user', 'list', 'ann'], 'too many arguments: user list takes no argument'],
    [
      ['user', 'password', 'ann', 'my new password'],
      'too many arguments: user password takes LOGIN'
    ],
    [['user', 'add', ''], loginProblem],
    [['user', 'add', 'ann lee'], loginProblem],
    [['user', 'add', 'a'.repeat(256)], loginProblem],
    [['user', 'add', 'ann', '--name', ' '], nameProblem],
    [['user', 'add', 'ann', '--name', 'red \u001b[31m'], nameProblem],
    [['user', 'add', 'ann', '--email', 'nowhere'], addressProblem],
    [['user', 'add', 'ann', '--email', 'eve@x.example,ann@x.example'], addressProblem],
    [['user', 'add', 'ann', '--email', 'eve,ann@x.example'], addressProblem],
    [['user', 'add', 'eve,ann'], addressProblem]
  ]
  for (const [args, message] of misuses) t.same(await run(place, args), misused(message))
})

t.test('token add prints the token alone, list shows how it begins, revoke ends it', async (t) => {
  const { app, place, sql } = await startService(t, {}, undefined, Date.now())
  const url = '/memo/index'
  const ask = (token: string) => app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  const made = await run(place, [
    'token',
    'add',
    'demo',
    'nightly import',
    'memo:read',
    '--days',
    '7'
  ])
  t.match(made, { code: 0, stderr: '' })
  t.match(made.stdout, /^gth_[\w-]{49}\n$/)
  const token = made.stdout.trim()
  t.equal((await ask(token)).statusCode, 200)
  const { stdout } = await run(place, ['token', 'list', 'demo'])
  t.match(stdout, /^ID +TOKEN +CREATED +EXPIRES +LAST USED +SCOPES +LIMITS +NAME\n1 +gth_/)
  t.match(stdout, `${token.slice(0, 8)}...`)
  t.match(stdout, /memo:read +- +nightly import\n$/)
  t.notMatch(stdout, token)
  const revoke = ['token', 'revoke', 'demo', '1']
  t.same(await run(place, revoke), done(`revoked ${token.slice(0, 8)}... of demo\n`))
  t.equal((await ask(token)).statusCode, 401)
  t.same(await run(place, revoke), failed('demo has no live access token 1'))
  const add = (...words: string[]) => run(place, ['token', 'add', ...words])
  t.same(await add('nobody', 'x', 'todo:read'), failed('there is no user nobody'))
  t.same(
    await add('demo', 'x', 'admin:read'),
    failed('demo is not an administrator and cannot have admin scopes')
  )
  t.match(await add('admin', 'x', 'admin:read,todo:read'), { code: 0 })
  for (const scopes of ['', 'todo:delete', 'todo:read,todo:read', 'todo:read todo:write']) {
    t.match(await add('demo', 'x', scopes), { code: 2, stdout: '' }, scopes)
  }
  t.same(
    await add('demo', ' ', 'todo:read'),
    misused('NAME is not valid: it must be a text of 1 to 64 characters')
  )
  t.same(
    await add('demo', 'x', 'todo:read', '--days', '366'),
    misused('DAYS is not valid: it must be a number of days from 1 to 365')
  )
  t.same(
    await add('demo', 'x', 'todo:read', '--minutes', '4'),
    misused('MINUTES is not valid: it must be a number of minutes from 5 to 525600')
  )
  t.same(
    await add('demo', 'x', 'todo:read', '--changes', '0'),
    misused('CHANGES is not valid: it must be a number of changes from 1 to 1000000')
  )
  t.same(
    await add('demo', 'x', 'todo:read', '--days', '1', '--minutes', '5'),
    misused('take --days or --minutes, not both')
  )
  const events = await sql(
    "SELECT event, via, subject FROM audit_events WHERE event LIKE 'access%'"
  )
  t.same(
    events.map(({ event, via, subject }) => `${event} ${via} ${subject}`),
    [
      'access-token-created cli demo',
      'access-token-revoked cli demo',
      'access-token-created cli admin'
    ]
  )
})

t.test('token add takes the limits of a token, which hold at the service', async (t) => {
  const { app, place } = await startService(t, {}, undefined, Date.now())
  const limits = ['--minutes', '60', '--asks', '--changes', '2']
  const asking = await run(place, ['token', 'add', 'demo', 'asking', 'todo:write', ...limits])
  const changing = await run(place, [
    ...['token', 'add', 'demo', 'changing', 'todo:write'],
    ...['--changes', '1']
  ])
  const create = async ({ stdout }: { stdout: string }) => {
    const headers = { authorization: `Bearer ${stdout.trim()}` }
    const payload = { title: 'x' }
    const answer = await app.inject({ method: 'POST', url: '/todo/index', headers, payload })
    return answer.json().Data
  }
  t.match(await create(asking), { errorCode: 'APPROVAL-NEEDED' })
  t.match(await create(changing), { status: 'success' })
  t.match(await create(changing), { errorCode: 'BUDGET-SPENT' })
  const { stdout } = await run(place, ['token', 'list', 'demo'])
  t.match(stdout, /todo:write +changes:0 +changing\n.*todo:write +asks,changes:2 +asking\n$/)
  const [, made = '', end = ''] = /(\S+Z) +(\S+Z).*asking/.exec(stdout) ?? []
  t.equal(Date.parse(end) - Date.parse(made), 60 * 60_000)
})

t.test('token add makes no token that asks where no plan can be made', async (t) => {
  const { place } = await startService(t, {}, undefined, Date.now())
  const env = { ...place, SVC_ACTIVITY_DAYS: '0' }
  const add = (...more: string[]) => run(env, ['token', 'add', 'demo', 'x', 'todo:read', ...more])
  t.same(await add('--asks'), {
    code: 2,
    stdout: '',
    stderr:
      'gatehouse: --asks needs plans, which are made from recorded changes: SVC_ACTIVITY_DAYS is 0\n'
  })
  t.match(await add(), { code: 0 })
  t.notMatch((await run(env, ['token', 'list', 'demo'])).stdout, 'asks')
})

t.test('--help, -h and help at every level, and --version', async (t) => {
  const place = await freshPlace(t)
  const commands = ['add', 'list', 'lock', 'password', 'remove', 'role', 'totp-off', 'unlock']
  for (const about of [[], ['user'], ...commands.map((command) => ['user', command])]) {
    const { code, stdout, stderr } = await run(place, [...about, '--help'])
    t.same({ code, stderr }, { code: 0, stderr: '' }, about.join(' '))
    const named = commands.filter((command) => stdout.includes(`  user ${command}`))
    t.same(named, about.length === 2 ? [about[1]] : commands)
    t.equal(stdout.includes('  token add'), about.length === 0, 'of other areas only with all')
    t.same(await run(place, [...about, '-h']), done(stdout))
    t.same(await run(place, ['help', ...about]), done(stdout))
  }
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  t.same(await run(place, ['--version']), done(`gatehouse ${version}\n`))
})

t.test('what strangers wrote is printed in one line, without controls, and cut', async (t) => {
  const place = await freshPlace(t)
  await run(place, ['user', 'add', 'ann'], 'password of ann')
  const hostile = `\u001b[2J\nadmin\u202e${'x'.repeat(15_000)}`
  const database = await openDatabase(loadConfig(place))
  await database.repos.audit.insert({
    ...{ event: 'client-registered', created_at: '2026-11-21T09:30:00.000Z', via: 'oauth' },
    ...{ user_id: null, subject: 'x', detail: hostile, address: null, request_id: null }
  })
  await database.close()
  const { stdout } = await run(place, ['audit'])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out
  t.notMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f\u202e]/)
  t.ok(stdout.includes('\\u001b[2J\\u000aadmin\\u202exxx'))
  t.ok(stdout.split('\n').every((line) => line.length < 1000))
  t.equal(stdout.split('\n').length, 4, 'a heading, two events')
  const report = { message: `\u009b2J${hostile}\u{e0041}\ud800`, curl: 'curl' }
  const line = printableLines(JSON.stringify(report))
  t.same(JSON.parse(line), report, 'JSON stays JSON')
  t.match(line, /^[\x20-\x7e]+$/)
})

t.test('kept credentials are used by one process at a time, also if one is killed', async (t) => {
  const home = temporaryFolder(t)
  setVariable(t, 'HOME', home)
  const credentials = new URL('../commands/credentials.ts', import.meta.url).href
  const script = `import { withCredential } from '${credentials}'
    await withCredential(new URL('http://gone.example'), () => {
      console.log('inside')
      return new Promise(() => setInterval(() => {}, 1000))
    })`
  const killed = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...compileCache, HOME: home },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(killed.stdout, 'data')
  let inside = 0
  let isAlone = false
  const use = (name: string) =>
    withCredential(new URL(`http://${name}.example`), async () => {
      t.ok(isAlone)
      t.equal(++inside, 1, 'alone')
      await new Promise((resolve) => setImmediate(resolve))
      inside--
      return { keep: { access_token: name, refresh_token: name, expires_at: 1 }, result: name }
    })
  const names = ['a', 'b', 'c', 'd']
  const uses = names.map(use)
  await new Promise((resolve) => setImmediate(resolve))
  isAlone = true
  killed.kill('SIGKILL')
  t.same(await Promise.all(uses), names)
  const kept = JSON.parse(readFileSync(join(home, '.config/gatehouse/credentials.json'), 'utf8'))
  t.same(
    Object.keys(kept).sort(),
    names.map((name) => `http://${name}.example`)
  )
})

t.test('client add, list and remove: programs that are registered by hand', async (t) => {
  const { app, place } = await startService(t)
  const uri = 'https://assistant.example/callback'
  const added = await run(place, ['client', 'add', 'An assistant', `${uri},com.example.app:/x`])
  const client_id = added.stdout.trim()
  t.match(client_id, /^\w[\w-]{35}$/)
  t.same(
    await run(place, ['client', 'add', 'A', 'http://assistant.example/']),
    misused(`URIS are ${redirectRule}`)
  )
  t.match((await run(place, ['client', 'list'])).stdout, `An assistant  ${uri},com.example.app:/x`)
  const entered = await letIn(app, client_id, { more: { redirect_uri: uri } })
  t.notMatch(entered.page.body, /Not verified/)
  const exchanged = await entered.program.exchange(client_id, entered.code, entered.verifier, {
    redirect_uri: uri
  })
  const { access_token } = exchanged.json()
  const headers = { authorization: `Bearer ${access_token}` }
  t.equal((await app.inject({ url: '/todo/index', headers })).statusCode, 200)
  t.same(await run(place, ['client', 'remove', client_id]), done(`removed ${client_id}\n`))
  t.equal((await app.inject({ url: '/todo/index', headers })).statusCode, 401)
  t.same(
    await run(place, ['client', 'remove', client_id]),
    failed(`no program ${client_id} was registered by hand`)
  )
})
