import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { addField } from '../tools/scaffold/add-field.ts'
import { addArea } from '../tools/scaffold/area.ts'
import { removeArea } from '../tools/scaffold/remove.ts'
import { Tree } from '../tools/scaffold/tree.ts'
import { runIn } from './client/outside/run.ts'
import { freshClone } from './support/clone.ts'
import { temporaryFolder } from './support/folder.ts'
import { blocksOf } from './support/printed.ts'
import { slow } from './support/selection.ts'

/** A copy of the project in a git work tree without changes. */
function copyOf(t: Test) {
  const folder = freshClone(t)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '-q')
  git('config', 'user.name', 'test')
  git('config', 'user.email', 'test@localhost')
  const commit = () => {
    git('add', '-A')
    git('commit', '-qm', 'all')
  }
  commit()
  /**
   * Runs Node in the copy, without what tap loads into every Node that a test starts. Compiled code is found
   * by its path in the project, as each copy has another place.
   */
  function node(...args: string[]) {
    const script = 'unset NODE_OPTIONS; NODE_COMPILE_CACHE_PORTABLE=1 exec "$0" "$@"'
    const command = ['-c', script, process.execPath, ...args]
    return spawnSync('sh', command, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
  }
  const run = (...args: string[]) => node('tools/scaffold/new.ts', ...args)
  return { folder, node, run, commit, status: () => git('status', '--porcelain', '-uall') }
}

const copy = copyOf(t)
const area = [
  ...['specimen', 'url:url', 'label:text?', 'pinned:boolean', 'due_on:date?', 'mail:email'],
  ...['stars:integer:1..5', 'seen_at:time?', 'state:one-of:draft,published']
]

/** What docs/areas.md prints. */
const commands = blocksOf('docs/areas.md')
  .filter(({ section }) => section !== 'Declare an area')
  .map(({ content }) => content)

