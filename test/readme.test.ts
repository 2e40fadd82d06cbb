import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startService } from './support/helper.ts'
import { asShown } from './support/shown.ts'

const root = new URL('../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')

/** The fenced blocks of one language. */
const blocks = (language: string) =>
  [...readme.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, tag, content = '']) =>
    tag === language ? [content] : []
  )

/** Answers, with placeholders for what differs from run to run. */
const fixed = (answers: string) =>
  answers
    .replaceAll(/[0-9a-f]{64}/g, '<token>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .trimEnd()
    .split('\n')

t.test('the round trip, pasted into bash, gives the answers shown', async (t) => {
  const [script = ''] = blocks('bash')
  const [shown = ''] = blocks('json')
  const { app } = await startService(t)
  const B = await app.listen({ port: 0 })
  const shell = spawn('bash', ['-u'])
  shell.stdin.end(`B=${B}\n${script}`)
  const [answers, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  t.equal(complaints, '')
  t.same(fixed(asShown(answers, shown)), fixed(shown))
  t.match(answers, /"title":"Buy milk"/)
  t.match(answers, /"errorCode":"SESSION-CLOSED"/)
})

t.test('files, folders and commands that the README names exist', async (t) => {
  const [map = ''] = blocks('')
  const named = [...map.matchAll(/^(\S+)/gm), ...readme.matchAll(/\]\(((?!https?:)[^)#]+)/g)].map(
    ([, path = '']) => path
  )
  t.ok(named.length > 12)
  for (const path of named) t.ok(existsSync(new URL(path, root)), path)

  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const commands = [...readme.matchAll(/npm (?:run )?(start|test|(?<=run )[a-z:]+)/g)]
  for (const [command, name = ''] of commands) t.ok(name in scripts, command)
})
