import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A new folder, which is removed when this process ends. */
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  folders.push(folder)
  return folder
}

/** A free port of this machine. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Resident memory of a process in MiB, now or at its peak. Linux only; 0 if it cannot be read. */
export function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM' = 'VmRSS') {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
  } catch {
    return 0
  }
}

/** Whether a server on this port answers, whatever it says. */
export async function answers(port: number) {
  try {
    await (await fetch(`http://127.0.0.1:${port}/health/index`)).arrayBuffer()
    return true
  } catch {
    return false
  }
}

const running: (() => Promise<unknown>)[] = []

/** Ends all servers that were started. */
export const stopAll = () => Promise.all(running.splice(0).map((stop) => stop()))

export type Target = Awaited<ReturnType<typeof start>>

/** Runs a script of the project, or of a URL, so that it can be asked for its CPU time. */
export const node = (script: string, ...args: (string | number)[]) =>
  [process.execPath, '--import', './tools/bench/report-cpu.ts', script, ...args].map(String)

/** Starts a server in its own process, and resolves when it answers. It ends with this process. */
export async function start(command: string[], port: number, env: Record<string, string> = {}) {
  const [file = '', ...args] = command
  const log = openSync(join(newFolder(), 'log'), 'a')
  const begun = performance.now()
  const child = spawn(file, args, {
    cwd: new URL('../../', import.meta.url),
    env,
    stdio: ['ignore', log, 'inherit', 'ipc']
  })
  closeSync(log)
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > begun + 60_000) {
      child.kill()
      throw new Error(`${command.join(' ')} did not start`)
    }
    await wait(2)
  }
  running.push(async () => {
    const exited = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGTERM')) await exited
  })
  return {
    port,
    pid: child.pid,
    base: `http://127.0.0.1:${port}`,
    /** CPU time so far in microseconds: all threads, user and system. */
    async cpu() {
      const answer = once(child, 'message')
      child.send('cpu')
      const [{ user, system }] = (await answer) as [NodeJS.CpuUsage]
      return user + system
    }
  }
}
