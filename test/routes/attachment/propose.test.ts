import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { boundary, formBytes, upload } from '../../support/form.ts'
import { outcome, restart, signIn, startService } from '../../support/helper.ts'
import { connect, toldOf } from '../../support/mcp.ts'

const service = await startService(t, { SVC_ACTIVITY_DAYS: '1', SVC_USER_UPLOAD_BYTES: '100' })
const { app, clock, sql } = service
const day = 86_400_000

async function start() {
  await restart(service)
  const person = await signIn(app)
  const scopes = ['attachment:read', 'attachment:write'] as const
  const { bearer } = await makeAccessToken(app, { scopes, asks: true })
  return {
    person,
    bearer,
    propose: (content: string, headers = {}, url = '/attachment/plan?purpose=The%20receipt') => {
      const payload = formBytes([{ filename: 'receipt.txt', content }])
      const type = `multipart/form-data; boundary=${boundary}`
      const sent = { ...bearer, 'content-type': type, ...headers }
      return app.inject({ method: 'POST', url, headers: sent, payload })
    },
    names: async () => {
      const list = (await person.send('GET', '/attachment/index')).json().Data.attachments
      return list.map(({ name }: { name: string }) => name)
    },
    decide: (how: 'apply' | 'refuse', id: number) =>
      person.send('POST', `/plan/${how}/id_${id}`, {}),
    left: async () => (await sql('SELECT count(*) AS n FROM attachments'))[0]?.n
  }
}

t.test('an upload is proposed, and seen once it is approved (contract TOKEN-4)', async (t) => {
  const { propose, names, decide, person, bearer } = await start()
  const refused = await propose('hello', {}, '/attachment/index')
  t.equal(outcome(refused), '403 APPROVAL-NEEDED')
  t.match(refused.json().Data.message, 'POST /attachment/plan')

  const key = { 'idempotency-key': 'receipt' }
  const answer = await propose('hello', key)
  t.equal(outcome(answer), '200 success')
  const { plan } = answer.json().Data
  t.match(plan, { state: 'pending', purpose: 'The receipt', token_name: 'a program' })
  const { id } = plan.steps[0].arguments
  t.match(plan.changes, [
    { kind: 'attachment', action: 'create', key: id, after: { name: 'receipt.txt', size: 5 } }
  ])
  t.same(await names(), [])
  const read = () => app.inject({ url: `/attachment/item/id_${id}`, headers: bearer })
  t.equal(outcome(await read()), '404 ATTACHMENT-NOT-FOUND')

  t.equal(outcome(await decide('apply', plan.id)), '200 success')
  t.same(await names(), ['receipt.txt'])
  const { url } = (await person.send('GET', `/attachment/link/id_${id}`)).json().Data
  t.equal((await app.inject(url)).body, 'hello')
  const again = await propose('hello', key)
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.match(again.json().Data.plan, { id: plan.id, state: 'applied' }, 'it is as it is now')

  await person.send('POST', `/plan/undo/id_${plan.id}`)
  t.same(await names(), [])
})

t.test('who decides looks at the file first', async (t) => {
  const { propose, person, decide } = await start()
  const { plan } = (await propose('hello')).json().Data
  for (const page of ['/', '/plan/board', `/plan/board?plan=${plan.id}`]) {
    const { body } = await app.inject({ url: page, headers: { cookie: person.cookie } })
    const [, link = ''] = /first: <a href="([^"]*)" dir="auto">receipt.txt<\/a>/.exec(body) ?? []
    const url = link.replaceAll('&amp;', '&')
    const shown = await app.inject(url)
    t.match([shown.statusCode, shown.body], [200, 'hello'], page)
    t.match(shown.headers, {
      'content-disposition': /^inline/,
      'content-security-policy': /sandbox/
    })
    t.equal(outcome(await app.inject(url.replace('kept=1&', ''))), '403 SIGNED-URL-INVALID')
  }
  await decide('apply', plan.id)
  const { id } = plan.steps[0].arguments
  const { url } = (await person.send('GET', `/attachment/link/id_${id}`)).json().Data
  t.equal(outcome(await app.inject(`${url}&kept=1`)), '403 SIGNED-URL-INVALID')
  await person.send('DELETE', `/attachment/item/id_${id}`)
  t.equal(outcome(await app.inject(url)), '404 ATTACHMENT-NOT-FOUND', 'no longer')
})

