import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ownPath } from './client/outside/run.ts'
import { freshClone } from './support/clone.ts'
import { temporaryFolder } from './support/folder.ts'
import {
  blocksOf,
  documents,
  fixed,
  nameOf,
  placeOf,
  runners,
  type Step,
  stepsOf
} from './support/printed.ts'
import { slow } from './support/selection.ts'
import { asShown } from './support/shown.ts'

// What documents print is done as they print it, from top to bottom, in a fresh clone, each part in a terminal of its
// own, with the Node.js that the user has. Only the port, and folders outside of the clone, are others.

const ours = (file: string) =>
  blocksOf(file).filter(
    (block) => runners[placeOf(block) ?? ''] === 'test/printed.test.ts' && !block.excuse
  )

/** Documents that ask for Node.js 24, which this project installs. */
const forOwnNode = ['docs/deploy.md']

const password = 'correct horse battery staple'
/** Separates the answers of two blocks. */
const mark = '\x1e'

/** Whether the last line of a block runs the service, until it is stopped. */
const startsService = (script: string) =>
  /(?:^|\n|&& )(?:npm start|node server\.ts|dist\/gatehouse(?: --watch)?|gatehouse serve --watch)\n$/.test(
    script
  )

/** The first block of a document that has this. */
const blockOf = (file: string, pattern: RegExp) =>
  blocksOf(file).find(({ content }) => pattern.test(content))?.content ?? ''

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  return Number(port)
}

async function follow(t: Test, file: string) {
  const clone = freshClone(t)
  const outside = temporaryFolder(t)
  const port = await freePort()
  const programs = join(clone, 'node_modules/.bin')
  mkdirSync(join(outside, 'bin'))
  mkdirSync(join(outside, 'backup'))
  // The executable, which docs/binary.md builds.
  const gatehouse = join(outside, 'bin/gatehouse')
  writeFileSync(gatehouse, `#!/bin/sh\nexec '${programs}/node' '${clone}/cli.ts' "$@"\n`)
  chmodSync(gatehouse, 0o755)
  // `npm ci` was run when the clone was made.
  const installed = 'npm() { if [ "$1" = ci ]; then :; else command npm "$@"; fi; }\n'
  const here = (script: string) =>
    script
      .replaceAll('http://127.0.0.1:3000', `http://127.0.0.1:${port}`)
      .replaceAll('/var/lib/gatehouse', join(outside, 'data'))
      .replaceAll('/backup/', join(outside, 'backup/'))
  const env = {
    PATH: [join(outside, 'bin'), ...(forOwnNode.includes(file) ? [programs] : []), ownPath].join(
      delimiter
    ),
    HOME: outside,
    SVC_PORT: `${port}`
  }
  const shell = (script: string, options: string) => {
    const child = spawn('bash', ['--norc', options, '-c', installed + here(script)], {
      cwd: clone,
      env,
      detached: true
    })
    child.stdin.on('error', () => {}).end(`${password}\n`)
    return child
  }

  let service: ChildProcess | undefined
  async function stop() {
    if (service?.pid === undefined) return
    // The shell may end before what it started does, which writes until then: all of them hold its output.
    const closed = once(service, 'close')
    process.kill(-service.pid, 'SIGTERM')
    await closed
    service = undefined
  }
  t.teardown(stop)
  async function start(script: string) {
    await stop()
    const child = shell(script, '-eu')
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk
      })
    }
    service = child
    for (let tries = 0; tries < 300; tries++) {
      const answer = await fetch(`http://127.0.0.1:${port}/health/index`).catch(() => undefined)
      if (answer?.ok) return
      if (child.exitCode !== null) break
      await sleep(200)
    }
    t.fail(`it does not start: ${script}${said}`)
  }

  const ofOurs = new Set(ours(file).map(nameOf))
  const steps = stepsOf(file).filter((step) => ofOurs.has(nameOf(step)))
  const known = steps.reduce((count, { shown }) => count + (shown === undefined ? 1 : 2), 0)
  t.equal(ofOurs.size, known, 'each block is of commands, or has their answers')
  const all = steps.map(({ content }) => content).join('')
  // A document that does not start the service means one that runs, as others start it.
  if (!steps.some(({ content }) => startsService(content))) {
    const needsAgent = /SVC_AGENT_BEARER_TOKEN/.test(all)
    await start(
      needsAgent
        ? blockOf('docs/agents.md', /SVC_AGENT_BEARER_TOKEN=/)
        : blockOf('README.md', /npm start/)
    )
  }
  // A document that uses a token without making one, as docs/agents.md makes it.
  const token =
    /\$TOKEN/.test(all) && !/\bTOKEN=/.test(all) ? blockOf('docs/agents.md', /TOKEN=/) : ''

  let terminal: Step[] = []
  async function finish() {
    if (terminal.length === 0) return
    // Where answers are shown, a failure may be among them.
    const scripts = terminal.map(({ content, shown }) => `set ${shown ? '+' : '-'}e\n${content}`)
    const child = shell([token, ...scripts].join(`printf '${mark}'\n`), '-eu')
    const [answers, complaints] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit')
    ])
    const place = terminal.map(nameOf).join(', ')
    if (child.exitCode !== 0) t.fail(`${place}: ${complaints}${answers.slice(-1000)}`)
    const parts = answers
      .replaceAll(`http://127.0.0.1:${port}`, 'http://127.0.0.1:3000')
      .split(mark)
      .slice(1)
    for (const [index, { shown, ...block }] of terminal.entries()) {
      t.pass(nameOf(block))
      if (shown === undefined) continue
      t.equal(complaints, '', nameOf(block))
      t.same(fixed(asShown(parts[index] ?? '', shown)), fixed(shown), nameOf(block))
    }
    terminal = []
  }
  for (const step of steps) {
    const isStart = startsService(step.content)
    if (/while the service runs/i.test(step.above) && !service) {
      await start(blockOf('README.md', /npm start/))
    }
    if (isStart || step.section !== terminal[0]?.section) await finish()
    if (/stop the service/i.test(step.above)) await stop()
    if (isStart) await start(step.content)
    else terminal.push(step)
  }
  await finish()
}

for (const file of documents.filter((file) => ours(file).length > 0)) {
  t.test(`${file} is done as it is printed`, slow, (t) => follow(t, file))
}
