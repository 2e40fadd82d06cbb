import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { restart, signIn, startService } from '../../support/helper.ts'

const shared = await startService(t)

const ofAll = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin'
}
const ofPages = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-frame-options': 'DENY'
}
const closed = "default-src 'none';frame-ancestors 'none'"
const html = { accept: 'text/html' }

t.test('which answer carries which security headers (contract HTTP-10)', async (t) => {
  const { app } = await restart(shared)
  const demo = await signIn(app)
  const programs = {
    'a success': await demo.send('GET', '/todo/index'),
    'a change': await demo.send('POST', '/todo/index', { title: 'x' }),
    'a failure of the guard': await app.inject('/todo/index'),
    'a failure of a schema': await demo.send('POST', '/todo/index', {}),
    'an unknown path': await app.inject('/no/such'),
    'an unsupported method': await app.inject({ method: 'PUT', url: '/todo/index' }),
    'a URL that cannot be read': await app.inject('/%zz'),
    'a sign-in': await app.inject({ method: 'POST', url: '/session/login', payload: {} }),
    'the document': await app.inject('/api-docs/json'),
    'text for programs': await app.inject('/llms.txt')
  }
  for (const [name, { headers }] of Object.entries(programs)) {
    t.match(headers, ofAll, name)
    t.ok(headers['cache-control'], name)
    for (const header of [...Object.keys(ofPages), 'referrer-policy']) {
      t.notOk(header in headers, `${name}: ${header}`)
    }
    if (name === 'the document') continue
    t.equal(headers['content-security-policy'], closed, name)
    if (name !== 'text for programs') t.equal(headers['cache-control'], 'no-store', name)
  }
  const pages = {
    'a page': await app.inject('/login/index'),
    'a page that redirects': await app.inject('/board/index'),
    'a page of a failure': await app.inject({ url: '/no/such', headers: html }),
    'a form that is refused': await demo.send('POST', '/board/index'),
    'the viewer': await app.inject('/api-docs/')
  }
  for (const [name, { headers }] of Object.entries(pages)) {
    t.match(headers, { ...ofAll, ...ofPages, 'referrer-policy': 'same-origin' }, name)
    t.match(headers['content-security-policy'], /frame-ancestors 'none'|script-src/, name)
    t.not(headers['content-security-policy'], closed, name)
  }
})

t.test('a message that is not HTTP gets an answer for programs (contract HTTP-10)', async (t) => {
  const { app } = await restart(shared)
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(address.port), '127.0.0.1')
  socket.end('no HTTP at all\r\n\r\n')
  const answer = await text(socket)
  t.match(answer, `content-security-policy: ${closed}`)
  t.match(answer, 'x-content-type-options: nosniff')
  t.notMatch(answer, 'x-frame-options')
})
