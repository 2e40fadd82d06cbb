import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { onPostgres } from './database.ts'
import { temporaryFolder } from './folder.ts'
import { closedPort } from './mail-server.ts'

const program = '/usr/sbin/pgbouncer'

export const onPgBouncer =
  spawnSync(program, ['--version']).status === 0
    ? onPostgres
    : { skip: 'needs pgbouncer, which is not installed' }

/** It does not run as root. */
function ordinaryUser() {
  if (process.getuid?.() !== 0) return null
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/**
 * Starts PgBouncer before a database, which is the only one that it knows; it refuses every parameter of a start. Returns
 * the URL through it. It ends after the test.
 */
export async function startPgBouncer(t: Test, mode: 'session' | 'transaction', url: string) {
  const { hostname, port, username, pathname } = new URL(url)
  const own = await closedPort()
  const folder = temporaryFolder(t)
  const file = join(folder, 'pgbouncer.ini')
  const name = pathname.slice(1)
  writeFileSync(
    file,
    `[databases]
${name} = host=${hostname} port=${port || 5432} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
auth_type = any
pool_mode = ${mode}
default_pool_size = 12
unix_socket_dir =
`
  )
  const user = ordinaryUser()
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid)
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...user })
  const exit = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exit
  })
  await new Promise<void>((up, fail) => {
    child.once('exit', () => fail(new Error('PgBouncer did not start')))
    child.stderr.on('data', (lines) => String(lines).includes('process up') && up())
  })
  return `postgres://${username}@127.0.0.1:${own}/${name}`
}
