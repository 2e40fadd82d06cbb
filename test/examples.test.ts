import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import t, { type Test } from 'tap'
import { Todo } from '../schemas/todo.ts'
import { startService, temporaryFolder } from './support/helper.ts'
import { fixed, type Step, stepsOf } from './support/printed.ts'
import { asShown } from './support/shown.ts'

const root = new URL('../', import.meta.url)
const cli = fileURLToPath(new URL('cli.ts', root))
const address = 'http://127.0.0.1:3000'
/** In which a test service differs from one in development. */
const settings = { SVC_BEARER_FAIL_MAX: '60' }

async function run(cwd: string, script: string, variables: Record<string, string> = {}) {
  const shell = spawn('bash', ['-u'], { cwd })
  const given = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`)
  shell.stdin.end(given.join('') + script)
  const [answers, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  return { answers, complaints }
}

/** The requests that the commands of a section sent, and the bytes that curl printed. */
interface Visit {
  section: string
  sent: {
    method: string | undefined
    url: string | undefined
    run: string | string[] | undefined
    status: number
  }[]
  bytes: number
}

/** Separates the answers of two blocks. */
const mark = '\x1e'

/**
 * Runs a document as a reader would: from top to bottom, in one folder, each section in a terminal
 * of its own.
 */
async function follow(t: Test, steps: Step[], given: Record<string, string>) {
  const folder = temporaryFolder(t)
  const visits: Visit[] = []
  let sent: Visit['sent'] = []
  let terminal: Step[] = []
  const start = async (place = {}) => {
    const file = join(folder, '.env')
    const chosen = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
    const env = { ...given, ...(chosen as Record<string, string>) }
    const service = await startService(t, { ...place, ...env }, undefined, Date.now())
    service.app.server.on('request', ({ method, url, headers }, response) =>
      response.on('finish', () => {
        sent.push({ method, url, run: headers['x-run-id'], status: response.statusCode })
      })
    )
    return { ...service, env, B: await service.app.listen({ port: 0 }) }
  }
  let service = await start()
  const finish = async () => {
    const section = terminal[0]?.section
    if (section === undefined) return
    const read = join(folder, `read-${visits.length}`)
    const counted = `curl() { command curl "$@" | tee -a '${read}'; }\n`
    const installed = `gatehouse() { HOME=. '${process.execPath}' '${cli}' "$@"; }\n`
    const script = terminal.map(({ content }) => content).join(`printf '${mark}'\n`)
    const here = script.replaceAll(address, service.B)
    const { answers, complaints } = await run(folder, counted + installed + here, {
      B: service.B,
      ...service.env
    })
    t.equal(complaints, '', script)
    const parts = answers.replaceAll(service.B, address).split(mark)
    t.equal(parts.length, terminal.length, script)
    for (const [index, { content: script, shown = '' }] of terminal.entries()) {
      t.same(fixed(asShown(parts[index] ?? '', shown)), fixed(shown), script)
    }
    visits.push({ section, sent, bytes: statSync(read).size })
    sent = []
    terminal = []
  }
  for (const step of steps) {
    const { section, content: script, shown } = step
    const starts = script.includes('npm start')
    if (starts || section !== terminal[0]?.section) await finish()
    if (starts) {
      await run(folder, `npm() { :; }\n${script}`)
      await service.app.close()
      service = await start(service.place)
    }
    if (shown !== undefined) terminal.push(step)
  }
  await finish()
  return visits
}

/** Checks what an agent's day of work costs, with the sign-in that makes its token. */
function affordable(t: Test, visits: Visit[]) {
  const { sent = [], bytes = 0 } = visits.find(({ section }) => section === "A day's work") ?? {}
  const document = readFileSync(new URL('docs/agents.md', root))
  const instructions = document.indexOf('## What to rely on')
  t.comment(`${sent.length} requests, ${bytes} bytes, after ${instructions} of instructions`)
  t.ok(sent.length > 15 && sent.length <= 2 + 18, 'at most 18 requests, and 2 to sign in', { sent })
  t.ok(bytes > 10_000 && instructions > 0, 'nothing is missing')
  // A further field of todos costs its bytes in each of some forty rows.
  const more = 600 * (Object.keys(Todo.properties).length - 5)
  t.ok(bytes < 15_000 + more, 'without the sign-in, and with /llms.txt of 3 kB, 18 kB')
  t.ok(instructions + bytes < 25_000 + more, 'with this section less than 25 kB')
  t.same(
    sent.filter(({ status }) => status >= 400),
    [],
    'none refused'
  )
  const writes = sent.filter(({ method }) => method !== 'GET')
  t.same(
    writes.filter(({ run }) => run === undefined).map(({ url }) => url),
    ['/session/login', '/accesstoken/index'],
    'every write of the agent names its run'
  )
}

t.test('the answers that documents show are what the service answers', async (t) => {
  const files = globSync('docs/**/*.md', { cwd: root.pathname }).sort()
  const withAnswers = files
    .map((file) => ({ file, steps: stepsOf(file) }))
    .filter(({ steps }) => steps.some(({ content, shown }) => shown && content.includes('curl')))
    // What needs other commands is done as it is printed (test/printed.test.ts).
    .filter(({ steps }) => !steps.some(({ content }) => /^gatehouse /m.test(content)))
  t.same(
    withAnswers.map(({ file }) => file),
    ['docs/agents.md', 'docs/patterns/plans.md', 'docs/patterns/webhook.md']
  )
  for (const { file, steps } of withAnswers)
    await t.test(file, async (t) => {
      const visits = await follow(t, steps, settings)
      if (file === 'docs/agents.md') affordable(t, visits)
    })
})

interface Paths {
  get: { responses: { 200: { content: { 'application/json': { example: { Data: object } } } } } }
}

t.test(
  'the health example of the document is what the service answers (contract HEALTH-1)',
  async (t) => {
    const { app } = await startService(t)
    const { Data } = (await app.inject('/health/index')).json()
    const document: { paths: Record<string, Paths> } = JSON.parse(JSON.stringify(app.swagger()))
    const shown = document.paths['/health/index']?.get.responses['200'].content
    const example = shown?.['application/json'].example.Data
    // It is of a start in development, on SQLite.
    const { environment, databaseType } = Data
    t.same({ ...example, environment, databaseType }, Data)
  }
)
