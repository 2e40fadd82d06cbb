import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { catalog, errorCodes } from '../../schemas/errors.ts'
import { outcome, signIn, startService } from '../support/helper.ts'
import { html } from '../support/visitor.ts'

/** For tests that leave nothing behind that another one sees. */
const { app } = await startService(t)

const help = (code: string) => `</error/item/code_${code}>; rel="help"`

t.test('GET /error/index: every code of the catalog, for anyone (contract ERROR-1)', async (t) => {
  const { errors } = (await app.inject('/error/index')).json().Data
  t.same(
    errors.map(({ errorCode }: { errorCode: string }) => errorCode),
    errorCodes
  )
  const { status, message, condition, retry, remedy } = catalog['RATE-LIMIT-EXCEEDED']
  t.same(
    errors.find((entry: { errorCode: string }) => entry.errorCode === 'RATE-LIMIT-EXCEEDED'),
    {
      errorCode: 'RATE-LIMIT-EXCEEDED',
      status,
      errorMessage: message,
      condition,
      retry,
      remedy
    }
  )
})

t.test('GET /error/item is where the link of every code leads (contract ERROR-5)', async (t) => {
  for (const code of errorCodes) {
    const [, path = ''] = /<(.*)>/.exec(help(code)) ?? []
    const response = await app.inject(path)
    t.equal(response.statusCode, 200, path)
    t.equal(response.json().Data.error.errorCode, code)
  }
  for (const code of ['NO-SUCH-CODE', '', 'constructor', 'todo-not-found']) {
    const response = await app.inject(`/error/item/code_${code}`)
    t.equal(outcome(response), '404 NOT-FOUND', code)
    t.equal(response.headers.link, help('NOT-FOUND'), 'the path itself is known')
  }
})

t.test('an unknown path also leads to the document', async (t) => {
  const headers = { accept: 'application/json' }
  const unknown = await app.inject({ url: '/no/such', headers })
  t.equal(unknown.headers.link, `${help('NOT-FOUND')}, </api-docs/json>; rel="service-desc"`)
  const page = await app.inject({ url: '/no/such', headers: { accept: 'text/html' } })
  t.equal(page.headers['content-type'], html)
  t.equal(page.headers.link, unknown.headers.link, 'pages have it too')
})

t.test('failures made by the parser carry the link', async (t) => {
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('this is not HTTP\r\n\r\n')
  t.match((await text(socket)).toLowerCase(), `link: ${help('REQUEST-INVALID').toLowerCase()}`)
  const badUrl = await app.inject('/todo/item/id_%zz')
  t.equal(badUrl.headers.link, help('REQUEST-INVALID'))
})

t.test('a failure that is replayed carries the link of its code', async (t) => {
  const { cookie, csrfToken } = await signIn(app)
  const headers = { cookie, 'x-csrf-token': csrfToken, 'idempotency-key': 'once' }
  const payload = { items: [{ title: '' }] }
  const ask = () => app.inject({ method: 'POST', url: '/todo/batch', headers, payload })
  await ask()
  const again = await ask()
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal(again.headers.link, help('BATCH-ITEM-FAILED'))
})

t.test('a success has no help link', async (t) => {
  t.equal((await app.inject('/error/index')).headers.link, undefined)
})
