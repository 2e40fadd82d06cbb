import { readFileSync } from 'node:fs'
import t from 'tap'
import { freshClone } from '../support/clone.ts'
import { startService } from '../support/helper.ts'
import { runIn } from './outside/run.ts'

const root = new URL('../../', import.meta.url)

t.test(
  'client/example.ts runs against a service, by the command of the README, in a fresh clone',
  async (t) => {
    const { app } = await startService(t)
    const address = await app.listen({ port: 0 })
    const readme = readFileSync(new URL('README.md', root), 'utf8')
    const [, command = ''] = /`(\S+ \S+ client\/example\.ts \S+)`/.exec(readme) ?? []
    const words = command.replace('http://127.0.0.1:3000', address).split(' ')
    const shown = await runIn(freshClone(t), String(words[0]), ...words.slice(1))
    t.same(shown.split('\n'), [
      'signed in as Demo',
      'made todo 1',
      '[ ] Buy milk',
      'refused: 400 TODO title is required. Send a `title` that has a character other than white space.',
      'signed out',
      ''
    ])
  }
)
