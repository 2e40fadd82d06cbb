import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { closedPort } from './mail-server.ts'

/** For a test that starts and stops its own Redis. */
export const onOwnRedis =
  spawnSync('redis-server', ['--version']).status === 0
    ? {}
    : { skip: 'needs redis-server, which is not installed' }

/** A Redis for one test, which it can stop and start. It ends after the test. */
export async function startRedis(t: Test) {
  const port = await closedPort()
  let stop = async () => {}
  const start = async () => {
    const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const exit = once(child, 'exit')
    stop = async () => {
      child.kill('SIGKILL')
      await exit
    }
    for await (const line of child.stdout) {
      if (String(line).includes('Ready to accept connections')) break
    }
  }
  await start()
  t.teardown(() => stop())
  return { url: `redis://127.0.0.1:${port}`, start, stop: () => stop() }
}
