import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { startService } from '../../support/helper.ts'
import { answering, startReceiver } from '../../support/receiver.ts'
import { newTodo } from '../../support/todo.ts'
import { openBrowser } from '../../support/visitor.ts'

const url = '/account/webhooks'
const service = await startService(t, { SVC_WEBHOOK_PRIVATE: '1' })
const { app } = service
const browser = openBrowser(app)
await browser.signIn()
const { csrf_token = '' } = await browser.hiddenFields(url)
const act = (action: string, fields: Record<string, string> = {}) =>
  browser.submit(url, { csrf_token, action, sure: 'yes', ...fields })

t.test('a webhook is made, pinged, paused, resumed and deleted on the page', async (t) => {
  const receiver = await startReceiver(t)
  const made = await act('makewebhook', { url: receiver.url, kinds: 'todo', description: '' })
  t.equal(made.statusCode, 200)
  t.match(made.body, /<code id="secret">whsec_[A-Za-z0-9+/]{43}=<\/code>/)
  t.match(made.body, `<code>${receiver.url}</code>`)
  t.notMatch((await browser.get(url)).body, 'whsec_', 'the secret is shown once')

  t.equal((await act('pingwebhook', { id: '1' })).headers.location, `${url}?done=pingwebhook`)
  await app.deliveries.look()
  await app.db.repos.todos.insert(newTodo(2, 'x'))
  await app.deliveries.look()
  t.equal((await act('redeliver', { id: '1', change: '1' })).statusCode, 303)
  await app.deliveries.look()
  t.same(receiver.ids(), ['ping-1', '1', '1'])
  t.match((await browser.get(url)).body, /Change 1:\s+204 in/)

  t.match((await act('newwebhooksecret', { id: '1' })).body, /<code id="secret">whsec_/)
  await act('pausewebhook', { id: '1' })
  t.match((await browser.get(url)).body, '<span class="tag">paused</span>')
  t.equal((await act('pingwebhook', { id: '1' })).statusCode, 409)
  await act('resumewebhook', { id: '1' })
  t.notMatch((await browser.get(url)).body, '<span class="tag">paused</span>')
  await act('removewebhook', { id: '1' })
  t.notMatch((await browser.get(url)).body, receiver.url)
})

t.test('what a token made is shown with its name, and can only be deleted', async (t) => {
  const { bearer } = await makeAccessToken(app, { scopes: ['todo:read'] })
  const payload = { url: 'https://receiver.example/of-a-token' }
  await app.inject({ method: 'POST', url: '/subscription/index', headers: bearer, payload })
  const { body } = await browser.get(url)
  const [, entry = ''] = /<code>[^<]*of-a-token<\/code>(.*?)<\/li>/s.exec(body) ?? []
  t.match(entry, 'Created by “a program”')
  t.same(
    [...entry.matchAll(/value="(\w+)"\s+aria-label/g)].map(([, action]) => action),
    ['removewebhook']
  )
  const [, id = ''] = /name="id" value="(\d+)"/.exec(entry) ?? []
  t.equal((await act('removewebhook', { id })).statusCode, 303)
  t.notMatch((await browser.get(url)).body, 'of-a-token')
})

t.test('what is wrong with a form is said in it', async (t) => {
  const wrong = await act('makewebhook', { url: 'ftp://x.example/', kinds: 'todo' })
  t.equal(wrong.statusCode, 422)
  t.match(wrong.body, 'must be an http or https URL')
  const none = await act('makewebhook', { url: 'https://receiver.example/' })
  t.equal(none.statusCode, 422, 'nothing that is told')
  t.equal((await act('removewebhook', { id: '999' })).statusCode, 404)
})

t.test("the desk shows everybody's, those that fail first, without secrets", async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = answering(500)
  await act('makewebhook', { url: `${receiver.url}?key=secret`, kinds: 'todo' })
  await app.db.repos.todos.insert(newTodo(2, 'x'))
  await app.deliveries.look()
  await act('makewebhook', { url: 'https://receiver.example/hook', kinds: 'memo' })
  const admin = openBrowser(app)
  await admin.signIn('admin')
  const { body } = await admin.get('/admin/webhooks')
  const [, section = ''] = /<main.*?>(.*?)<\/main>/s.exec(body) ?? []
  t.match(section, /127\.0\.0\.1:.*receiver\.example/s)
  t.match(section, '<time')
  t.notMatch(section, /hook\?|key=secret/)
  const failing = (await browser.get(url)).body
  t.match(failing, '<span class="tag">failing</span>')
  t.match(failing, /Next try: <time/)
  receiver.answer = answering(204)
  const [, id = ''] = /aria-label="Try now: webhook (\d+)"/.exec(failing) ?? []
  t.equal((await act('retrywebhook', { id })).statusCode, 303)
  await app.deliveries.look()
  t.equal(receiver.arrived.length, 2)
  t.notMatch((await browser.get(url)).body, 'Next try')
})

t.test('without the record of changes there are no sections', async (t) => {
  const { app } = await startService(t, { SVC_ACTIVITY_DAYS: '0' })
  const admin = openBrowser(app)
  await admin.signIn('admin')
  t.equal((await admin.get(url)).statusCode, 404)
  t.notMatch((await admin.get('/account/profile')).body, url)
})
