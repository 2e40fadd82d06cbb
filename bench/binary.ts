/**
 * `npm run bench:binary`: the size of the executable, the time from its start to the first answer, and
 * its memory at rest, compared with `npm start`. Medians of alternating starts. Linux only (`/proc`).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildBinary } from '../binary/build.ts'
import { median } from './report.ts'
import { freePort } from './target.ts'

const rounds = 9
/** Milliseconds between the first answer and the reading of the memory. */
const rest = 3000
const mebibyte = 1024 ** 2

const root = resolve(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const executable = join(work, 'gatehouse')

const programs = {
  'npm start': [process.execPath, join(root, 'server.ts')],
  executable: [executable]
}

interface Sample {
  /** Milliseconds. */
  answer: number
  /** Resident MiB; `own` are those that no file backs. */
  resident: number
  own: number
}

async function firstAnswer(child: ChildProcess, port: number) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`)
    const response = await fetch(`http://127.0.0.1:${port}/health/index`).catch(() => undefined)
    if (response?.ok) return response.text()
    await wait(2)
  }
}

/** One start on an existing database. */
async function sample([file = '', ...args]: string[], folder: string): Promise<Sample> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(file, args, {
    env: { SVC_ENV: 'test', SVC_DATA_DIR: folder, SVC_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const exit = once(child, 'exit')
  try {
    await firstAnswer(child, port)
    const answer = performance.now() - started
    await wait(rest)
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const mebibytes = (name: string) =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
    return { answer, resident: mebibytes('VmRSS'), own: mebibytes('RssAnon') }
  } finally {
    child.kill('SIGTERM')
    await exit
  }
}

/** The size of what `npm start` needs. It includes Node.js, which is among the modules. */
function sourcesSize() {
  const files = globSync(['node_modules/**', '*.ts', '{db,lib,plugins,routes,schemas,views}/**'], {
    cwd: root,
    withFileTypes: true
  }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

try {
  await buildBinary(executable)
  const samples = { 'npm start': [] as Sample[], executable: [] as Sample[] }
  for (let round = -1; round < rounds; round++) {
    for (const [name, command] of Object.entries(programs)) {
      const measured = await sample(command, join(work, name))
      // The first start is not counted: it makes the database and unpacks.
      if (round >= 0) samples[name as keyof typeof samples].push(measured)
    }
  }

  console.log(`Node.js ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model}`)
  const line = (what: string, ofSources: number, ofExecutable: number, unit: string) =>
    console.log(
      [
        what.padEnd(34),
        `${ofSources.toFixed(0)} ${unit}`.padStart(10),
        `${ofExecutable.toFixed(0)} ${unit}`.padStart(10),
        (ofExecutable / ofSources).toFixed(2).padStart(8)
      ].join('')
    )
  console.log(['', 'npm start', 'executable', 'ratio'].join('  ').padStart(62))
  const size = [sourcesSize(), statSync(executable).size].map((bytes) => bytes / mebibyte)
  line('size (npm start: node_modules)', size[0] ?? 0, size[1] ?? 0, 'MiB')
  const of = (name: keyof typeof samples, key: keyof Sample) =>
    median(samples[name].map((measured) => measured[key]))
  line('start to first answer', of('npm start', 'answer'), of('executable', 'answer'), 'ms')
  line('memory at rest, resident', of('npm start', 'resident'), of('executable', 'resident'), 'MiB')
  line('  of it not backed by a file', of('npm start', 'own'), of('executable', 'own'), 'MiB')
} finally {
  rmSync(work, { recursive: true })
}
