import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Report } from './report.ts'

/** How long a start may take, and an end after SIGTERM; with a margin for a busy machine. */
const startMs = 60_000
const endMs = 20_000
const sampleEveryMs = 1000

/** One process, from start to end. */
export interface Life {
  /** The time until it first answered, in milliseconds. */
  startMs: number
  /** The resident memory of all its processes, in MiB, by the seconds since it first answered. */
  samples: { age: number; rss: number }[]
}

interface Options {
  port: number
  /** The whole environment of the service. */
  env: Record<string, string>
  report: Report
  /** How long the database may go on working after a lost answer. */
  settleMs: number
}

/** The service as child processes, which are started, killed and started again on one port. */
export class Service {
  readonly port: number
  readonly settleMs: number
  readonly lives: Life[] = []
  /** True from a SIGTERM until the service is up again. */
  isGoingDown = false
  readonly #env: Record<string, string>
  readonly #report: Report
  #child: ChildProcess | undefined
  #up = Promise.withResolvers<void>()
  #isUp = false
  #isEndMeant = false

  constructor({ port, env, report, settleMs }: Options) {
    this.port = port
    this.settleMs = settleMs
    this.#env = { ...env, SVC_PORT: String(port) }
    this.#report = report
    process.prependOnceListener('exit', () => this.#child?.kill('SIGKILL'))
  }

  /** Resolves while the service answers; callers wait here while it is down. */
  up() {
    return this.#up.promise
  }

  /** Starts the service and resolves when it answers. `end` must end each process that was started. */
  async start() {
    const begun = performance.now()
    const child = this.#spawn()
    while (!(await this.#answers())) {
      const isOver = child.exitCode !== null || child.signalCode !== null
      if (isOver || performance.now() > begun + startMs) {
        await this.end('SIGKILL')
        throw new Error(`the service did not come up (exit code ${child.exitCode})`)
      }
      await wait(25)
    }
    const life: Life = { startMs: performance.now() - begun, samples: [] }
    this.lives.push(life)
    this.#sample(child, life)
    this.isGoingDown = false
    this.#isUp = true
    this.#up.resolve()
    return life
  }

  /** Starts the service, and kills it before it is up. */
  async startInVain(afterMs: number) {
    this.#spawn()
    await wait(afterMs)
    await this.end('SIGKILL')
  }

  /** Ends the service and resolves when it is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM') {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    this.#isEndMeant = true
    if (signal === 'SIGTERM') this.isGoingDown = true
    const exit = once(child, 'exit')
    child.kill(signal)
    const timer = setTimeout(() => {
      this.#report.problem(`the service had not ended ${endMs / 1000} s after ${signal}`)
      child.kill('SIGKILL')
    }, endMs)
    await exit
    clearTimeout(timer)
    if (signal === 'SIGTERM' && child.exitCode !== 0) {
      this.#report.problem(`the service ended with code ${child.exitCode} after SIGTERM`)
    }
  }

  /** Kills one worker process, which the service replaces. `choose` picks among the ids. */
  killWorker(choose: (pids: number[]) => number | undefined) {
    const pid = choose(childrenOf(this.#child?.pid))
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  }

  #spawn() {
    const child = spawn(process.execPath, ['server.ts'], {
      cwd: new URL('../', import.meta.url),
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    this.#child = child
    this.#isEndMeant = false
    this.#watchLog(child.stdout)
    createInterface(child.stderr).on('line', (line) => {
      // Of a worker that was about to start when its primary process was killed: Node.js itself writes
      // a stack trace before any code of ours runs.
      if (child.signalCode === 'SIGKILL' && Number(this.#env.SVC_WORKERS) > 1) return
      // A worker that `killWorker` has killed: expected.
      if (!/worker \d+ ended \(SIGKILL\)/.test(line)) this.#report.problem(`stderr: ${line}`)
    })
    child.once('exit', (code, signal) => {
      // Waiting callers already have this promise, so it must stay the same.
      if (this.#isUp) this.#up = Promise.withResolvers()
      this.#isUp = false
      if (!this.#isEndMeant) this.#report.problem(`the service ended unasked: ${signal ?? code}`)
    })
    return child
  }

  #watchLog(stdout: Readable) {
    createInterface(stdout).on('line', (line) => {
      let entry: { level: number; msg?: string; err?: { message: string; stack?: string } }
      try {
        entry = JSON.parse(line)
      } catch {
        // A kill can cut off the last line.
        if (!line.startsWith('{')) this.#report.problem(`not a line of a log: ${line}`)
        return
      }
      // A refusal under load: the client that got it decides whether it is a problem.
      if (entry.level < 50 || entry.msg === 'SERVICE-OVERLOADED') return
      this.#report.problem(`log: ${entry.msg}: ${entry.err?.stack ?? line}`)
    })
  }

  async #answers() {
    try {
      const url = `http://127.0.0.1:${this.port}/health/index`
      const signal = AbortSignal.timeout(5000)
      const answer = await fetch(url, { headers: { connection: 'close' }, signal })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      return false
    }
  }

  #sample(child: ChildProcess, { samples }: Life) {
    const begun = performance.now()
    const timer = setInterval(() => {
      const { pid } = child
      const pids = pid === undefined ? [] : [pid, ...childrenOf(pid)]
      const rss = pids.map(residentMiB).reduce((a, b) => a + b, 0)
      if (rss > 0) samples.push({ age: Math.round((performance.now() - begun) / 1000), rss })
    }, sampleEveryMs)
    child.once('exit', () => clearInterval(timer))
  }
}

/** Text of a file of Linux' /proc; empty elsewhere, and if the process is gone. */
function proc(path: string) {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}

const childrenOf = (pid = 0) =>
  proc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

const residentMiB = (pid: number) =>
  Number(/VmRSS:\s*(\d+) kB/.exec(proc(`${pid}/status`))?.[1] ?? 0) / 1024
