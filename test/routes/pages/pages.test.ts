import { globSync, readFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import t from 'tap'
import type { App } from '../../../app.ts'
import { fail } from '../../../plugins/http/errors/index.ts'
import { catalog, type ErrorCode } from '../../../schemas/errors.ts'
import { makeAccessToken } from '../../support/access-token.ts'
import { boundary, formBytes } from '../../support/form.ts'
import { signIn, startService } from '../../support/helper.ts'
import { spokenOf } from '../../support/spoken.ts'
import { chrome, html, json, openBrowser } from '../../support/visitor.ts'

const pages = [
  '/',
  '/login/index',
  '/board/index',
  '/account/profile',
  '/account/sessions',
  '/memo/board',
  '/activity/board',
  '/plan/board',
  '/attachment/board',
  '/logout/index',
  '/password-reset',
  `/password-reset/${'a'.repeat(64)}`
]
const safari = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const axios = 'application/json, text/plain, */*'
const page = { config: { allow: ['anyone'], html: true } } as const

/** HTML actions that fail. */
function addFailing(app: App) {
  app.get('/sample/transition', page, async () => fail('INVALID-TRANSITION'))
  app.get('/sample/absent', page, async () => fail('NOT-FOUND'))
  app.get('/sample/thrown', page, async () => {
    throw new Error('<b>a secret</b>')
  })
}

const service = await startService(t)

t.test(
  'an HTML action answers any method of its path that has no REST handler (contract SERVICE-3)',
  async (t) => {
    const { app } = service
    const browser = openBrowser(app)
    await browser.signIn()
    // CONNECT names no path; HEAD has no body to look at, see below.
    const others = METHODS.filter((method) => !['CONNECT', 'HEAD', 'POST'].includes(method))
    for (const url of pages) {
      // The one REST handler at a page of these.
      for (const method of others.filter((one) => `${one} ${url}` !== 'PATCH /account/profile')) {
        const response = await browser.submit(url, { action: 'add' }, {}, method)
        const moved = url === '/login/index'
        t.equal(response.statusCode, moved ? 302 : 200, `${method} ${url}`)
        if (!moved) t.equal(response.headers['content-type'], html)
        const bare = await browser.send(method, url)
        t.equal(bare.statusCode, moved ? 302 : 200, `${method} ${url} without a body`)
      }
      t.equal((await browser.send('HEAD', url)).body, '')
    }
    const [ask, complete] = pages.slice(-2)
    for (const url of [ask ?? '', complete ?? '']) {
      const rest = await browser.send('POST', url, {}, '{"email":"x","password":"a new password"}')
      t.equal(rest.headers['content-type'], json, 'POST has a REST handler')
    }
  }
)

t.test(
  'a page that takes no form reads no body (contract E2: whatever its Content-Type)',
  async (t) => {
    const { app } = service
    const browser = openBrowser(app)
    await browser.signIn()
    for (const url of pages) {
      for (const headers of [{}, { 'content-type': 'nonsense' }, { 'content-type': 'a/b; c' }]) {
        for (const body of ['{"email":"x"}', '', '{ broken', 'x'.repeat(2 * 1024 ** 2)]) {
          const response = await browser.send('PUT', url, headers, body)
          t.equal(response.statusCode, url === '/login/index' ? 302 : 200, `PUT ${url}`)
        }
      }
    }
  }
)

t.test('home answers POST too, even with a form', async (t) => {
  const { app } = service
  const response = await openBrowser(app).submit('/', { any: 'thing' })
  t.same([response.statusCode, response.headers['content-type']], [200, html])
})

t.test('home: what waits, the first steps until they are done, and what is open', async (t) => {
  const { app } = await startService(t)
  const demo = await signIn(app)
  const home = async (cookie = demo.cookie) =>
    (await app.inject({ url: '/', headers: { cookie } })).body
  const before = await home()
  t.match(before, /First steps.*Add your first todo.*Connect an assistant/s)
  t.notMatch(before, /gatehouse area add|Recent changes|Since your last visit|Waiting for/)
  t.match(before, 'No open todos.')
  t.match(await home((await signIn(app, 'admin')).cookie), /gatehouse area add/)

  for (let n = 1; n < 8; n++) await demo.send('POST', '/todo/index', { title: `<b>${n}` })
  const { bearer } = await makeAccessToken(app, { user_id: 'demo', asks: true })
  const steps = [{ operation: 'deleteTodos', arguments: { ids: [1, 2] } }]
  const payload = { purpose: 'Tidy up', steps }
  await app.inject({ method: 'POST', url: '/plan/index', headers: bearer, payload })
  const after = await home()
  t.notMatch(after, 'First steps')
  t.match(
    after,
    /Waiting for your answer.*proposes.*Tidy up.*Delete 2 todos.*&lt;b&gt;1.*Apply.*Refuse/s
  )
  t.match(after, /&lt;b&gt;7.*&lt;b&gt;3.*All 7 open todos/s)

  const browser = openBrowser(app)
  await browser.signIn('demo', 'demo')
  const { body } = await browser.get('/')
  const [, id = '', version = ''] =
    /name="id" value="(\d+)".*?name="version" value="(\d+)"/s.exec(body) ?? []
  const [, csrf_token = ''] = /name="csrf_token" value="(\w+)"/.exec(body) ?? []
  const answer = await browser.submit('/plan/board', { csrf_token, id, version, action: 'apply' })
  t.equal(answer.statusCode, 303)
  t.notMatch((await browser.get('/')).body, 'Waiting for your answer')
})

t.test(
  'home: what programs and administrators changed since the last visit, by whom',
  async (t) => {
    const { app, sql } = await startService(t)
    const demo = await signIn(app)
    const { bearer } = await makeAccessToken(app, { user_id: 'demo' })
    const add = (title: string) =>
      app.inject({ method: 'POST', url: '/todo/index', headers: bearer, payload: { title } })
    /** A browser that keeps all of its cookies. */
    function openKeeping() {
      const cookies = new Map<string, string>()
      const send = async (url: string, payload?: string) => {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
        const type = payload && { 'content-type': 'application/x-www-form-urlencoded' }
        const method = payload === undefined ? 'GET' : 'POST'
        const answer = await app.inject({
          method,
          url,
          headers: { cookie, ...type },
          ...(payload && { payload })
        })
        for (const { name, value } of answer.cookies) cookies.set(name, value)
        return answer
      }
      return {
        cookies,
        visit: () => send('/'),
        signIn: (name = 'demo') => send('/login/index', `user_id=${name}&user_pass=${name}`),
        /** What the section says, a line for each change; undefined without it. */
        async said() {
          const { body } = await send('/')
          const [, title, list = ''] =
            /<h2>((?:Since your|Recent changes)[^<]*)<\/h2>(.*?)<p><a href="\/activity\/board"/s.exec(
              body
            ) ?? []
          const lines = list.split('<li>').slice(1)
          const text = (line: string) =>
            line
              .replaceAll(/&nbsp;·<\/span>\s*<time.*?<\/time>|<[^>]*>/gs, '')
              .replaceAll(/\s+/g, ' ')
              .trim()
          return title === undefined ? undefined : [title, ...lines.map(text)]
        }
      }
    }
    const since = 'Since your last visit'
    const browser = openKeeping()
    await browser.signIn()
    t.equal((await browser.visit()).cookies.length, 0, 'nothing has changed: no cookie')
    await demo.send('POST', '/todo/index', { title: 'of my own' })
    const first = await browser.visit()
    t.match(first.cookies, [{ name: 'visit', path: '/', httpOnly: true, sameSite: 'Lax' }])
    t.equal(await browser.said(), undefined, 'what one has done oneself is not told')
    t.equal((await browser.visit()).cookies.length, 0, 'the cookie is sent only if it is another')

    await add('Buy <b>milk</b>')
    const told = 'a program: Added Buy &lt;b&gt;milk&lt;/b&gt; todo'
    t.same(await browser.said(), ['Recent changes', told], 'the first visit: no mark yet')
    await browser.signIn()
    t.equal(await browser.said(), undefined, 'the next visit: all is seen')
    await add('Call home')
    t.same(await browser.said(), [since, 'a program: Added Call home todo'])
    t.same(await browser.said(), [since, 'a program: Added Call home todo'], 'a reload keeps it')

    const other = openKeeping()
    await other.signIn()
    t.equal((await other.said())?.length, 3, 'another browser only has an older mark')
    await (await signIn(app, 'admin')).send('POST', '/todo/index', { title: 'of another user' })
    await browser.signIn('admin')
    t.equal(await browser.said(), undefined, 'another user of the browser')
    await browser.signIn()
    t.equal((await browser.said())?.length, 3, 'whose mark has taken the place of the first')

    for (let n = 0; n < 12; n++) await add(`todo ${n}`)
    await sql("UPDATE changes SET via = 'administrator', token_id = NULL WHERE id = 16")
    const many = await browser.said()
    t.equal(many?.length, 11, 'ten at most, the newest first')
    t.equal(many?.[1], 'An administrator: Added todo 11 todo')
    t.match((await browser.visit()).body, 'See more changes')

    for (const visit of ['', 'x', '1.2', `2.${'0'.repeat(16)}.9.${'9'.repeat(15)}`, '2.0.0.0;']) {
      browser.cookies.set('visit', visit)
      t.equal((await browser.said())?.[0], 'Recent changes', `${visit}: as if there were none`)
    }
  }
)

t.test('a visitor who is not logged in goes to SVC_LOGOUT_URI (contract CSRF-4)', async (t) => {
  for (const [env, expected] of [
    [{}, '/login/index'],
    [{ SVC_LOGOUT_URI: 'https://portal.example/bye?a=1' }, 'https://portal.example/bye?a=1']
  ] as const) {
    const { app } = await startService(t, env)
    const browser = openBrowser(app)
    for (const url of ['/board/index', '/logout/index', '/board/index?next=//evil.example']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        for (const cookie of ['', 'PHPSESSID=unknown']) {
          const response = await browser.send(method, url, { cookie })
          const { location } = response.headers
          t.same([response.statusCode, location], [302, expected], `${method} ${url}`)
          t.equal(response.headers['set-cookie'], undefined)
          t.equal(response.headers['www-authenticate'], undefined, 'only for a 401')
          t.equal(response.headers['cache-control'], 'no-store')
        }
      }
    }
  }
})