t.test(
  'a plan links each file that it brings back, however it does: by name, that very one',
  async (t) => {
    const { person } = await start()
    const removed = async (name: string) => {
      const { id } = (await upload(app, person, `in ${name}`, name)).json().Data.attachment
      await person.send('DELETE', `/attachment/item/id_${id}`)
      const { changes } = (await person.send('GET', '/activity/index?limit=1')).json().Data
      return { id: id as number, change: changes[0].id as number }
    }
    const contract = await removed('contract.txt')
    const holiday = await removed('holiday.txt')
    const twins = [await removed('same.txt'), await removed('same.txt')]
    const steps = [
      { operation: 'undoActivity', arguments: { ids: [contract.change] } },
      ...[holiday, ...twins].map(({ id }) => ({
        operation: 'restoreAttachment',
        arguments: { id }
      }))
    ]
    const made = await person.send('POST', '/plan/index', { purpose: 'Bring them back', steps })
    const { plan } = made.json().Data
    const ids = [contract.id, holiday.id, ...twins.map(({ id }) => id)]
    t.match(
      plan.changes,
      ids.map((id) => ({ key: id, after: { id } }))
    )
    const { body } = await app.inject({ url: '/plan/board', headers: { cookie: person.cookie } })
    const links = [...body.matchAll(/first: <a href="([^"]*)" dir="auto">([^<]*)<\/a>/g)]
    t.same(
      links.map(([, url, name]) => [Number(/id_(\d+)/.exec(url ?? '')?.[1]), name]),
      [
        [contract.id, 'contract.txt'],
        [holiday.id, 'holiday.txt'],
        ...twins.map(({ id }) => [id, 'same.txt'])
      ]
    )
    for (const [, url = '', name] of links) {
      t.equal((await app.inject(url.replaceAll('&amp;', '&'))).body, `in ${name}`)
    }
  }
)

t.test('what is not approved goes, and is never seen', async (t) => {
  const { propose, decide, left } = await start()
  const { plan } = (await propose('hello')).json().Data
  t.equal(outcome(await decide('refuse', plan.id)), '200 success')
  /** How many are left when what cannot be restored any more is removed. */
  const swept = async (days: number) => {
    clock.now += days * day
    await app.db.repos.attachments.purge({ before: app.activity.since() + 1, limit: 10 })
    return left()
  }
  t.equal(await swept(7), 1, 'it would be there to the last day')
  t.equal(await swept(2), 0)
})

t.test('a file that waits counts, and gives way to one that is uploaded', async (t) => {
  const { propose, decide, person } = await start()
  const { plan } = (await propose('x'.repeat(60))).json().Data
  t.equal(outcome(await propose('y'.repeat(101))), '409 CONFLICT')
  t.equal(outcome(await upload(app, person, 'z'.repeat(60))), '200 success')
  const refused = await decide('apply', plan.id)
  t.equal(outcome(refused), '409 CONFLICT')
  t.match(refused.json().Data.failure, { errorCode: 'ATTACHMENT-NOT-FOUND' })
})

t.test('bad proposals say what is wrong, and leave nothing', async (t) => {
  const { propose, left, bearer } = await start()
  t.equal(outcome(await propose('x', {}, '/attachment/plan')), '422 VALIDATION-FAILED')
  t.equal(outcome(await propose('')), '400 UPLOAD-FILE-REQUIRED')
  t.equal(outcome(await propose('<svg/>')), '415 UPLOAD-MIME-REJECTED')
  const headers = { ...bearer, 'content-type': 'application/json' }
  const url = '/attachment/plan?purpose=x'
  const json = await app.inject({ method: 'POST', url, headers, payload: '{}' })
  t.equal(outcome(json), '400 UPLOAD-FILE-REQUIRED')
  const { bearer: reader } = await makeAccessToken(app, { scopes: ['attachment:read'] })
  t.equal(outcome(await propose('x', reader)), '403 SCOPE-INSUFFICIENT')
  t.equal(await left(), 0)
})

t.test('a tool proposes a file as it proposes everything else', async (t) => {
  const { bearer, decide, names, person } = await start()
  const client = await connect(t, service, { bearer })
  const { tools } = await client.listTools()
  t.match(
    tools.map(({ name }) => name).filter((name) => /attachment$/.test(name)),
    ['plan_attachment', 'delete_attachment']
  )
  const content = Buffer.from('hello').toString('base64')
  const args = { name: 'receipt.txt', content, purpose: 'The receipt', run: 'bills' }
  const result = await client.callTool({ name: 'plan_attachment', arguments: args })
  const told = toldOf(result) as { plan?: { id: number } }
  t.match(told, { status: 'pending', plan: { state: 'pending' } })
  const { plan } = told
  const kept = await person.send('GET', `/plan/item/id_${plan?.id}`)
  t.equal(kept.json().Data.plan.run, 'bills')
  t.match(JSON.stringify(result.content), 'Nothing has happened yet')
  await decide('apply', plan?.id ?? 0)
  t.same(await names(), ['receipt.txt'])
})

t.test('a deleted file can be restored as long as it is kept', async (t) => {
  const { person, names } = await start()
  const made = await upload(app, person, 'hello', 'a.txt')
  const { id } = made.json().Data.attachment
  const restore = () => person.send('POST', `/attachment/restore/id_${id}`)
  t.equal(outcome(await restore()), '404 ATTACHMENT-NOT-FOUND', 'it is there')
  await person.send('DELETE', `/attachment/item/id_${id}`)
  t.equal(outcome(await restore()), '200 success')
  t.same(await names(), ['a.txt'])
  const { changes } = (await person.send('GET', '/activity/index?limit=1')).json().Data
  t.match(changes, [{ kind: 'attachment', action: 'create', key: id }])
})
