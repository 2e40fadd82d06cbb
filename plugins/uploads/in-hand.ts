import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** What another process left is taken for abandoned when it was not written to for so long. */
const abandonedMs = 2 * 60 * 60_000

/** Who works on a file stands in its name, so that no process sweeps away what another receives. */
const owner = `${hostname()}.${process.pid}`
export const newName = () => `${owner}.${randomUUID()}`

/** Files that this process works on and that have no row yet. */
export const inHand = new Set<string>()

function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a process may still be working on a file that has no row. */
export async function isInWork(folder: string, file: string) {
  const [, host, pid] = /^(.+)\.(\d+)\.[0-9a-f-]{36}$/.exec(file) ?? []
  if (pid === undefined) return false
  if (host === hostname()) {
    if (Number(pid) === process.pid) return inHand.has(file)
    if (!isRunning(Number(pid))) return false
  }
  const { mtimeMs } = await stat(join(folder, file))
  return mtimeMs > Date.now() - abandonedMs
}