t.test('an HTML action answers pages, whatever Accept says (contract ERROR-2)', async (t) => {
  const { app } = await startService(t, { SVC_LOGIN_RATE_MAX: '1' }, addFailing)
  const { cookie } = await signIn(app)
  for (const accept of ['application/json', axios, '*/*', 'text/html;q=0', undefined]) {
    const visitor = accept === undefined ? {} : { accept }
    for (const [method, url, headers, status] of [
      ['GET', '/', visitor, 200],
      ['GET', '/login/index', visitor, 200],
      ['GET', '/board/index', { ...visitor, cookie }, 200],
      ['GET', '/board/index', visitor, 302],
      ['POST', '/logout/index', visitor, 302],
      ['POST', '/board/index', { ...visitor, cookie }, 403],
      ['POST', '/login/index', visitor, 429],
      ['GET', '/sample/absent', visitor, 404],
      ['GET', '/sample/transition', visitor, 409],
      ['GET', '/sample/thrown', visitor, 500]
    ] as const) {
      const response = await app.inject({ method, url, headers })
      const type = status === 302 ? undefined : html
      const name = `${method} ${url} with Accept ${accept}`
      t.same([response.statusCode, response.headers['content-type']], [status, type], name)
      if (status === 302) t.equal(response.headers.location, '/login/index', name)
      if (status === 429) t.ok(Number(response.headers['retry-after']) > 0, name)
      if (url.endsWith('absent')) t.match(response.body, '>NOT-FOUND<', 'code (contract ERROR-2)')
    }
  }
})

