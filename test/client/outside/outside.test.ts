import { mkdirSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { noBrowser, openWindow } from '../../support/browser.ts'
import { freshClone } from '../../support/clone.ts'
import { signIn, startService, temporaryFolder } from '../../support/helper.ts'
import { blocksOf } from '../../support/printed.ts'
import { slow } from '../../support/selection.ts'
import { preview, project } from './project.ts'
import { runIn } from './run.ts'

const node = process.execPath

const worked = [
  'signed in as Demo',
  'batch: 207, 5 made, not TODO-TITLE-REQUIRED',
  'todos: five,four,three,two,one',
  'refused: TODO-TITLE-REQUIRED, Send a `title` that has a character other than white space.',
  'uploaded lines.txt: 300000 of 300000, back again: true',
  'memo: "v1" to "v2"',
  'stale: PRECONDITION-FAILED'
]
const workedAgain = ['resumed undefined: Demo, session', 'made six', 'signed out: null']

t.test('the packed client in an empty Node.js project', slow, async (t) => {
  const folder = await project(t, 'node')
  for (const version of ['5.4', '5.9', '7']) {
    const tsc = `node_modules/typescript-${version}/bin/tsc`
    for (const more of [[], ['--module', 'esnext', '--moduleResolution', 'bundler']]) {
      await runIn(folder, node, tsc, '-p', '.', ...more)
      t.pass(`compiles with TypeScript ${version} ${more}`)
    }
  }
  const { app } = await startService(t)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const said = await runIn(folder, node, 'main.ts', address)
  t.same(said.trimEnd().split('\n'), [...worked, ...workedAgain])
})

t.test('client/README.md is done as it is printed', slow, async (t) => {
  const { app } = await startService(t)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const folder = join(temporaryFolder(t), 'project')
  mkdirSync(folder)
  const [pack = '', install = '', program = '', ...others] = blocksOf('client/README.md').map(
    ({ content }) =>
      content.replaceAll('/tmp', join(folder, '..')).replace('http://127.0.0.1:3000', address)
  )
  t.same(others, [])
  await runIn(freshClone(t), 'bash', '-euc', pack)
  await runIn(folder, 'bash', '-euc', install)
  writeFileSync(join(folder, 'main.mjs'), program)
  const [id, first] = (await runIn(folder, 'node', 'main.mjs')).split('\n')
  t.match(id, /^\d+$/)
  t.equal(first, 'Buy milk')
})

const inBrowser = noBrowser ? { skip: noBrowser } : slow

t.test('the packed client in a Vite page on another origin, same site', inBrowser, async (t) => {
  const folder = await project(t, 'node', 'page')
  await runIn(folder, node, 'node_modules/typescript/bin/tsc', '-p', '.')
  await runIn(folder, node, 'node_modules/vite/bin/vite.js', 'build')
  const origin = await preview(t, folder)
  const { app } = await startService(t, { SVC_CORS_ORIGINS: origin })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })

  const { page, complaints } = await openWindow(t, { baseURL: origin })
  const said = async (title: string) => {
    await page.waitForFunction((wanted) => globalThis.document.title === wanted, title)
    return (await page.locator('#said').textContent())?.split('\n')
  }
  await page.goto(`/#${address}`)
  t.same(await said('worked'), worked)
  await page.reload()
  t.same(await said('worked again'), workedAgain)
  t.same(complaints, [])

  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => sockets.add(socket))
  await page.goto(`/?follow#${address}`)
  t.same(await said('following'), [''])
  const demo = await signIn(app)
  const titles = ['told', 'told after a cut', 'told after another']
  for (const title of titles) {
    await demo.send('POST', '/todo/index', { title })
    await page.locator('#said', { hasText: `${title}\n` }).waitFor()
    for (const socket of sockets) socket.destroy()
  }
  const told = (await page.locator('#said').textContent())?.trimEnd().split('\n')
  t.same(
    told?.map((line) => line.replace(/^\d+ /, '')),
    titles
  )
})
