import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { upload } from '../../support/form.ts'
import {
  holdTransaction,
  loseCommit,
  outcome,
  restart,
  signIn,
  startService
} from '../../support/helper.ts'

const shared = await startService(t)

async function start(t: Test, env?: Record<string, string>) {
  const service = env ? await startService(t, env) : await restart(shared)
  const { app, folder } = service
  const demo = await signIn(app)
  return {
    ...service,
    demo,
    send: (key: string, content: string, name?: string) =>
      upload(app, demo, content, name, { 'idempotency-key': key }),
    /** How many attachments there are, and how many files. */
    async stored() {
      const { attachments } = (await demo.send('GET', '/attachment/index')).json().Data
      const entries = readdirSync(join(folder, 'uploads'), { recursive: true, withFileTypes: true })
      return [attachments.length, entries.filter((entry) => entry.isFile()).length]
    }
  }
}

/** The outcome of an answer, marked if it is a replay. */
const told = (response: Awaited<ReturnType<typeof upload>>) =>
  outcome(response) + (response.headers['idempotent-replayed'] ? ', again' : '')

t.test('a file sent again with its key is kept once (contract IDEMPOTENCY-1)', async (t) => {
  const { send, stored } = await start(t)
  const first = await send('a', 'hello')
  const again = await send('a', 'hello')
  t.same([told(first), told(again)], ['200 success', '200 success, again'])
  t.equal(again.body, first.body)
  t.same(await stored(), [1, 1])
  t.equal(told(await send('b', 'hello')), '200 success', 'another key is another upload')
  t.same(await stored(), [2, 2])
})

t.test('another file, or another name, with the same key is refused', async (t) => {
  const { send, stored } = await start(t)
  await send('a', 'hello')
  for (const [content, name] of [
    ['HELLO', 'a.txt'],
    ['hello', 'b.txt'],
    ['hello there', 'a.txt']
  ] as const) {
    const other = await send('a', content, name)
    t.equal(told(other), '422 VALIDATION-FAILED', `${content} as ${name}`)
    t.match(other.json().Data.details, [{ in: 'headers', field: 'idempotency-key' }])
  }
  t.same(await stored(), [1, 1])
})

t.test('while the first upload is being stored, the same key is CONFLICT', async (t) => {
  const { app, send, stored } = await start(t)
  const { entered, release } = holdTransaction(app)
  const first = send('a', 'hello')
  await entered
  const second = await send('a', 'hello')
  t.equal(told(second), '409 CONFLICT')
  t.equal(second.headers['retry-after'], '1')
  t.same(await stored(), [0, 1], 'the file of the first alone')
  release()
  t.equal(told(await first), '200 success')
  t.equal(told(await send('a', 'hello')), '200 success, again')
  t.same(await stored(), [1, 1])
})

t.test('an upload that outlives its lease is undone if a retry has the key', async (t) => {
  const { app, send, stored, clock } = await start(t)
  const { entered, release } = holdTransaction(app)
  const slow = send('a', 'hello')
  await entered
  clock.now += 30_000
  t.equal(told(await send('a', 'hello')), '200 success')
  release()
  t.equal(told(await slow), '409 CONFLICT')
  t.same(await stored(), [1, 1])
})

t.test('of ten uploads at once with the same key, one is kept', async (t) => {
  const { send, stored } = await start(t)
  const answers = await Promise.all(Array.from({ length: 10 }, () => send('a', 'hello')))
  const outcomes = answers.map(told)
  t.equal(outcomes.filter((it) => it === '200 success').length, 1)
  for (const it of outcomes) t.match(it, /^200 success|^409 CONFLICT$/)
  t.same(await stored(), [1, 1])
})

t.test('a failure of the service frees the key and leaves nothing', async (t) => {
  const { app, send, stored } = await start(t)
  const { transaction } = app.db
  app.db.transaction = () => Promise.reject(new Error('disk full'))
  t.equal(told(await send('a', 'hello')), '500 INTERNAL-ERROR')
  app.db.transaction = transaction
  t.same(await stored(), [0, 0])
  t.equal(told(await send('a', 'hello')), '200 success')
  t.same(await stored(), [1, 1])
})

t.test('what was committed stays whole, even if the answer to COMMIT was lost', async (t) => {
  const { app, demo, send, stored } = await start(t)
  loseCommit(app)
  t.equal(told(await send('a', 'hello')), '503 SERVICE-OVERLOADED')
  const again = await send('a', 'hello')
  t.equal(told(again), '200 success, again')
  t.same(await stored(), [1, 1])
  const { id } = again.json().Data.attachment
  const { url } = (await demo.send('GET', `/attachment/link/id_${id}`)).json().Data
  t.equal((await app.inject(url)).body, 'hello')
})

t.test('a refused file uses up no key; one for which there is no room does', async (t) => {
  const { send, stored } = await start(t, { SVC_USER_UPLOAD_BYTES: '10' })
  t.equal(told(await send('a', '<html>')), '415 UPLOAD-MIME-REJECTED')
  t.equal(told(await send('a', 'hello')), '200 success')
  t.equal(told(await send('b', 'hello again')), '409 CONFLICT')
  t.equal(told(await send('b', 'hello again')), '409 CONFLICT, again')
  t.same(await stored(), [1, 1])
})

t.test('room of deleted files is freed at once if needed, also with a key', async (t) => {
  const { app, demo, send, stored } = await start(t, { SVC_USER_UPLOAD_BYTES: '10' })
  await send('a', 'hello')
  await demo.send('DELETE', '/attachment/item/id_1')
  t.same(await stored(), [0, 1], 'its deletion can be undone')
  t.equal(told(await send('b', 'hello you')), '200 success')
  await app.background.idle()
  t.same(await stored(), [1, 1])
})
