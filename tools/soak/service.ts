import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { answers, memoryOf } from '../bench/target.ts'
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

export type Service = ReturnType<typeof makeService>

/** The service as child processes, which are started, killed and started again on one port. `env` is all of its environment. */
export function makeService(port: number, env: Record<string, string>, report: Report) {
  const lives: Life[] = []
  let child: ChildProcess | undefined
  let up = Promise.withResolvers<void>()
  let isUp = false
  let isGoingDown = false
  let isEndMeant = false
  process.prependOnceListener('exit', () => child?.kill('SIGKILL'))

  function spawnIt() {
    const begun = spawn(process.execPath, ['server.ts'], {
      cwd: new URL('../../', import.meta.url),
      env: { ...env, SVC_PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    child = begun
    isEndMeant = false
    createInterface(begun.stdout).on('line', (line) => {
      const entry = parsed(line)
      // A kill can cut off the last line.
      if (!entry && !line.startsWith('{')) report.problem(`not a line of a log: ${line}`)
      // A refusal under load: the client that got it decides whether it is a problem.
      if (!entry || entry.level < 50 || entry.msg === 'SERVICE-OVERLOADED') return
      report.problem(`log: ${entry.msg}: ${entry.err?.stack ?? line}`)
    })
    createInterface(begun.stderr).on('line', (line) => {
      // Of a worker that was about to start when its primary process was killed: Node.js itself writes
      // a stack trace before any code of ours runs.
      if (begun.signalCode === 'SIGKILL' && Number(env.SVC_WORKERS) > 1) return
      // A worker that `killWorker` has killed: expected.
      if (!/worker \d+ ended \(SIGKILL\)/.test(line)) report.problem(`stderr: ${line}`)
    })
    begun.once('exit', (code, signal) => {
      // Waiting callers already have this promise, so it must stay the same.
      if (isUp) up = Promise.withResolvers()
      isUp = false
      if (!isEndMeant) report.problem(`the service ended unasked: ${signal ?? code}`)
    })
    return begun
  }

  /** Ends the service and resolves when it is gone. */
  async function end(signal: 'SIGKILL' | 'SIGTERM') {
    const ending = child
    if (!ending || hasEnded(ending)) return
    isEndMeant = true
    if (signal === 'SIGTERM') isGoingDown = true
    const exit = once(ending, 'exit')
    ending.kill(signal)
    const timer = setTimeout(() => {
      report.problem(`the service had not ended ${endMs / 1000} s after ${signal}`)
      ending.kill('SIGKILL')
    }, endMs)
    await exit
    clearTimeout(timer)
    if (signal === 'SIGTERM' && ending.exitCode !== 0) {
      report.problem(`the service ended with code ${ending.exitCode} after SIGTERM`)
    }
  }

  return {
    base: `http://127.0.0.1:${port}`,
    lives,
    end,
    /** Resolves while the service answers; callers wait here while it is down. */
    up: () => up.promise,
    /** True from a SIGTERM until the service is up again. */
    isGoingDown: () => isGoingDown,
    /** Starts the service and resolves when it answers. `end` must end each process that was started. */
    async start() {
      const begun = performance.now()
      const started = spawnIt()
      while (!(await answers(port))) {
        if (hasEnded(started) || performance.now() > begun + startMs) {
          await end('SIGKILL')
          throw new Error(`the service did not come up (exit code ${started.exitCode})`)
        }
        await wait(25)
      }
      const upAt = performance.now()
      const life: Life = { startMs: upAt - begun, samples: [] }
      lives.push(life)
      const timer = setInterval(() => {
        const pids = [started.pid, ...childrenOf(started.pid)]
        const rss = pids.reduce<number>((sum, pid) => sum + memoryOf(pid), 0)
        if (rss > 0) life.samples.push({ age: (performance.now() - upAt) / 1000, rss })
      }, sampleEveryMs)
      started.once('exit', () => clearInterval(timer))
      isGoingDown = false
      isUp = true
      up.resolve()
      return life
    },
    /** Starts the service, and kills it before it is up. */
    async startInVain(afterMs: number) {
      spawnIt()
      await wait(afterMs)
      await end('SIGKILL')
    },
    /** Kills one worker process, which the service replaces. `choose` picks among the ids. */
    killWorker(choose: (pids: number[]) => number | undefined) {
      const pid = choose(childrenOf(child?.pid))
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

function parsed(line: string): { level: number; msg?: string; err?: { stack?: string } } | null {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Ids of the processes that a process has started. Linux only; empty elsewhere, and if it is gone. */
function childrenOf(pid: number | undefined) {
  try {
    const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return ids.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
