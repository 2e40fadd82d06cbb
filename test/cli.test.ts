import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import bcrypt from 'bcrypt'
import t from 'tap'
import { openDatabase } from '../db/open.ts'
import { loadConfig } from '../fastify.config.ts'
import { freshPlace, type Place } from './database.ts'
import { signIn, startService } from './helper.ts'

const cli = new URL('../cli.ts', import.meta.url).pathname

/** Runs the command line as a shell would; `input` is its standard input. */
async function run(place: Place, args: string[], input = '') {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { SVC_ENV: 'test', SVC_BCRYPT_COST: '4', ...place }
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
    await run(place, ['user', 'add', 'bea', ...options], '12345678'),
    done('added admin bea\n')
  )
  t.match(await stored(place, 'bea', '12345678'), {
    user_name: 'Bea B.',
    e_mail: 'bea@example.com',
    role: 'admin',
    isVerified: true
  })
})

t.test('user list prints plain columns', async (t) => {
  const place = await freshPlace(t)
  t.same(await run(place, ['user', 'list']), done('ID  LOGIN  ROLE  CREATED  ADDRESS  NAME\n'))
  await run(place, ['user', 'add', 'ann@example.com', '--role', 'admin'], 'password of ann')
  await run(place, ['user', 'add', 'bob', '--name', 'Bob B.'], 'password of bob')
  const { stdout } = await run(place, ['user', 'list'])
  const time = '2000-01-01T00:00:00.000Z'
  t.equal(
    stdout.replace(/\d{4}-\S+Z/g, time),
    `ID  LOGIN            ROLE   CREATED                   ADDRESS          NAME
1   ann@example.com  admin  ${time}  ann@example.com  ann@example.com
2   bob              user   ${time}  bob@localhost    Bob B.
`
  )
})

t.test('beside a running service', async (t) => {
  const { app, place } = await startService(t)
  const browser = await signIn(app)
  const other = await signIn(app, 'admin')

  t.same(
    await run(place, ['user', 'password', 'demo'], 'a new password\n'),
    done('changed the password of demo\n')
  )
  t.equal((await browser.send('GET', '/todo/index')).statusCode, 401, 'ends sessions of the user')
  t.equal((await other.send('GET', '/todo/index')).statusCode, 200, 'and of nobody else')
  const login = (user_pass: string) =>
    app.inject({ method: 'POST', url: '/session/login', payload: { user_id: 'demo', user_pass } })
  t.equal((await login('demo')).statusCode, 401, 'the old password is out')
  t.equal((await login('a new password')).statusCode, 200, 'the new one is in')

  t.same(await run(place, ['user', 'role', 'demo', 'admin']), done('demo is now admin\n'))
  t.match(await stored(place, 'demo', 'a new password'), { role: 'admin' })

  for (let guess = 0; guess < 5; guess++) await login('wrong')
  t.equal((await login('a new password')).statusCode, 423)
  t.same(await run(place, ['user', 'unlock', 'demo']), done('unlocked demo\n'))
  t.equal((await login('a new password')).statusCode, 200)
  t.same(await run(place, ['user', 'unlock', 'demo']), done('demo was not locked\n'))
})

t.test('passwords that would not do are refused, and nothing is stored', async (t) => {
  const place = await freshPlace(t)
  const refused: [string, string][] = [
    ['', 'no password was given'],
    ['\n', 'the password must have at least 8 characters'],
    ['7 chars\n', 'the password must have at least 8 characters'],
    ['é'.repeat(37), 'the password must have at most 72 bytes']
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
  t.same(await run(place, ['user', 'add', 'ann'], 'password'), failed('user ann exists already'))
  t.same(
    await run(place, ['user', 'add', 'bob', '--email', 'ANN@localhost'], 'password of bob'),
    failed('another user has the address ANN@localhost')
  )
  t.same(await run(place, ['user', 'password', 'bob'], 'password'), failed('there is no user bob'))
  t.same(await run(place, ['user', 'role', 'bob', 'user']), failed('there is no user bob'))
  t.same(await run(place, ['user', 'unlock', 'bob']), failed('there is no user bob'))

  const file = join(place.SVC_DATA_DIR, 'file')
  writeFileSync(file, 'not a folder')
  const { code, stderr } = await run({ ...place, SVC_DATA_DIR: file }, ['user', 'list'])
  t.equal(code, 1)
  t.match(stderr, /^gatehouse: cannot use the database .*\n$/)
})

t.test('a command line that makes no sense is exit code 2', async (t) => {
  const place = await freshPlace(t)
  const misuses: [string[], string][] = [
    [[], 'a command is missing'],
    [['user'], 'a command is missing'],
    [['todo'], 'unknown command todo'],
    [['user', 'remove'], 'unknown command user remove'],
    [['user', 'toString'], 'unknown command user toString'],
    [['user', 'add'], 'user add needs LOGIN'],
    [['user', 'role', 'ann'], 'user role needs ROLE'],
    [['user', 'role', 'ann', 'root'], 'ROLE is one of user, admin'],
    [['user', 'add', 'ann', '--role', 'root'], 'ROLE is one of user, admin'],
    [['user', 'add', 'ann', '--role'], "Option '--role <value>' argument missing"],
    [['user', 'add', 'ann', '--password=x'], "Unknown option '--password'"],
    [['user', 'list', '--name', 'x'], 'user list takes no option --name'],
    [['user', 'password', 'ann', 'my new password'], 'too many arguments'],
    [['user', 'add', ''], 'LOGIN is not valid'],
    [['user', 'add', 'ann lee'], 'LOGIN is not valid'],
    [['user', 'add', 'a'.repeat(256)], 'LOGIN is not valid'],
    [['user', 'add', 'ann', '--name', ' '], 'NAME is not valid'],
    [['user', 'add', 'ann', '--name', 'red \u001b[31m'], 'NAME is not valid'],
    [['user', 'add', 'ann', '--email', 'nowhere'], 'ADDRESS is not valid'],
    [['user', 'add', 'ann', '--email', 'eve@x.example,ann@x.example'], 'ADDRESS is not valid'],
    [['user', 'add', 'ann', '--email', 'eve,ann@x.example'], 'ADDRESS is not valid'],
    [['user', 'add', 'eve,ann'], 'ADDRESS is not valid']
  ]
  const results = await Promise.all(misuses.map(([args]) => run(place, args)))
  t.same(
    results,
    misuses.map(([, message]) => misused(message))
  )
})

t.test('--help at every level', async (t) => {
  const place = await freshPlace(t)
  const commands = ['add', 'list', 'password', 'role', 'unlock']
  for (const args of [
    ['--help'],
    ['user', '--help'],
    ...commands.map((c) => ['user', c, '--help'])
  ]) {
    const { code, stdout, stderr } = await run(place, args)
    t.same({ code, stderr }, { code: 0, stderr: '' }, args.join(' '))
    const named = commands.filter((command) => stdout.includes(`  user ${command}`))
    t.same(named, args.length === 3 ? [args[1]] : commands)
  }
})
