import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/helper.ts'

const root = join(import.meta.dirname, '../..')

/** Files whose imports the linter refuses, each with a part of its message. */
const refused: [file: string, imports: string, message: RegExp][] = [
  ['schemas/a.ts', '../db/database.ts', /one way/],
  ['schemas/b.ts', '../fastify.config.ts', /as options/],
  ['db/a.ts', '../plugins/http/errors.ts', /one way/],
  ['db/sqlite/a.ts', '../../fastify.config.ts', /as options/],
  ['plugins/runtime/a.ts', '../http/errors.ts', /layers below/],
  ['plugins/http/a.ts', '../identity/auth.ts', /layers below/],
  ['plugins/identity/a.ts', '../patterns/workflow.ts', /layers below/],
  ['plugins/patterns/a.ts', '../reporting/metrics.ts', /layers below/],
  ['plugins/runtime/peers/a.ts', '../../patterns/batch.ts', /layers below/],
  ['plugins/reporting/a.ts', '../../routes/todo/index.ts', /one way/],
  ['plugins/reporting/b.ts', '../../fastify.config.ts', /as options/],
  ['routes/a.ts', './memo.ts', /Areas do not import/],
  ['routes/b.ts', './todo/batch.ts', /Areas do not import/],
  ['routes/todo/a.ts', '../memo.ts', /Areas do not import/],
  ['routes/todo/b.ts', '../attachment/index.ts', /Areas do not import/],
  ['routes/admin/desk/a.ts', '../../todo/index.ts', /Areas do not import/],
  ['routes/admin/desk/b.ts', '../../../fastify.config.ts', /as options/],
  ['routes/c.ts', '../app.ts', /one way/],
  ['routes/todo/d.ts', '../../fastify.config.ts', /as options/],
  ['commands/verify/a.ts', '../../schemas/errors.ts', /its document only/],
  ['commands/verify/rules/a.ts', '../../../plugins/http/dispatch.ts', /its document only/],
  // A cycle of type imports only.
  ['db/one.ts', './two.ts', /cycle/],
  ['db/two.ts', './one.ts', /cycle/]
]

/** Files whose imports are allowed. */
const fine: [file: string, imports: string][] = [
  ['db/c.ts', '../schemas/todo.ts'],
  ['plugins/runtime/c.ts', '../../db/database.ts'],
  ['plugins/http/c.ts', '../runtime/clock.ts'],
  ['plugins/reporting/c.ts', '../identity/auth.ts'],
  ['routes/e.ts', '../plugins/http/errors.ts'],
  ['routes/todo/e.ts', './batch.ts'],
  ['routes/admin/desk/e.ts', '../users.ts'],
  ['routes/admin/desk/f.ts', '../../../plugins/http/errors.ts'],
  ['commands/verify/b.ts', '../../schemas/host.ts'],
  ['commands/verify/rules/b.ts', '../context.ts'],
  ['routes/todo/f.ts', '../../schemas/todo.ts']
]

t.test('the linter refuses imports that go the wrong way, types included', async (t) => {
  const folder = temporaryFolder(t)
  for (const name of ['biome.json', 'tools/handlers.grit', '.gitignore']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    copyFileSync(join(root, name), join(folder, name))
  }
  for (const [file, from] of [...refused, ...fine]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `import type { A } from '${from}'\n\nexport type B = A\n`)
  }
  const past = 'routes/todo/past.ts'
  writeFileSync(join(folder, past), 'export const past = () => app.db.repos\n')
  const biome = join(root, 'node_modules/.bin/biome')
  const { stdout } = spawnSync(biome, ['lint', '--reporter=github', '--max-diagnostics=none'], {
    cwd: folder,
    encoding: 'utf8'
  })
  const said = stdout.split('\n').filter((line) => line.startsWith('::error'))
  const about = (file: string) => said.filter((line) => line.includes(`${file},line`))
  for (const [file, from, message] of refused) {
    t.match(about(file).join('\n'), message, `${file} may not import ${from}`)
  }
  for (const [file, from] of fine) t.same(about(file), [], `${file} may import ${from}`)
  t.match(about(past).join('\n'), /write through request\.repos/, 'a write past the transaction')
})
