import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'
import { samples, upload } from '../../support/form.ts'
import { signIn } from '../../support/helper.ts'

t.test('without a mouse', { skip: noBrowser }, async (t) => {
  const { app, address: baseURL } = await listen(t, { SVC_WEBHOOK_PRIVATE: '1' })
  const admin = await signIn(app, 'admin')
  await admin.send('POST', '/todo/index', { title: 'Buy milk' })
  await admin.send('POST', '/memo/index', { body: 'A memo' })
  await upload(app, admin, samples.png, 'a picture.png')
  await admin.send('POST', '/accesstoken/index', { name: 'a token', scopes: ['todo:read'] })
  const flag = { flag_name: 'a-flag', is_enabled: false }
  await admin.send('POST', '/admin/featureflag/index', flag)

  const complaints: string[][] = []
  const open = async (t: Test, path: string) => {
    const window = await openWindow(t, { baseURL })
    complaints.push(window.complaints)
    await signInWith(window.page, 'admin')
    await window.page.waitForURL('/')
    await window.page.goto(path)
    return window.page
  }
  const focus = (page: Page) => page.locator(':focus')
  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }

  await t.test('add, edit, delete and undo, by shortcuts and Tab', async (t) => {
    const page = await open(t, '/')
    await press(page, 'g', 't')
    await page.waitForURL('/board/index')
    await press(page, 'n')
    t.equal(await focus(page).getAttribute('name'), 'title')
    await page.keyboard.type('ngtu/?')
    t.equal(await focus(page).inputValue(), 'ngtu/?', 'within a field they are letters')
    await press(page, 'Enter')
    await page.locator('.todos').getByText('ngtu/?', { exact: true }).waitFor()
    await press(page, 'Tab', 'Tab', 'Tab')
    t.equal(await focus(page).getAttribute('aria-label'), 'Edit: ngtu/?')
    await press(page, 'Enter', 'Tab')
    await page.keyboard.type('Pack')
    await press(page, 'Enter')
    await page.locator('.told').getByText('Renamed').waitFor()
    await page.getByLabel('Edit: Pack').focus()
    await press(page, 'Tab')
    t.equal(await focus(page).getAttribute('aria-label'), 'Delete: Pack')
    await press(page, 'Enter')
    await page.locator('.told').getByText('Deleted').waitFor()
    await press(page, 'u')
    t.equal(await focus(page).textContent(), 'Undo')
    await press(page, 'Enter')
    await page.locator('.told').getByText('Undone: Delete Pack').waitFor()
    await page.locator('.todos').getByText('Pack', { exact: true }).waitFor()
  })

  await t.test('n and / lead to the form and the search of a page, or nowhere', async (t) => {
    const page = await open(t, '/memo/board')
    for (const [path, add, search] of [
      ['/memo/board', 'body', 'q'],
      ['/attachment/board', 'file', null],
      ['/account/tokens', 'name', null],
      ['/account/webhooks', 'url', null],
      ['/admin/flags', 'flag_name', null],
      ['/admin/users', 'user_id', 'q'],
      ['/admin/rows', null, 'kind'],
      ['/admin/audit', null, 'event'],
      ['/activity/board', null, null]
    ] as const) {
      for (const [key, name] of [
        ['n', add],
        ['/', search]
      ] as const) {
        await page.goto(path)
        await press(page, key)
        const has = (await focus(page).count()) > 0 ? await focus(page).getAttribute('name') : null
        t.equal(has, name, `${path}: ${key}`)
      }
    }
  })

  await t.test('? shows them, and switches them off', async (t) => {
    const page = await open(t, '/board/index')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await press(page, 'Control+n', 'Alt+n', 'Meta+n')
    t.equal(await focus(page).count(), 0, 'not with a modifier')
    await press(page, '?')
    await dialog.waitFor()
    t.match(await dialog.textContent(), /Add something here.*Home.*Todos.*Sign out/s)
    await admin.send('POST', '/todo/index', { title: 'of a program' })
    await page.getByText('of a program').waitFor()
    t.ok(await dialog.isVisible(), 'it stays while the page changes')
    await press(page, 'n')
    t.equal(await focus(page).textContent(), 'Close', 'nothing behind it gets the focus')
    await dialog.getByLabel('Shortcuts are on').focus()
    await press(page, 'Space', 'Escape')
    await dialog.waitFor({ state: 'hidden' })
    for (const again of [false, true]) {
      if (again) await page.reload()
      await press(page, 'n', '?', 'g', 'm')
      t.equal(await dialog.count(), 0)
      t.match(page.url(), '/board/index')
    }
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).press('Enter')
    await dialog.getByLabel('Shortcuts are on').press('Space')
    await press(page, 'Escape')
    await dialog.waitFor({ state: 'hidden' })
    t.equal(await focus(page).textContent(), 'Keyboard shortcuts', 'the focus goes back')
    await press(page, 'n')
    t.equal(await focus(page).getAttribute('name'), 'title')
  })

  await t.test('Tab reaches all of a page, in its order, and shows where it is', async (t) => {
    const page = await open(t, '/')
    for (const path of [
      ...['/', '/board/index', '/memo/board', '/attachment/board', '/activity/board'],
      ...['/account/tokens', '/account/signin', '/account/sessions', '/account/webhooks'],
      ...['/plan/board', '/admin/users', '/admin/rows', '/admin/flags', '/admin/audit']
    ]) {
      await page.goto(path)
      const wanted =
        (await page.evaluate(`[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
        .filter((one) => !one.disabled && one.checkVisibility() && one.type !== 'hidden')
        .map((one, at) => { one.dataset.at = at; return at })`)) as number[]
      const reached: number[] = []
      const invisible: string[] = []
      for (const _ of wanted) {
        await press(page, 'Tab')
        const [at, outline, html] = (await page.evaluate(`(() => {
          const { activeElement: one } = document
          return [Number(one.dataset.at), getComputedStyle(one).outlineStyle, one.outerHTML]
        })()`)) as [number, string, string]
        reached.push(at)
        if (outline === 'none') invisible.push(html)
      }
      t.same(reached, wanted, path)
      t.same(invisible, [], `${path}: a focus that nobody sees`)
    }
  })
  t.same(complaints.flat(), [])
})
