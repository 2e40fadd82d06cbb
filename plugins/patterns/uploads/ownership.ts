import { hash, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** How often a process touches the files that it works on, in milliseconds. */
export const renewMs = 60_000
/** A file without a row counts as abandoned if nobody has touched it for this long. */
const leaseMs = 10 * renewMs

/** State and start time of a process (proc(5), stat); undefined if there is none. */
function processOf(pid: number | 'self') {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The fields follow the name of the program, which is in brackets and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', start: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

/**
 * Identifies the place in which process ids have a meaning: one boot of one machine, and one container
 * on it. A host name would not do, because it can change, and two machines can have the same.
 */
function findPlace() {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    return hash('sha256', boot + readlinkSync('/proc/self/ns/pid')).slice(0, 16)
  } catch {
    // Not Linux: a random id. Other processes can then judge only by the lease.
    return randomUUID().replaceAll('-', '').slice(0, 16)
  }
}

const place = findPlace()
/** With the start time, because another process can get the same id later. */
const self = `${place}.${process.pid}.${processOf('self')?.start ?? 0}`

/** A new file name. It says which process works on the file, so that no other process removes it. */
export const newName = () => `${self}.${randomUUID()}`

/** The files that this process works on, and that have no row yet. */
export const owned = new Set<string>()

/** Renews the lease of the files in these folders that this process works on. */
export async function renewLeases(folders: string[]) {
  const now = new Date()
  for (const file of owned) {
    // It is in one of them, if it still exists.
    for (const folder of folders) await utimes(join(folder, file), now, now).catch(() => {})
  }
}

/** Whether a process with this id and start time is running. */
function isRunning(pid: number, start: string) {
  const found = processOf(pid)
  // A zombie process has ended; only its parent has not noticed yet.
  return found?.start === start && !['Z', 'X'].includes(found.state)
}

/** Whether a process may still be working on a file that has no row. */
export async function isInWork(folder: string, file: string) {
  const [, of, pid, start = ''] = /^([0-9a-f]{16})\.(\d+)\.(\d+)\.[0-9a-f-]{36}$/.exec(file) ?? []
  if (of === undefined) return false
  if (file.startsWith(`${self}.`)) return owned.has(file)
  if (of === place && !isRunning(Number(pid), start)) return false
  const found = await stat(join(folder, file)).catch(() => undefined)
  return found !== undefined && found.mtimeMs > Date.now() - leaseMs
}
