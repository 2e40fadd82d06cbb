import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '../../db/sqlite/file.ts'
import { asEach, type Case, create, list, read } from './measure.ts'
import { furnishedPlace, reader, signIn, startService, writer } from './place.ts'
import { freePort, node, start, type Target } from './target.ts'

const peers = { Hono: 'hono', NestJS: 'nest', 'Fastify stack': 'fastify', Express: 'express' }
const cases = [
  { name: 'list of 10', request: list, callers: 32, user: reader },
  { name: 'read one', request: read, callers: 32, user: reader },
  { name: 'create, 1 caller', request: create, callers: 1, user: writer, least: 1.05 },
  { name: 'create, 64 callers', request: create, callers: 64, user: writer }
]

/** A folder with the peers and what they need, in the versions of peers/package.json. It is kept for the next time. */
function install() {
  const source = join(import.meta.dirname, 'peers')
  const versions = hash('sha256', readFileSync(join(source, 'package.json')))
  const folder = join(tmpdir(), `gatehouse-peers-${versions.slice(0, 12)}`)
  cpSync(source, folder, { recursive: true })
  const done = join(folder, 'installed')
  if (existsSync(done)) return folder
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false']
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' })
  writeFileSync(done, '')
  return folder
}

/**
 * The service, Hono, NestJS, the usual Fastify stack and Express, each with sessions, CSRF tokens, security headers
 * and validation, on the same SQLite table. None counts requests: the limiters keep their counts in unlike ways, and
 * one flood from one address, which no limit would let through, shows those alone (@nestjs/throttler keeps a timer
 * for each request of the last minute).
 */
export async function peerCases() {
  const folder = install()
  const targets: Record<string, Target> = {
    'the service': await startService(await furnishedPlace(), { SVC_RATE_MAX: '0' })
  }
  for (const [name, script] of Object.entries(peers)) {
    const file = databaseFile((await furnishedPlace()).SVC_DATA_DIR)
    const port = await freePort()
    const command = node(join(folder, `${script}.mjs`), file, port)
    targets[name] = await start(command, port, { NODE_ENV: 'production' })
  }
  const all: Case[] = []
  for (const { name, request, callers, user, least } of cases) {
    const contenders: Case['contenders'] = {}
    for (const [name, target] of Object.entries(targets)) {
      const headers = await signIn(target.port, user.user_id)
      contenders[name] = { target, requests: asEach(request, [headers]) }
    }
    all.push({ name, callers, contenders, ...(least && { goal: { to: 'Hono', least } }) })
  }
  return all
}
