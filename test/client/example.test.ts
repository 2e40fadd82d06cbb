import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startService } from '../support/helper.ts'

const root = new URL('../../', import.meta.url)

t.test('client/example.ts runs against a service', async (t) => {
  const { app } = await startService(t)
  const address = await app.listen({ port: 0 })
  const child = spawn(process.execPath, ['client/example.ts', address], { cwd: root })
  const [shown, complaints] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit')
  ])
  t.equal(complaints, '')
  t.same(shown.split('\n'), [
    'signed in as Demo',
    'made todo 1',
    '[ ] Buy milk',
    'refused: 400 TODO title is required. Send a `title` that has a character other than white space.',
    'signed out',
    ''
  ])
  t.equal(child.exitCode, 0)
})

t.test('the excerpt in the README comes from the example', async (t) => {
  const readme = readFileSync(new URL('README.md', root), 'utf8')
  const [, excerpt = ''] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? []
  const example = readFileSync(new URL('client/example.ts', root), 'utf8')
  const lines = excerpt.split('\n').filter((line) => line !== '')
  t.ok(lines.length > 5)
  for (const line of lines) t.ok(example.includes(line), line)
})
