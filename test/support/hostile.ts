import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { freshPlace } from './database.ts'
import { childrenOf, type Environment, startServer } from './server-process.ts'

interface Limits {
  /** File descriptors of each process (`ulimit -n`). */
  descriptors?: number
  env?: Environment
}

const script = new URL('../../server.ts', import.meta.url).pathname

/**
 * Starts server.ts with its own limits and its own place for data. `rest` is its memory before the test
 * does anything to it.
 */
export async function startLimited(t: Test, { descriptors = 4096, env }: Limits = {}) {
  const { child, exit, address, stdout } = await startServer(
    t,
    { SVC_ENV: 'test', ...(await freshPlace(t)), ...env },
    {
      file: '/bin/sh',
      args: [
        '-c',
        `ulimit -n ${descriptors} && exec "$0" "$@"`,
        process.execPath,
        '--max-old-space-size=512',
        script
      ]
    }
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const port = Number(new URL(address).port)
  const pid = child.pid as number

  /** Sends a request on a connection that was opened before the attack. */
  const inside = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      request({ port, path, agent, headers }, async (response) => {
        resolve({ status: response.statusCode ?? 0, body: await text(response) })
      })
        .on('error', reject)
        .end()
    })
  await inside('/health/index')

  return {
    child,
    /** Resolves with exit code and signal when the service ends. */
    exit,
    address,
    port,
    stdout,
    inside,
    rest: memory(pid),
    /** The current memory of the process and its workers, in MB. */
    memory: () => [pid, ...childrenOf(child)].reduce((sum, each) => sum + memory(each), 0),
    /** Open file descriptors of the process. */
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    /** What they are: files, and sockets without a name. */
    open: () => readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(`/proc/${pid}/fd/${fd}`)),
    isRunning: () => child.exitCode === null && child.signalCode === null
  }
}

/** Resident memory of a process, in MB. */
const memory = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Where a link leads; nothing if it is gone. */
function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path).replace(/:.*/, '')]
  } catch {
    return []
  }
}

/** Checks a condition again and again until it is true; fails after `seconds`. */
export async function until(
  what: string | (() => string),
  isSo: () => boolean | Promise<boolean>,
  seconds = 60
) {
  const end = Date.now() + seconds * 1000
  while (!(await isSo())) {
    if (Date.now() > end)
      throw new Error(`not within ${seconds} s: ${typeof what === 'string' ? what : what()}`)
    await wait(50)
  }
}

/** Opens connections that send these bytes and read nothing. They are closed after the test. */
export function openUnread(t: Test, port: number, count: number, bytes: string | Buffer = '') {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.pause()
    if (bytes.length > 0) socket.write(bytes)
    return socket
  })
  const close = () => {
    for (const socket of sockets) socket.destroy()
  }
  t.teardown(close)
  return { sockets, close }
}

/** Everything that comes back on a connection until the server ends it. */
export const readAll = (socket: Socket) =>
  new Promise<string>((resolve, reject) => {
    let all = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      all += chunk
    })
    socket.on('error', reject).on('close', () => resolve(all))
  })

/** The same request many times, as one text. */
export const pipelined = (path: string, count: number) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(count)
