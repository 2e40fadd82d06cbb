import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { temporaryFolder } from './folder.ts'

export type Environment = Record<string, string>
type Child = ChildProcessByStdio<null, Readable, Readable>

/** Processes that a test starts load compiled code from the cache of the run (`npm test`). */
export const compileCache: Environment = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: resolve(process.env.NODE_COMPILE_CACHE) }
  : {}

/** The program to start, and its folder. */
export interface Program {
  file: string
  args: string[]
  cwd?: string
}

export const server: Program = {
  file: process.execPath,
  args: [new URL('../../server.ts', import.meta.url).pathname]
}

/** A server with exactly this environment. It is killed after the test. */
export function spawnServer(
  t: Test,
  env: Environment,
  { file, args, cwd }: Program = server
): Child {
  const child = spawn(file, args, {
    // In a folder without `.env`.
    cwd: cwd ?? temporaryFolder(t),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...compileCache, SVC_PORT: '0', SVC_BCRYPT_COST: '4', ...env }
  })
  const exit = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return child
}

/** Ids of the processes that a process has started and that are alive. */
export const childrenOf = ({ pid }: Pick<Child, 'pid'>) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Runs server.ts, or another program, until it ends by itself. */
export async function runServer(t: Test, env: Environment, program?: Program) {
  const child = spawnServer(t, env, program)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close')
  ])
  return { code: child.exitCode, stdout, stderr }
}

/**
 * Starts server.ts, or another program, and waits until it prints its address. `stdout` returns its
 * output so far.
 */
export async function startServer(t: Test, env: Environment, program?: Program) {
  const child = spawnServer(t, env, program)
  const exit: Promise<[number | null, string | null]> = once(child, 'exit') as never
  const stderr = text(child.stderr)
  let stdout = ''
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
      const [, found] = /(?:Gatehouse is at |"msg":"listening on )([^\s"]+)/.exec(stdout) ?? []
      if (found) resolve(found)
    })
    exit.then(async () => reject(new Error(`ended: ${await stderr}`)), reject)
  })
  return { child, exit, address, stdout: () => stdout, stderr }
}

/** A signed-in caller over HTTP. */
export async function signInOver(address: string, user_id = 'demo') {
  const response = await fetch(`${address}/session/login`, {
    method: 'POST',
    body: JSON.stringify({ user_id, user_pass: user_id })
  })
  const { Data } = (await response.json()) as { Data: { csrfToken: string } }
  const [cookie = ''] = response.headers.getSetCookie().at(-1)?.split(';') ?? []
  return caller(address, { cookie, 'x-csrf-token': Data.csrfToken })
}

/** Sends requests with these `headers`. `at` is the same caller at another address; `upload` sends a file. */
function caller(address: string, headers: Record<string, string>) {
  const send = async (
    method: string,
    path: string,
    body?: object,
    more: Record<string, string> = {}
  ) => {
    const answer = await fetch(address + path, {
      method,
      headers: { ...headers, ...more },
      ...(body && { body: JSON.stringify(body) })
    })
    return { statusCode: answer.status, ...((await answer.json()) as { Data: never }) }
  }
  return Object.assign(send, {
    headers,
    at: (other: string) => caller(other, headers),
    async upload(content: string, name: string) {
      const body = new FormData()
      body.set('file', new Blob([content]), name)
      const url = `${address}/attachment/index`
      const answer = await fetch(url, { method: 'POST', headers, body })
      return ((await answer.json()) as { Data: { attachment: { id: number } } }).Data.attachment
    }
  })
}