t.test('who gets which 404 for an unresolved path (contract E5)', async (t) => {
  const { app } = service
  const clients: [name: string, accept: string | undefined, type: string][] = [
    ['Chrome, Edge', chrome, html],
    ['Firefox, Safari', safari, html],
    ['Lynx', 'text/html, text/plain, text/sgml, text/css, */*;q=0.01', html],
    ['Chrome loading an image', 'image/avif,image/webp,image/apng,image/*,*/*;q=0.8', json],
    ['curl, wget, fetch, requests, Postman', '*/*', json],
    ['axios', axios, json],
    ['jQuery', 'application/json, text/javascript, */*; q=0.01', json],
    ['Go, Node http', undefined, json],
    ['openapi-fetch', 'application/json', json],
    ['Spring, .NET', 'application/json; charset=utf-8', json],
    ['one that expects problems', 'application/problem+json', json],
    ['JSON:API', 'application/vnd.api+json;ext="x", text/html;q=0.9', json],
    ['one that prefers HTML to problems', 'application/problem+json;q=0.5, text/html', html],
    ['one that wants a version', 'application/json;version="1;2", text/html;q=0.9', json],
    ['one that prefers HTML', 'application/json; charset=utf-8; q=0.5, text/html', html],
    ['a page in UTF-8', 'text/html; charset=utf-8', html],
    ['a broken one', ';;;q=,', html],
    ['one that sends a type without an end', 'a'.repeat(15_000), html]
  ]
  for (const [name, accept, type] of clients) {
    const headers = accept === undefined ? {} : { accept }
    for (const url of [
      '/no/such',
      '/assets/no.css',
      '/assets/',
      '/assets/..%2f500.html',
      '/api-docs/static/no.js'
    ]) {
      const response = await app.inject({ url, headers })
      t.same([response.statusCode, response.headers['content-type']], [404, type], `${name} ${url}`)
      t.equal(response.headers['cache-control'], 'no-store')
    }
  }
})

