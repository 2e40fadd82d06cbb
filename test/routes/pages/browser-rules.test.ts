import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import {
  findings,
  listen,
  looks,
  noBrowser,
  openWindow,
  signInWith
} from '../../support/browser.ts'
import { samples, upload } from '../../support/form.ts'
import { signIn } from '../../support/helper.ts'

t.test('what holds for every page', { skip: noBrowser }, async (t) => {
  const { app, address: baseURL, sql } = await listen(t, { SVC_WEBHOOK_PRIVATE: '1' })
  const user = await signIn(app)
  const send = (url: string, body: object) => user.send('POST', url, body)
  const items = Array.from({ length: 50 }, (_, n) => ({ title: `Todo ${n}` }))
  await send('/todo/batch', { items })
  for (let n = 0; n < 15; n++) await send('/memo/index', { body: `Memo ${n}\nwith two lines` })
  for (let n = 0; n < 3; n++) await upload(app, user, samples.png, `picture ${n}.png`)
  for (let n = 0; n < 12; n++) {
    await send('/accesstoken/index', { name: `token ${n}`, scopes: ['todo:read'] })
  }
  const admin = await signIn(app, 'admin')
  for (let n = 0; n < 8; n++) {
    const url = `https://receiver.example/${n}`
    await admin.send('POST', '/subscription/index', { url, kinds: ['todo'] })
    await admin.send('POST', '/admin/featureflag/index', {
      flag_name: `flag-${n}`,
      is_enabled: false
    })
    const named = { user_id: `user${n}`, user_name: `User ${n}`, e_mail: `user${n}@example.com` }
    await admin.send('POST', '/admin/user/index', { ...named, role: 'admin' })
  }

  /** What each window has complained of. */
  const said: string[][] = []
  const open = async (
    t: Test,
    path: string,
    { user_id, ...options }: { javaScriptEnabled?: boolean; user_id?: string } = {}
  ) => {
    const { page, complaints } = await openWindow(t, { baseURL, ...options })
    await signInWith(page, user_id)
    await page.waitForURL('/')
    await page.goto(path)
    said.push(complaints)
    return page
  }
  const told = (page: Page) => page.locator('.told')
  const hasFocus = (page: Page) => page.evaluate('document.activeElement !== document.body')

  await t.test('nothing moves, and the focus stays, whatever is done to a row', async (t) => {
    for (const [path, button, done] of [
      ['/board/index', 'Complete: Todo 20', 'Reopen: Todo 20'],
      ['/board/index', 'Delete: Todo 22', 'Undo'],
      ['/board/index', 'Undo', ''],
      ['/memo/board', 'Publish: Memo 8', 'Archive: Memo 8'],
      ['/memo/board', 'Delete: Memo 7', 'Undo'],
      ['/attachment/board', 'Delete: picture 1.png', 'Undo'],
      ['/activity/board', 'Undo: Added Memo 6', '']
    ] as const) {
      const page = await open(t, path)
      if (button === 'Undo') await page.getByRole('button', { name: 'Delete: Todo 23' }).click()
      const control = page.getByRole('button', { name: button, exact: true }).first()
      await control.scrollIntoViewIfNeeded()
      const before = Number(await page.evaluate('scrollY'))
      await control.click()
      await (done === ''
        ? told(page).getByText('Undone: ').waitFor()
        : page.getByRole('button', { name: done, exact: true }).first().waitFor())
      const after = Number(await page.evaluate('scrollY'))
      t.ok(Math.abs(after - before) <= 2, `${path}, ${button}: from ${before} to ${after}`)
      t.ok(await hasFocus(page), `${path}, ${button}: something has the focus`)
      t.notMatch(page.url(), /done=|undo=/, 'a reload says nothing again')
    }
  })

  await t.test('nor does the desk or the account move', async (t) => {
    for (const [path, button, done] of [
      ['/account/webhooks', 'Pause: webhook 2', 'Resume: webhook 2'],
      ['/admin/flags', 'Turn on for everybody: flag-2', 'Turn off: flag-2'],
      ['/admin/users', 'Make a user: user2', 'Make an administrator: user2']
    ] as const) {
      const page = await open(t, path, { user_id: 'admin' })
      await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
      const control = page.getByRole('button', { name: button, exact: true })
      await control.scrollIntoViewIfNeeded()
      const before = Number(await page.evaluate('scrollY'))
      await control.click()
      await page.getByRole('button', { name: done, exact: true }).waitFor()
      const after = Number(await page.evaluate('scrollY'))
      t.ok(Math.abs(after - before) <= 2, `${path}, ${button}: from ${before} to ${after}`)
      t.ok(await hasFocus(page), `${path}, ${button}: something has the focus`)
    }
  })

  await t.test('after an addition the field is empty, and has the focus', async (t) => {
    const page = await open(t, '/board/index')
    const field = page.getByLabel('Title')
    for (const title of ['one after', 'the other']) {
      await page.keyboard.press('Tab')
      await field.focus()
      await page.keyboard.type(title)
      await page.keyboard.press('Enter')
      await page.locator('.todos').getByText(title, { exact: true }).waitFor()
      t.equal(await field.inputValue(), '')
      t.equal(await page.locator(':focus').getAttribute('name'), 'title')
    }
  })

  await t.test('what is typed elsewhere stays, whatever changes', async (t) => {
    const page = await open(t, '/memo/board')
    const field = page.getByLabel('New memo')
    await field.fill('half a mem')
    await page.getByLabel('Edit: Memo 4').click()
    const edited = page.locator('#memo-5 textarea')
    await edited.fill('half an edit')
    await page.getByRole('button', { name: 'Publish: Memo 3' }).click()
    await page.getByRole('button', { name: 'Archive: Memo 3' }).waitFor()
    await send('/memo/index', { body: 'of a program' })
    await page.getByText('of a program').first().waitFor()
    t.equal(await field.inputValue(), 'half a mem')
    t.equal(await edited.inputValue(), 'half an edit')
    t.ok(await page.locator('#memo-5 details').evaluate((it) => it.hasAttribute('open')))
  })

  await t.test('a refused form stands there again, with its values and problems', async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open(t, '/account/tokens', { javaScriptEnabled })
      await page.getByLabel('Name').fill('kept')
      await page.getByRole('button', { name: 'Create a token' }).click()
      await page.getByText('Choose at least one thing that it may do.').waitFor()
      t.equal(await page.getByLabel('Name').inputValue(), 'kept')
      const invalid = page.locator('[aria-invalid]').first()
      t.equal(await invalid.getAttribute('name'), 'scopes')
      if (javaScriptEnabled) {
        t.equal(await page.locator(':focus').getAttribute('name'), 'scopes', 'the first is focused')
      }

      await page.goto('/board/index')
      await page.getByLabel('Title').fill('   ')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByText('Say what needs to be done.').first().waitFor()
      const field = page.getByLabel('Title')
      t.equal(await field.getAttribute('aria-invalid'), 'true')
      const described = (await field.getAttribute('aria-describedby')) ?? ''
      t.match(await page.locator(`[id="${described}"]`).textContent(), 'Say what needs to be done.')
    }
  })

  await t.test('a memo that somebody else has changed shows both texts', async (t) => {
    const page = await open(t, '/memo/board')
    await page.getByLabel('Edit: Memo 11').click()
    // Before the page hears of it.
    await page.route('**/activity/stream*', (route) => route.abort())
    await page.locator('#memo-12 textarea').fill('my text')
    await sql("UPDATE memos SET body = 'their text', version = version + 1 WHERE id = 12")
    await page.locator('#memo-12').getByRole('button', { name: 'Save' }).click()
    await page.locator('#memo-12').getByText('What it says now').waitFor()
    t.match(await page.locator('#memo-12 .beside').textContent(), 'their text')
    t.equal(await page.locator('#memo-12 textarea').inputValue(), 'my text')
    await page.getByRole('button', { name: 'Save your text' }).click()
    await told(page).getByText('Changed their text to my text').waitFor()
    t.match(await page.locator('#memo-12 .text').first().textContent(), 'my text')
  })

  await t.test('what cannot be undone is asked about; Escape closes the question', async (t) => {
    const page = await open(t, '/account/tokens')
    const revoke = page.getByRole('button', { name: 'Revoke: token 11' })
    await revoke.click()
    const dialog = page.getByRole('dialog', { name: 'Revoke “token 11”?' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    t.equal(await revoke.count(), 1, 'nothing is done')
    await revoke.click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await told(page).getByText('The token was revoked.').waitFor()
    t.equal(await revoke.count(), 0)
  })

  await t.test('who is signed out meanwhile loses nothing that was typed', async (t) => {
    const page = await open(t, '/board/index')
    await page.getByLabel('Title').fill('typed before')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('dialog').getByText('You have been signed out').waitFor()
    await page.context().addCookies(cookies)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    t.equal(await page.getByLabel('Title').inputValue(), 'typed before')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.locator('.todos').getByText('typed before', { exact: true }).waitFor()
  })

  await t.test('nor without JavaScript', async (t) => {
    const page = await open(t, '/memo/board', { javaScriptEnabled: false })
    await page.getByLabel('New memo').fill('typed <b>before</b>')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Add memo' }).click()
    await page.getByText('Your session has ended').waitFor()
    t.equal(await page.getByLabel('body').inputValue(), 'typed <b>before</b>')
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    ])
    await tab.getByLabel('User ID').fill('demo')
    await tab.getByLabel('Password').fill('demo')
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    await tab.waitForURL('/memo/board')
    await tab.close()
  })

  await t.test('a file is uploaded with its progress, and appears', async (t) => {
    const page = await open(t, '/attachment/board')
    const file = { name: 'dropped.txt', mimeType: 'text/plain', buffer: Buffer.from('text') }
    await page.getByLabel('Choose a file').setInputFiles(file)
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('link', { name: 'dropped.txt' }).waitFor()
    const wrong = { ...file, name: 'page.html', buffer: Buffer.from('<html></html>') }
    await page.getByLabel('Choose a file').setInputFiles(wrong)
    await page.getByRole('button', { name: 'Upload' }).click()
    await told(page).waitFor()
    t.equal(await page.locator('.files img').count(), 2, 'pictures in small')
  })

  await t.test('times are in the zone of the reader, and the page says where one is', async (t) => {
    const page = await open(t, '/memo/board')
    const time = page.locator('time').first()
    t.match(await time.getAttribute('title'), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    t.equal(await page.locator('nav a[aria-current=page]').first().textContent(), 'Memos')
    await page.goto('/no/such')
    await page.getByRole('navigation').getByRole('link', { name: 'Memos' }).waitFor()
  })

  for (const javaScriptEnabled of [true, false]) {
    const form = javaScriptEnabled ? 'a phone' : 'a phone without JavaScript'
    await t.test(`the pages stand in a menu on ${form}`, async (t) => {
      const page = await open(t, '/board/index', { javaScriptEnabled })
      await page.setViewportSize({ width: 390, height: 700 })
      const header = page.locator('body > header')
      const link = header.getByRole('link', { name: 'Memos' })
      t.equal(await link.isVisible(), false)
      t.ok(Number((await header.boundingBox())?.height) < 80, 'it is one line')
      await header.getByRole('button', { name: 'Menu' }).click()
      await link.click()
      await page.waitForURL('/memo/board')
    })
  }

  const withRows = [
    ...['/board/index', '/memo/board', '/attachment/board', '/activity/board', '/plan/board'],
    ...['tokens', 'sessions', 'webhooks'].map((name) => `/account/${name}`),
    ...['users', 'rows', 'flags', 'audit'].map((name) => `/admin/${name}`)
  ]

  await t.test(
    'what a row offers stands at its end, apart, and what deletes it last',
    async (t) => {
      const page = await open(t, '/', { user_id: 'admin' })
      await upload(app, admin, samples.png, 'of the administrator.png')
      await admin.send('POST', '/memo/index', { body: 'of the administrator' })
      await admin.send('POST', '/todo/index', { title: 'of the administrator' })
      await admin.send('POST', '/accesstoken/index', { name: 'one', scopes: ['todo:read'] })
      const seen = new Set()
      for (const width of [390, 1200]) {
        await page.setViewportSize({ width, height: 900 })
        for (const path of withRows) {
          await page.goto(path)
          const rows = (await page.evaluate(`[...document.querySelectorAll('.row-end')]
          .filter((row) => !row.parentElement.closest('.row-end'))
          .map((row) => {
            const all = [...row.querySelectorAll(':is(summary, .button, button):not(details > form *)')]
            const boxes = all.map((one) => one.getBoundingClientRect())
            const around = row.closest('li, td, article').getBoundingClientRect()
            return {
              names: all.map((one) => one.textContent.trim()),
              gaps: boxes.slice(1).map((box, at) =>
                box.top >= boxes[at].bottom ? 8 : box.left - boxes[at].right),
              end: around.right - Math.max(...boxes.map(({ right }) => right))
            }
          })`)) as { names: string[]; gaps: number[]; end: number }[]
          for (const { names, gaps, end } of rows) {
            const where = `${path} at ${width} px: ${names}`
            for (const name of names) seen.add(name)
            const deletes = names.findIndex((name) => /^(Delete|Revoke|End|Remove)$/.test(name))
            t.ok(deletes === -1 || deletes === names.length - 1, `${where}: it stands last`)
            if (names.includes('Edit')) t.equal(names.at(-2), 'Edit', where)
            t.ok(Math.min(8, ...gaps) >= 7.9, `${where}: ${gaps} px apart`)
            t.ok(end <= 18, `${where}: ${end} px from the end`)
          }
        }
      }
      for (const name of ['Edit', 'Delete', 'Link', 'Publish', 'Undo', 'Revoke', 'Pause', 'End']) {
        t.ok(seen.has(name), name)
      }
    }
  )

  await t.test('controls of one line stand on one line', async (t) => {
    const page = await open(t, '/', { user_id: 'admin' })
    for (const width of [390, 1200])
      for (const path of withRows) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(path)
        await page.evaluate(
          'for (const one of document.querySelectorAll("details")) one.open = true'
        )
        const uneven =
          await page.evaluate(`[...document.querySelectorAll('form, .row-end')].flatMap((form) => {
        const all = [...form.querySelectorAll('input:not([type=hidden], [type=checkbox]), select, button, .button, .edit > summary')]
          .map((control) => [control, control.getBoundingClientRect()])
          .filter(([, { height }]) => height > 0)
        return all.filter(([, one]) => all.some(([, other]) =>
          one.top < other.bottom && other.top < one.bottom && Math.abs(one.top + one.bottom - other.top - other.bottom) > 2
        )).map(([control]) => control.outerHTML)
      })`)
        t.same(uneven, [], `${path} at ${width} px`)
      }
  })

  await t.test('axe finds nothing on any page', async (t) => {
    const page = await open(t, '/')
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      for (const path of [
        ...['/', '/board/index', '/memo/board', '/attachment/board', '/activity/board'],
        ...['/plan/board'],
        ...['/account/tokens?done=revoketoken', '/account/programs', '/no/such', '/logout/index']
      ]) {
        await page.goto(path)
        t.same(await findings(page), [], `${path} at ${width}, ${colorScheme}`)
      }
    }
  })

  await t.test('nor on one of a visitor, nor on a dialog', async (t) => {
    const { page: visitor } = await openWindow(t, { baseURL })
    const page = await open(t, '/')
    const dialogs: [path: string, open: () => Promise<void>][] = [
      ['/board/index', () => page.keyboard.press('?')],
      ['/account/tokens', () => page.getByRole('button', { name: 'Revoke: token 10' }).click()]
    ]
    for (const { width, colorScheme } of [looks[0], looks[3]]) {
      for (const window of [visitor, page]) {
        await window.setViewportSize({ width, height: 900 })
        await window.emulateMedia({ colorScheme })
      }
      for (const [path, window] of [
        ...['/', '/login/index', '/password-reset', '/password-reset/x', '/oauth/device'].map(
          (path) => [path, visitor] as const
        ),
        ...['/account/sessions', '/account/webhooks'].map((path) => [path, page] as const)
      ] as const) {
        await window.goto(path)
        t.same(await findings(window), [], `${path} at ${width}, ${colorScheme}`)
      }
      for (const [path, show] of dialogs) {
        await page.goto(path)
        await show()
        await page.getByRole('dialog').waitFor()
        t.same(await findings(page), [], `a dialog of ${path} at ${width}, ${colorScheme}`)
      }
    }
  })

  await t.test('a new visitor of the board takes at most 45 kB in at most 9 answers', async (t) => {
    const { page } = await openWindow(t, { baseURL })
    await signInWith(page, 'admin')
    await page.waitForURL('/')
    await page.goto('/board/index')
    const [count, bytes] = (await page.evaluate(`(() => {
      const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      return [all.length, all.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)]
    })()`)) as [number, number]
    t.ok(count <= 9, `${count} answers`)
    t.ok(bytes <= 45_000, `${bytes} bytes`)
  })
  t.same(said.flat(), [])
})
