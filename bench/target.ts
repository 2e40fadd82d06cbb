import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface TargetOptions {
  /** A file of the project, or the URL of another. */
  script: string
  args?: string[]
  port: number
  env?: Record<string, string>
  /** The file for standard output, which has the log. */
  logFile: string
  /** Options of node, such as those of its profiler. */
  nodeOptions?: string[]
}

const root = new URL('../', import.meta.url)

/** A free port of this machine. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function answers(port: number) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** A measured server in its own process. */
export class Target {
  readonly port: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  /** Starts a server and resolves when it listens. */
  static async start({
    script,
    args = [],
    port,
    env = {},
    logFile,
    nodeOptions = []
  }: TargetOptions) {
    const log = openSync(logFile, 'a')
    const child = fork(new URL(script, root), args, {
      cwd: root,
      env,
      execArgv: [...nodeOptions, '--import', './bench/report-cpu.ts'],
      stdio: ['ignore', log, 'inherit', 'ipc']
    })
    closeSync(log)
    for (let tries = 0; !(await answers(port)); tries++) {
      if (child.exitCode !== null || tries === 300) {
        child.kill()
        throw new Error(`${script} did not start`)
      }
      await sleep(100)
    }
    return new Target(child, port)
  }

  get pid() {
    if (this.#child.pid === undefined) throw new Error('the server did not start')
    return this.#child.pid
  }

  /** CPU time that the process has used, in microseconds: all threads, user and system. */
  async cpu(): Promise<number> {
    const answer = once(this.#child, 'message')
    this.#child.send('cpu')
    const [{ user, system }] = (await answer) as [NodeJS.CpuUsage]
    return user + system
  }

  async stop() {
    if (this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exited
  }
}