t.test('code and message are escaped on the error page (contract ERROR-2)', async (t) => {
  const { app } = await startService(t, {}, addFailing)
  const row = catalog['INVALID-TRANSITION']
  const { message } = row
  t.teardown(() => Object.assign(row, { message }))
  for (const [text, shown] of [
    [message, message],
    [
      `<script>alert("1")</script> & 'x'`,
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;'
    ],
    ["costs $1, $& and $' and $$", 'costs $1, $&amp; and $&#39; and $$']
  ] as const) {
    Object.assign(row, { message: text })
    const { statusCode, headers, body } = await openBrowser(app).get('/sample/transition')
    t.same([statusCode, headers['content-type']], [409, html], 'the status of the catalog')
    t.ok(body.includes('>INVALID-TRANSITION</p>'))
    t.ok(body.includes(`<p class="code">${shown}</p>`), shown)
    t.notMatch(body, '{{')
  }
})

t.test('no failure speaks twice: one sentence, beside what is wrong', async (t) => {
  const { app } = await startService(t, {
    ...{ SVC_USER_TODOS_MAX: '1', SVC_SIGN_UP: 'open', SVC_UPLOAD_TYPES: 'image/png,text/plain' },
    SVC_UPLOAD_MAX_BYTES: '2000000'
  })
  const demo = openBrowser(app)
  await demo.signIn()
  const { csrf_token = '' } = await demo.hiddenFields()
  const act = (url: string, fields: Record<string, string>) =>
    demo.submit(url, { csrf_token, ...fields })
  const admin = openBrowser(app)
  await admin.signIn('admin')
  const { csrf_token: token = '' } = await admin.hiddenFields()
  const ask = (url: string, fields: Record<string, string>) =>
    admin.submit(url, { csrf_token: token, ...fields })
  await act('/board/index', { action: 'add', title: 'one' })
  await ask('/admin/flags', { action: 'add', flag_name: 'x', rollout_pct: '0' })
  const upload = (content: string | Buffer) =>
    app.inject({
      ...{ method: 'POST', url: '/attachment/upload' },
      headers: {
        cookie: demo.cookie(),
        'content-type': `multipart/form-data; boundary=${boundary}`
      },
      payload: formBytes([
        { name: 'csrf_token', content: csrf_token },
        { filename: 'x.bin', content }
      ])
    })
  const many = { scopes: 'todo:read', expires_in: '9', unit: 'days' }
  const visitor = openBrowser(app)
  const [memos, tokens] = ['/memo/board', '/account/tokens']
  const signUp = { user_name: 'Anna', user_id: '!', e_mail: 'anna@example.com' }
  const profile = { action: 'password', user_pass: 'wrong', new_pass: 'a long new one' }
  const user = { action: 'edit', id: '2', user_name: 'x', e_mail: 'admin@example.com' }
  const flag = { action: 'override', flag_name: 'x', user_id: 'nobody', value: 'on' }
  const given: [Awaited<ReturnType<typeof act>>, ErrorCode, string | string[]][] = [
    [await visitor.signIn('demo', 'wrong'), 'LOGIN-FAILED', 'Wrong user ID or password.'],
    [
      await act('/board/index', { action: 'add', title: 'two' }),
      'CONFLICT',
      'There is no room for more. Delete what you no longer need first.'
    ],
    [
      await act('/board/index', { action: 'add', title: '' }),
      'TODO-TITLE-REQUIRED',
      'Say what needs to be done.'
    ],
    [
      await act('/board/index', { action: 'rename', id: '99', title: 'x' }),
      'TODO-NOT-FOUND',
      'This is no longer here.'
    ],
    [
      await act(memos, { action: 'write', body: '' }),
      'VALIDATION-FAILED',
      'Write something, at most 10,000 characters.'
    ],
    [
      await act(tokens, { action: 'maketoken', name: '', ...many }),
      'VALIDATION-FAILED',
      'Give it a name of at most 64 characters, in one line.'
    ],
    [await act('/account/profile', profile), 'LOGIN-FAILED', 'This is not your current password.'],
    [
      await act('/board/index', { action: 'nothing' }),
      'VALIDATION-FAILED',
      'Something in what was sent cannot be right. Check it, then try again.'
    ],
    [
      await demo.get('/memo/board?cursor=x'),
      'VALIDATION-FAILED',
      'Something in what was sent cannot be right. Check it, then try again.'
    ],
    [await demo.get('/admin/users'), 'FORBIDDEN', 'You may not do this.'],
    [await ask('/admin/users', user), 'CONFLICT', 'Another user has this email address.'],
    [
      await ask('/admin/users', { action: 'user', id: '1' }),
      'CONFLICT',
      'At least one unlocked administrator must remain.'
    ],
    [await ask('/admin/flags', flag), 'USER-NOT-FOUND', 'There is no such user.'],
    [
      await visitor.submit('/signup/index', signUp),
      'VALIDATION-FAILED',
      'Use 3 to 64 characters: the letters a to z, digits, dot, underscore and hyphen.'
    ],
    [
      await visitor.get(`/signup/confirm/token_${'a'.repeat(64)}`),
      'NOT-FOUND',
      'This link is not valid'
    ],
    [
      await visitor.get(`/account/address/token_${'a'.repeat(64)}`),
      'NOT-FOUND',
      'This link is not valid'
    ],
    [
      await upload(Buffer.from([0, 1, 2])),
      'UPLOAD-MIME-REJECTED',
      'Files of this type are not accepted. Choose one of: PNG, plain text.'
    ],
    [
      await upload('x'.repeat(2_000_001)),
      'UPLOAD-TOO-LARGE',
      'This file is too large. It may have at most 2 MB.'
    ],
    [await upload(''), 'UPLOAD-FILE-REQUIRED', 'Choose a file that is not empty.']
  ]
  for (const [{ statusCode, body }, code, expected] of given) {
    t.equal(statusCode, catalog[code].status, code)
    t.same(spokenOf(body, code), [expected].flat(), code)
  }
})