const refused: [command: typeof addArea, args: string, message: RegExp][] = [
  [addArea, 'Specimen url:url', /^Specimen is no name of an area: it matches/],
  [addArea, 'select url:url', /^select is a word of SQL or TypeScript$/],
  [addArea, 'class url:url', /^class is a word of SQL or TypeScript$/],
  [addArea, 'specimens url:url', /looks like several/],
  [addArea, 'item url:url', /^item has another meaning/],
  [addArea, 'todo title:text', /taken: /],
  [addArea, 'change title:text', /another meaning/],
  [addArea, 'run title:text', /^run has another meaning/],
  [addArea, 'account title:text', /^the path \/account is taken: /],
  [addArea, 'oauth title:text', /taken: /],
  [addArea, 'clock title:text', /taken: app\.ts$/],
  [addArea, 'specimen', /needs a field that is always there/],
  [addArea, 'specimen label:text?', /needs a field that is always there/],
  [
    addArea,
    'specimen url:link',
    /the types are text, url, email, integer, number, boolean, date, time, one-of, ref$/
  ],
  [addArea, 'specimen order:text', /^order is a word of SQL or TypeScript$/],
  [addArea, 'specimen user_id:text', /already has a meaning for every area/],
  [addArea, 'specimen a:text a:text', /^a is there twice$/],
  [addArea, 'specimen url', /a field is name:type/],
  [addArea, 'specimen url:url:0..9:x', /are no bounds/],
  [addArea, 'specimen stars:integer:5..1', /^stars: min 5 is not below max 1$/],
  [addArea, 'specimen label:text:0..5', /^label: min is a whole number from 1 to 10000$/],
  [addArea, 'specimen label:text:99999', /^label: max is a whole number from 1 to 10000$/],
  [addArea, 'specimen label:text:some', /^some are no bounds/],
  [addArea, 'specimen url:url pinned:boolean?', /a boolean that is left out is false/],
  [addArea, 'specimen due_on:date:2026', /date has no options/],
  [addArea, 'specimen state:one-of:draft', /^state: one-of needs 2 to 50 different words/],
  [addArea, "specimen state:one-of:a,b'c", /^state: b'c is no word of one-of/],
  [addArea, 'specimen --from nowhere.json', /^nowhere\.json: ENOENT/],
  [addField, 'todo title:text?', /^todo has title already$/],
  [addField, 'todo due_on:date', /it must end with \?$/],
  [addField, 'todo slug:text:80!?', /write its index by hand$/],
  [addField, 'specimen due_on:date?', /^there is no schemas\/specimen\.ts$/],
  [addField, 'attachment due_on:date?', /has no field that callers write$/],
  [removeArea, 'specimen', /^there is no area specimen$/]
]

t.test('what cannot be done is refused in one line, and nothing is written', async (t) => {
  const tree = new Tree(copy.folder)
  for (const [command, args, message] of refused) {
    const said = (() => {
      try {
        return command(tree, args.split(' '))
      } catch (error) {
        return String((error as Error).message)
      }
    })()
    t.match(said, message, args)
    t.notMatch(said, '\n', args)
    t.same(tree.changes, [], args)
  }
  const { status, stderr } = copy.run('area', 'specimen', 'url:link')
  t.equal(status, 2)
  t.match(stderr, /^url:link: a field is name:type.*\n$/)
  t.equal(copy.run().status, 2)
  writeFileSync(join(copy.folder, 'left.txt'), 'something')
  const dirty = copy.run('area', ...area)
  t.equal(dirty.status, 2)
  t.equal(dirty.stderr, 'the work tree has changes: commit or stash them first\n')
  execFileSync('rm', [join(copy.folder, 'left.txt')])
  t.equal(copy.status(), '')
})

t.test('an area that was declared becomes code on the same table', async (t) => {
  const tree = new Tree(copy.folder)
  const file = join(temporaryFolder(t), 'specimen.json')
  const fields = { url: { type: 'url', max: 500 }, label: { type: 'text', optional: true } }
  writeFileSync(file, JSON.stringify({ name: 'specimen', fields, max: 7 }))
  addArea(tree, ['specimen', '--from', file])
  t.match(tree.read('schemas/specimen.ts'), JSON.stringify({ fields, max: 7 }).slice(1, -1))
  t.match(tree.read('schemas/specimen.ts'), '"table":"declared_specimens"')
  const migration = tree.changes.find(({ path }) => path.endsWith('-specimens.ts'))
  const source = tree.read(migration?.path ?? '')
  t.match(source, "if (tables.some(({ name }) => name === 'declared_specimens')) return")
})

t.test('the commands of docs/areas.md are understood', async (t) => {
  const file = join(temporaryFolder(t), 'bookmark.json')
  writeFileSync(file, JSON.stringify({ name: 'bookmark', fields: { url: { type: 'url' } } }))
  for (const command of commands) {
    const npm = 'npm() { printf "%s\\n" "$@"; }\n'
    const words = execFileSync('bash', ['-euc', npm + command], { encoding: 'utf8' })
    const [run, name, , kind, ...args] = words.trimEnd().split('\n')
    t.same([run, name], ['run', 'new'], command)
    const tree = new Tree(copy.folder)
    if (kind === 'area')
      addArea(tree, args.with(-1, args.includes('--from') ? file : String(args.at(-1))))
    else if (kind === 'field') addField(tree, args)
    else t.throws(() => removeArea(tree, args), /^there is no area bookmark$/)
    t.equal(tree.changes.length > 0, kind !== 'remove', command)
  }
  t.equal(commands.length, 4)
})

t.test('what fails half way is undone', slow, async (t) => {
  const { folder, run, commit, status } = copyOf(t)
  appendFileSync(
    join(folder, 'tools/docs/generate.ts'),
    "\nthrow new Error('no documents today')\n"
  )
  commit()
  const { status: code, stderr } = run('area', ...area)
  t.equal(code, 1)
  t.match(stderr, /docs\/generate\.ts failed:.*no documents today.*Nothing was changed\.\n$/s)
  t.equal(status(), '')
})

t.test('todos get a field, and the area that was there for show goes', slow, async (t) => {
  for (const kind of [' field ', ' remove ']) {
    const printed = commands.find((command) => command.includes(kind)) ?? ''
    await runIn(copy.folder, 'bash', '-euc', printed.replace('remove bookmark', 'remove reaction'))
    t.pass(printed)
    copy.commit()
  }
})

interface Operation {
  'x-scope': string
  security: object[]
  parameters?: object[]
  responses: object
}

t.test('an area with a field of each type passes its checks, and is like todo', async (t) => {
  const made = copy.run('area', ...area)
  t.equal(made.status, 0, made.stderr)
  const written = copy.status().trimEnd().split('\n')
  const lists = ['app.ts', 'db/migrations/index.ts', 'db/repositories/index.ts', 'schemas/kinds.ts']
  t.same(
    written.filter((line) => line.startsWith(' M') && line.endsWith('.ts')).sort(),
    [...lists, 'client/src/schema.ts'].map((name) => ` M ${name}`).sort()
  )
  t.equal(written.filter((line) => line.startsWith('??')).length, 4)
  const { paths } = JSON.parse(readFileSync(join(copy.folder, 'docs/openapi.json'), 'utf8'))
  const shapeOf = (name: string, path: string, method: string) => {
    const operation: Operation = paths[`/${name}/${path}`][method]
    const { parameters = [], responses, security } = operation
    // What follows from the fields of each differs.
    const shared = parameters.filter((one) => '$ref' in Object(one))
    const shape = JSON.stringify({
      scope: operation['x-scope'],
      security,
      parameters: shared,
      statuses: Object.keys(responses)
    })
    return shape.replaceAll(new RegExp(name, 'gi'), 'NAME')
  }
  for (const [path, method] of [
    ['index', 'get'],
    ['index', 'post'],
    ['item/id_{id}', 'get'],
    ['item/id_{id}', 'put'],
    ['item/id_{id}', 'patch'],
    ['item/id_{id}', 'delete']
  ] as const) {
    t.equal(shapeOf('specimen', path, method), shapeOf('todo', path, method), `${method} ${path}`)
  }
})

/** Those that look at every operation, kind, list or tool. */
const tests = [
  ...['db/plans', 'contract/codes', 'contract/docs', 'contract/document', 'contract/errors'],
  ...['contract/lists', 'contract/ownership', 'contract/rules', 'contract/asvs', 'examples'],
  ...[
    'plugins/reporting/discovery',
    'plugins/reporting/mcp/tools',
    'readme',
    'routes/activity/recorded'
  ],
  ...['plugins/reporting/mcp/endpoint', 'routes/search', 'routes/subscription/subscription']
]

t.test('every test holds with the area, and nothing is left of it if it goes', slow, async (t) => {
  const files = tests.map((test) => `test/${test}.test.ts`)
  const { status, stdout } = copy.node('test/support/together.ts', ...files)
  const failed = stdout.match(/^ *not ok.*/gm) ?? []
  t.equal(status, 0, failed.slice(0, 20).join('\n'))
  const removed = copy.run('remove', 'specimen')
  t.equal(removed.status, 0, removed.stderr)
  t.equal(copy.status(), '')
})
