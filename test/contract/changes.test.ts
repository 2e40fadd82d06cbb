import { readFileSync } from 'node:fs'
import t from 'tap'
import { breakingChanges, mayBreak, released } from '../../tools/docs/breaking-changes.ts'
import { openapiJson } from '../../tools/docs/generate.ts'

const text = await openapiJson()

/** Today's document with these edits. JSON has no types, so its parts are named by path. */
function changed(...edits: [path: string, value: unknown][]) {
  const document = JSON.parse(text)
  for (const [path, value] of edits) {
    const keys = path.split(' ')
    const last = keys.pop() ?? ''
    const parent = keys.reduce((node, key) => node[key], document)
    if (value === undefined) delete parent[last]
    else parent[last] = value
  }
  return document
}

const todo = 'components schemas Todo'
const newTodo = 'components schemas TodoCreation'
const list = 'paths /todo/index get'

const breaking: [what: string, path: string, value: unknown, message: string][] = [
  ['an operation is removed', list, undefined, 'GET /todo/index is gone'],
  [
    'an operation is renamed',
    `${list} operationId`,
    'todos',
    'GET /todo/index: operationId was listTodos'
  ],
  [
    'a credential is no longer accepted',
    `${list} security`,
    [{ bearerAuth: [] }],
    'GET /todo/index: sessionCookie no longer lets in'
  ],
  [
    'a body requires more',
    'components schemas UndoRequest required',
    ['dry_run'],
    'POST /activity/undo body: dry_run is required'
  ],
  [
    'a field of one of several kinds becomes optional',
    'components schemas SearchResultOfTodo required',
    ['kind'],
    'GET /search/index 200 Data results[]: row does not always come'
  ],
  ['a parameter is gone', `${list} parameters`, [], 'GET /todo/index: query limit is gone'],
  [
    'a parameter becomes required',
    'components parameters Limit required',
    true,
    'GET /todo/index: query limit is required'
  ],
  [
    'a limit is lowered',
    'components parameters Limit schema maximum',
    9,
    'GET /todo/index query limit: maximum is 9'
  ],
  [
    'a parameter has another type',
    'components parameters Limit schema type',
    ['number', 'string'],
    'GET /todo/index query limit: has another type'
  ],
  [
    'a success is removed',
    'paths /todo/batch post responses 207',
    undefined,
    'POST /todo/batch: 207 is gone'
  ],
  [
    'a header is removed',
    'components responses MemoSuccess headers ETag',
    undefined,
    'POST /memo/index 200: header ETag is gone'
  ],
  [
    'a field is removed',
    `${todo} properties title`,
    undefined,
    'GET /todo/index 200 Data todos[]: title is gone'
  ],
  [
    'a field becomes optional',
    `${todo} required`,
    ['id'],
    'GET /todo/index 200 Data todos[]: title does not always come'
  ],
  [
    'a field changes its type',
    `${todo} properties id`,
    { type: 'string' },
    'GET /todo/index 200 Data todos[] id: has another type'
  ],
  [
    'a field becomes required',
    `${newTodo} required`,
    ['title', 'list'],
    'POST /todo/index body: list is required'
  ],
  [
    'a text must be shorter',
    `${newTodo} properties title maxLength`,
    9,
    'POST /todo/index body title: maxLength is 9'
  ],
  [
    'a text has another form',
    `${newTodo} properties title pattern`,
    '^a',
    'POST /todo/index body title: pattern is ^a'
  ],
  [
    'a choice is removed',
    'components schemas MemoState enum',
    ['draft'],
    'GET /memo/index query state: takes other values'
  ],
  [
    'a constant changes',
    'components schemas GetHealthSuccessData properties status enum',
    ['ok'],
    'GET /health/index 200 Data status: takes other values'
  ]
]

for (const [what, path, value, message] of breaking) {
  t.test(`breaking: ${what}`, async (t) => {
    t.ok(breakingChanges(JSON.parse(text), changed([path, value])).includes(message), message)
  })
}

t.test('additions and looser rules break nobody', async (t) => {
  const after = changed(
    ['paths /new/index', { get: { operationId: 'getNew', responses: {} } }],
    [`${todo} properties colour`, { type: 'string' }],
    [`${newTodo} properties colour`, { type: 'string' }],
    [`${newTodo} properties title maxLength`, 1000],
    ['components schemas MemoState enum', undefined],
    ['components schemas ErrorCode enum', ['NEW', ...changed().components.schemas.ErrorCode.enum]],
    ['components parameters Limit schema type', ['integer', 'string']],
    ['components parameters Limit schema pattern', '^all$'],
    [`${list} description`, 'In other words.']
  )
  t.same(breakingChanges(JSON.parse(text), after), [])
  t.same(breakingChanges(JSON.parse(text), JSON.parse(text)), [])
})

t.test('a new major version, or minor one of 0.x, may break callers (semver.org, 8)', async (t) => {
  t.same([mayBreak('1.2.3', '2.0.0'), mayBreak('0.1.0', '0.2.0')], [true, true])
  t.same([mayBreak('1.2.3', '1.3.0'), mayBreak('0.1.0', '0.1.1')], [false, false])
  t.equal(mayBreak('0.1.0', '1.0.0'), true)
})

t.test('nothing breaks callers of the last release without a version that says so', async (t) => {
  const { info } = JSON.parse(text)
  const before = released()
  if (mayBreak(before.info.version, info.version)) return
  t.same(breakingChanges(before, JSON.parse(text)), [])
})

t.test('docs/changelog-api.md has the version of the document', async (t) => {
  const changelog = readFileSync(new URL('../../docs/changelog-api.md', import.meta.url), 'utf8')
  t.match(changelog, `\n## ${JSON.parse(text).info.version}\n`)
})
