import type { Page } from 'playwright-core'
import t from 'tap'
import { makeAccessToken } from '../../support/access-token.ts'
import { listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'
import { samples, upload } from '../../support/form.ts'
import { signIn } from '../../support/helper.ts'

const controls =
  /^\s*- '?(button|link|textbox|searchbox|checkbox|combobox|spinbutton)(?: "(.*?)")?[ :']*/

t.test('what a screen reader says of the pages', { skip: noBrowser }, async (t) => {
  const { app, address: baseURL } = await listen(t, { SVC_WEBHOOK_PRIVATE: '1' })
  const demo = await signIn(app)
  const { bearer } = await makeAccessToken(app)
  const program = (method: 'POST' | 'PATCH', url: string, payload: object) =>
    app.inject({ method, url, headers: bearer, payload })
  for (const title of ['Buy milk', 'שלום', 'Call home']) {
    await demo.send('POST', '/todo/index', { title })
  }
  await demo.send('POST', '/memo/index', { body: 'Notes\nfor the trip' })
  await upload(app, demo, samples.png, 'a picture.png')
  await program('POST', '/todo/index', { title: 'Book the ferry' })
  for (const purpose of ['Shopping', 'Tidying']) {
    const steps = [{ operation: 'createTodo', arguments: { title: `of ${purpose}` } }]
    await program('POST', '/plan/index', { purpose, steps })
  }
  const { page, complaints } = await openWindow(t, { baseURL })
  await signInWith(page)
  await page.waitForURL('/')
  const treeOf = (page: Page) => page.locator('body').ariaSnapshot()

  await t.test('parts, headings and controls have names, in their order', async (t) => {
    for (const [path, said] of [
      [
        '/',
        [
          'heading "Hello, Demo" [level=1]',
          'heading "Waiting for your answer" [level=2]',
          'article "Shopping"',
          'button "Apply: Shopping"',
          'button "Refuse: Shopping"',
          'heading "Recent changes" [level=2]',
          'strong: Book the ferry',
          'heading "Open todos" [level=2]'
        ]
      ],
      [
        '/board/index',
        [
          'navigation "Todos"',
          'heading "Todos 4 open" [level=1]',
          'textbox "Title"',
          'button "Add"',
          'button "Complete: Book the ferry"',
          'button "Delete: Book the ferry"',
          'button "Complete: Call home"'
        ]
      ],
      [
        '/memo/board',
        [
          'textbox "New memo"',
          'search:',
          'searchbox "Search"',
          'article "Notes"',
          'button "Publish: Notes"',
          'button "Delete: Notes"'
        ]
      ],
      [
        '/attachment/board',
        [
          'button "Choose a file, or drop it here"',
          'button "Upload"',
          'link "a picture.png"',
          'button "Link for others: a picture.png"',
          'button "Delete: a picture.png"'
        ]
      ],
      [
        '/plan/board',
        [
          'link "Approvals 2 waiting"',
          'heading "Approvals" [level=1]',
          'article "Tidying"',
          'textbox "Reason, if you refuse (optional)"',
          'button "Apply: Tidying"',
          'button "Refuse: Tidying"',
          'article "Shopping"'
        ]
      ],
      [
        '/activity/board',
        [
          'heading "Activity" [level=1]',
          'article "a program"',
          'button "Undo: Added Book the ferry"',
          'article "You"',
          'button "Undo: Added Notes"'
        ]
      ],
      [
        '/account/tokens',
        [
          'navigation "Account"',
          'heading "Access tokens" [level=1]',
          'button "Revoke: a program"',
          'heading "New token" [level=2]',
          'textbox "Name"',
          'group "What it may do"',
          'checkbox "See your todos'
        ]
      ],
      [
        '/account/signin',
        [
          'heading "Ways to sign in" [level=1]',
          'heading "Passkeys" [level=2]',
          'textbox "Name"',
          'button "Create a passkey"',
          'heading "Second factor" [level=2]',
          'button "Set up"'
        ]
      ]
    ] as const) {
      await page.goto(path)
      const tree = await treeOf(page)
      let at = 0
      for (const part of [
        'link "Skip to content"',
        'banner:',
        'navigation "Main"',
        'contentinfo:'
      ]) {
        t.ok(tree.includes(`- ${part}`), `${path}: ${part}`)
      }
      for (const part of said) {
        const next = tree.indexOf(part, at)
        t.ok(next >= at, `${path}: ${part}, after what stands before it`)
        at = Math.max(at, next)
      }
      const levels = [...tree.matchAll(/heading .*\[level=(\d)\]/g)].map(([, level]) =>
        Number(level)
      )
      t.equal(levels[0], 1, `${path}: the first heading is the title`)
      t.ok(
        levels.every((level, n) => n === 0 || level <= (levels[n - 1] ?? 0) + 1),
        `${path}: ${levels}`
      )
      const names = tree.split('\n').flatMap((line) => {
        const [, role, name] = controls.exec(line) ?? []
        return role ? [`${role} ${name ?? ''}`] : []
      })
      t.same(
        names.filter((name) => name.endsWith(' ')),
        [],
        `${path}: each has a name`
      )
      const buttons = names.filter((name) => name.startsWith('button'))
      t.equal(new Set(buttons).size, buttons.length, `${path}: no two buttons say the same`)
    }
  })

  /** Keeps what live regions say from now on. */
  const listenTo = (page: Page) =>
    page.evaluate(`(() => {
      window.said = []
      let last = ''
      new MutationObserver(() => {
        const now = [...document.querySelectorAll('[role=status], [role=alert]')]
          .map((part) => part.textContent.replaceAll(/\\s+/g, ' ').trim()).filter(Boolean).join('; ')
        if (now !== last && now) window.said.push(now)
        last = now
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    })()`)
  const saidIn = (page: Page) => page.evaluate('window.said') as Promise<string[]>

  await t.test('what changes by itself is told once, and politely', async (t) => {
    await page.goto('/board/index')
    await listenTo(page)
    for (const n of [1, 2, 3]) await program('POST', '/todo/index', { title: `todo ${n}` })
    await page.locator('.todos').getByText('todo 3', { exact: true }).waitFor()
    await page.locator('#live').getByText('updated').waitFor()
    t.same(await saidIn(page), ['This page has been updated.'])
    t.equal(
      await page
        .locator('[role=alert]')
        .textContent()
        .then((text) => text?.trim()),
      ''
    )
  })

  await t.test(
    'what its reader does is told in words, and not as a change of the page',
    async (t) => {
      await page.goto('/board/index')
      await listenTo(page)
      await page.getByRole('button', { name: 'Delete: todo 2' }).click()
      await page.locator('.told').getByText('Deleted todo 2').waitFor()
      // What a program does afterwards: by then the own change has come over the stream too.
      await program('POST', '/todo/index', { title: 'todo 4' })
      await page.locator('.todos').getByText('todo 4', { exact: true }).waitFor()
      await page.locator('#live').getByText('updated').waitFor()
      t.same(await saidIn(page), [
        'Deleted todo 2 Undo',
        'Deleted todo 2 Undo; This page has been updated.'
      ])
    }
  )

  await t.test('what is wrong with a field is its description, and it has the focus', async (t) => {
    await page.goto('/board/index')
    await listenTo(page)
    await page.getByLabel('Title').fill('  ')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.locator('#add-title-problem').getByText('Say what needs to be done.').waitFor()
    t.equal(await page.locator(':focus').getAttribute('aria-describedby'), 'add-title-problem')
    t.same(await saidIn(page), [], 'not twice')
  })

  await t.test('another refusal is an alert, a question a dialog with its text', async (t) => {
    await page.goto('/board/index')
    await listenTo(page)
    await page.evaluate("document.querySelector('.todos [name=id]').value = '999999'")
    await page.locator('.todos .check').first().click()
    await page.locator('[role=alert] .told').waitFor()
    t.match(await saidIn(page), ['This is no longer here.'])
    await page.goto('/account/tokens')
    await page.getByRole('button', { name: 'Revoke: a program' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke “a program”?' })
    await dialog.waitFor()
    const described = await dialog.getAttribute('aria-describedby')
    t.match(await page.locator(`#${described}`).textContent(), 'stop working at once')
  })
  t.same(complaints, [])
})
