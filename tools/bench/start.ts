import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { judge, median, printTable } from './report.ts'
import { answers, freePort, newFolder } from './target.ts'

const root = new URL('../../', import.meta.url).pathname
const executable = `${root}dist/gatehouse`
/** How long a process is left alone before its memory is read, and then watched. */
const settleMs = 3000
/** The clock of /proc/PID/stat, in milliseconds. */
const clockMs = 10

const ofProcess = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
const numberIn = (text: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1])

/** CPU time of a process so far in milliseconds: all threads, user and system. */
function cpuOf(pid: number) {
  const fields = ofProcess(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * clockMs
}

/** How often the threads of a process have waited for something and been woken, and nanoseconds of CPU. */
function activityOf(pid: number) {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => `task/${id}`)
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return {
    wakes: sum(
      threads.map((of) => numberIn(ofProcess(pid, `${of}/status`), 'voluntary_ctxt_switches'))
    ),
    nanoseconds: sum(threads.map((of) => Number(ofProcess(pid, `${of}/schedstat`).split(' ')[0])))
  }
}

interface Program {
  file: string
  args: string[]
  env: NodeJS.ProcessEnv
}

/** Starts a program, and ends it when it was measured at rest for so long. */
async function measure({ file, args, env }: Program, restMs: number) {
  const port = await freePort()
  const given = args.map((word) => word.replace('PORT', String(port)))
  const child = spawn(file, given, {
    cwd: root,
    env: { ...env, SVC_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const { pid = 0 } = child
  const exit = once(child, 'exit')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${file} did not start`)
    await wait(10)
  }
  const cpu = cpuOf(pid)
  await wait(settleMs)
  const memory = ofProcess(pid, 'smaps_rollup')
  const before = activityOf(pid)
  const from = performance.now()
  await wait(restMs)
  const seconds = (performance.now() - from) / 1000
  const after = activityOf(pid)
  child.kill('SIGTERM')
  await exit
  return {
    cpu,
    resident: numberIn(memory, 'Rss') / 1024,
    own: numberIn(memory, 'Anonymous') / 1024,
    wakes: (after.wakes - before.wakes) / seconds,
    share: (after.nanoseconds - before.nanoseconds) / 1e7 / seconds
  }
}
type Measured = Awaited<ReturnType<typeof measure>>

/**
 * What the service takes to start and at rest, with an existing SQLite database, beside Fastify with one route: from its
 * files, and as the executable if that has been built. In turn, because a busy machine is slower for all.
 */
export async function measureStart(rounds: number, restMs: number) {
  const env = {}
  const ours = {
    SVC_ENV: 'production',
    SVC_BASE_URL: 'http://127.0.0.1:3000',
    SVC_URL_SECRET: 'a secret of the bench, 32 bytes or more',
    SVC_DATA_DIR: newFolder(),
    // As `npm start`.
    NODE_COMPILE_CACHE: 'node_modules/.cache/compile'
  }
  const node = process.execPath
  const programs: Record<string, Program & { goals?: { cpu: number } }> = {
    'Fastify, one route': { file: node, args: ['tools/bench/one-route.mjs', 'PORT'], env },
    '`npm start`': { file: node, args: ['server.ts'], env: ours, goals: { cpu: 5.5 } },
    ...(existsSync(executable) && {
      'the executable': { file: executable, args: [], env: ours, goals: { cpu: 3 } }
    })
  }
  // Of a file that has just been written, the kernel keeps and maps larger pieces than it would read.
  if (existsSync(executable)) {
    execFileSync('sync', [executable])
    execFileSync('dd', [`if=${executable}`, 'iflag=nocache', 'count=0', 'status=none'])
  }
  // Makes the database, and fills the cache of compiled code.
  for (const program of Object.values(programs).slice(1)) await measure(program, 0)
  const found = new Map<string, Measured[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, program] of Object.entries(programs)) {
      found.set(name, [...(found.get(name) ?? []), await measure(program, restMs)])
    }
  }
  const figure = (name: string, what: keyof Measured) =>
    median((found.get(name) ?? []).map((one) => one[what]))
  const [bare = ''] = Object.keys(programs)
  const rows = Object.entries(programs).map(([name, { goals }]) => {
    const to = (what: keyof Measured) => figure(name, what) / figure(bare, what)
    return [
      name,
      {
        'CPU to the first answer, ms': Math.round(figure(name, 'cpu')),
        'resident, MiB': Math.round(figure(name, 'resident')),
        'of it not of a file, MiB': Math.round(figure(name, 'own')),
        'wakes a second': figure(name, 'wakes').toFixed(1),
        'of a core, %': figure(name, 'share').toFixed(2),
        ...(goals && {
          'CPU to Fastify (goal)': `${to('cpu').toFixed(1)}: ${judge(to('cpu'), goals.cpu, true)}`,
          'resident to Fastify (goal)': `${to('resident').toFixed(1)}: ${judge(to('resident'), 1.8, true)}`,
          'own (goal)': judge(figure(name, 'own'), 80, true),
          'wakes (goal)': judge(figure(name, 'wakes'), 5, true),
          'core (goal)': judge(figure(name, 'share'), 0.1, true)
        })
      }
    ]
  })
  const size = existsSync(executable) && statSync(executable).size / 1024 ** 2
  const note = size ? `the executable has ${size.toFixed(0)} MiB: ${judge(size, 125, true)}` : ''
  printTable('start', Object.fromEntries(rows), note)
}