t.test('an unhandled failure is the static 500 page (contract E5)', async (t) => {
  const { app, log } = await startService(t, {}, addFailing)
  const browser = openBrowser(app)
  await browser.signIn()
  const fixed = readFileSync(
    new URL('../../../plugins/http/errors/500.html', import.meta.url),
    'utf8'
  )
  const thrown = await browser.get('/sample/thrown')
  t.same([thrown.statusCode, thrown.headers['content-type']], [500, html])
  t.ok(thrown.body.includes(fixed))
  t.notMatch(thrown.body, 'secret', 'shows nothing of the error')
  t.ok(log.some((line) => line.includes('<b>a secret</b>')))
})

t.test('a missing template is the static 500 page (contract E5)', async (t) => {
  const { app, log } = await startService(t, {}, (app) => {
    app.addHook('onRequest', async (request, reply) => {
      const { view } = reply
      if (request.url === '/board/index') reply.view = () => view.call(reply, 'no-such-template')
    })
  })
  const browser = openBrowser(app)
  await browser.signIn()
  const response = await browser.get('/board/index')
  t.same([response.statusCode, response.headers['content-type']], [500, html])
  t.match(response.body, '<h1>Something went wrong</h1>')
  t.notMatch(response.body, 'no-such-template')
  t.ok(log.some((line) => line.includes('no-such-template')))
  t.equal((await browser.get('/')).statusCode, 200, 'other pages work')
})

