import './support/declared.ts'
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { ofDeclarations } from '../schemas/area/index.ts'
import { pageBytes } from '../schemas/common.ts'
import { testArea } from './support/area.ts'
import { outcome, signIn, startService } from './support/helper.ts'
import { slow } from './support/hostile.ts'

const [specimen] = ofDeclarations
if (!specimen) throw new Error('nothing is declared')
testArea(specimen)

t.test('a page of long texts ends at its bytes (contract SERVICE-5)', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const content = 'ä'.repeat(10_000)
  for (let i = 0; i < 60; i++) {
    t.equal(outcome(await demo.send('POST', '/essay/index', { content })), '200 success')
  }
  const { body } = await demo.send('GET', '/essay/index?limit=500')
  t.ok(Buffer.byteLength(body) <= pageBytes + 1024)
  const { essays, next_cursor } = JSON.parse(body).Data
  t.ok(essays.length > 40)
  t.equal(next_cursor, essays.at(-1).id)
})

/** Those that look at every operation, kind, list or tool. */
const tests = [
  ...['contract/codes', 'contract/document', 'contract/lists', 'contract/ownership'],
  ...['contract/dry-run', 'contract/quotas', 'db/columns', 'db/plans'],
  ...['plugins/reporting/mcp/endpoint', 'routes/search'],
  ...['routes/activity/recorded', 'routes/subscription/subscription', 'examples'],
  'verify/verify'
]

t.test('what holds of every area holds of declared ones', slow, async (t) => {
  const files = tests.map((test) => `test/${test}.test.ts`)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', './test/support/declared.ts', 'test/support/together.ts', ...files],
    { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }
  )
  const failed = stdout.match(/^ *not ok.*/gm) ?? [stderr]
  t.equal(status, 0, failed.slice(0, 20).join('\n'))
})