t.test('no page is cached, framed, or runs anything inline', async (t) => {
  const { app } = await startService(t, {}, addFailing)
  const visitor = openBrowser(app)
  const user = openBrowser(app)
  await user.signIn()
  const responses = [
    await user.submit('/board/index', {}),
    await user.submit('/login/index', { user_id: 'demo', user_pass: 'wrong' }),
    await user.submit('/login/index', {}, { 'sec-fetch-site': 'cross-site' })
  ]
  for (const url of [...pages, '/no/such', '/sample/transition', '/sample/thrown']) {
    responses.push(await visitor.get(url), await user.get(url))
  }
  for (const { headers, body, raw } of responses) {
    const name = String(raw.req.url)
    t.equal(headers['cache-control'], 'no-store', name)
    const policy = String(headers['content-security-policy'])
    t.match(policy, /default-src 'none'/)
    t.match(policy, /frame-ancestors 'none'/)
    t.match(policy, /base-uri 'none'/)
    t.match(policy, /form-action 'self'/)
    t.notMatch(policy, /unsafe|\*|data:|https?:/)
    const hasToken = name.startsWith('/password-reset')
    t.equal(headers['referrer-policy'], hasToken ? 'no-referrer' : 'same-origin', name)
    t.notMatch(body, /<style|style=|\son\w+=|javascript:|<script(?![^>]*\ssrc="\/)/i, name)
  }
})

t.test('forms may redirect to the origin of SVC_LOGOUT_URI (contract CSRF-4)', async (t) => {
  for (const [uri, policy] of [
    ['https://sso.example:444/out?to=x', "'self' https://sso.example:444"],
    ['http://sso.example', "'self' http://sso.example"],
    ['/login/index', "'self'"]
  ] as const) {
    const { app } = await startService(t, { SVC_LOGOUT_URI: uri })
    const response = await openBrowser(app).submit('/board/index', { action: 'add', title: 'x' })
    t.same([response.statusCode, response.headers.location], [302, uri])
    const [, found] =
      /form-action ([^;]+)/.exec(String(response.headers['content-security-policy'])) ?? []
    t.equal(found, policy)
  }
})

t.test('no view has an inline script or style, or anything from elsewhere', async (t) => {
  const cwd = new URL('../../../', import.meta.url)
  const names = globSync('{plugins,routes}/**/*.{eta,html}', { cwd })
  t.ok(names.length >= 30)
  for (const name of names) {
    const view = readFileSync(new URL(name, cwd), 'utf8')
    t.notMatch(view, /<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc="\/)/i, name)
    // Others: the link of the second factor opens an app on the user's own device, that of a provider leads to it, and a
    // field of an area is a link only if it is http or https.
    t.notMatch(
      view,
      /(src|href|action)="(?!\/|#|<%= (url|value|it\.(path|login)|file\.href|it\.show\.(setup\.otpauth_url|leave\.href)) %>)/,
      name
    )
    // `<%~` writes unescaped: for the layout's body, other views, texts that are marked, and text of the view itself.
    for (const [, raw = ''] of view.matchAll(/<%~(.*?)%>/gs)) {
      t.match(
        raw,
        /^ (it\.)?body $|^ (include|marked)\(.*\) $|^ [^?]* \? '[^']*' : '[^']*' $/,
        `${name}: ${raw}`
      )
    }
  }
})
