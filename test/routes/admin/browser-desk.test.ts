import t from 'tap'
import {
  findings,
  listen,
  looks,
  noBrowser,
  openWindow,
  signInWith
} from '../../support/browser.ts'

t.test('the desk in a real browser', { skip: noBrowser }, async (t) => {
  const { app, address, sql } = await listen(t)
  const desk = '/admin/hour'

  await t.test(
    'without JavaScript: a flag, its share, an override, and the audit trail',
    async (t) => {
      const { page, complaints } = await openWindow(t, {
        baseURL: address,
        javaScriptEnabled: false
      })
      await signInWith(page, 'admin')
      await page.getByRole('navigation').getByRole('link', { name: 'Desk' }).click()
      await page.getByRole('link', { name: 'Feature flags' }).click()
      await page.getByLabel('Name', { exact: true }).fill('checkout.new-form')
      await page.getByLabel('Percentage of users').last().fill('25')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      const flags = page.getByRole('main')
      await flags.getByRole('status').getByText('The flag was set.').waitFor()
      await flags.getByText('On for 25% of users').waitFor()

      const open = () => flags.getByText('Share and overrides of checkout.new-form').click()
      await open()
      await flags.getByLabel('Percentage of users').first().fill('0')
      await flags.getByRole('button', { name: 'Change the share of checkout.new-form' }).click()
      await flags.getByText('Reaches 0 of 2 users').waitFor()
      await open()
      await flags.getByLabel('User ID').fill('demo')
      await flags.getByRole('button', { name: 'Set the override of checkout.new-form' }).click()
      await flags.getByText('Reaches 1 of 2 users').waitFor()
      await flags.getByRole('button', { name: 'Turn on for everybody: checkout.new-form' }).click()
      await flags.getByText('Reaches 2 of 2 users').waitFor()
      await open()
      await flags
        .getByRole('button', { name: 'Remove the override of checkout.new-form for demo' })
        .click()
      await flags.getByRole('button', { name: 'Turn off: checkout.new-form' }).click()
      await flags.getByText('Reaches 0 of 2 users').waitFor()

      await open()
      await flags.getByLabel('User ID').fill('nobody')
      await flags.getByRole('button', { name: 'Set the override of checkout.new-form' }).click()
      await flags.getByText('There is no such user.').waitFor()
      t.equal(await page.locator(':focus').getAttribute('aria-invalid'), 'true')

      await page.goto('/admin/audit')
      const log = page.getByRole('main')
      await log.getByLabel('Event').selectOption('override-change')
      await log.getByLabel('User ID').fill('admin')
      await log.getByRole('button', { name: 'Show' }).click()
      await page.waitForURL(/\?event=override-change&user_id=admin$/)
      t.equal(await log.locator('tbody tr').count(), 2)
      await log.getByRole('link', { name: 'Show all' }).click()
      await log.getByRole('cell', { name: 'login admin' }).waitFor()
      t.same(complaints, [])
    }
  )

  await t.test('without JavaScript: a user is found, locked and unlocked', async (t) => {
    const options = { baseURL: address, javaScriptEnabled: false }
    const { page, complaints } = await openWindow(t, options)
    await signInWith(page, 'admin')
    await page.goto('/admin/users')
    const users = page.getByRole('main')
    await users.getByLabel('User ID, name or email address').fill('DEMO@')
    await users.getByRole('button', { name: 'Find' }).click()
    const manage = () => users.getByText('Manage demo').click()
    await manage()
    t.equal(await users.getByRole('listitem').count(), 1)
    await users.getByRole('button', { name: 'Lock: demo' }).click()
    await page.getByRole('dialog').getByText('Lock demo?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click()
    await users.getByRole('status').getByText('The user was locked').waitFor()
    await users.getByText('Locked by an administrator').waitFor()
    await manage()
    await users.getByRole('button', { name: 'Unlock: demo' }).click()
    await users.getByRole('status').getByText('The user was unlocked.').waitFor()
    t.equal(await users.getByText('Locked by an administrator').count(), 0)
    await users.getByRole('link', { name: 'Show all' }).click()
    await users.getByText('Manage admin').click()
    await users.getByRole('button', { name: 'Make a user: admin' }).click()
    await users.getByText('At least one unlocked administrator must remain.').waitFor()
    t.same(complaints, [])
  })

  await t.test('by keyboard alone: open the figures, add a flag', async (t) => {
    const { page, complaints } = await openWindow(t, { baseURL: address })
    await signInWith(page, 'admin')
    await page.waitForURL('/')
    await page.goto(desk)
    const { keyboard } = page
    const focus = page.locator(':focus')
    const tabTo = async (name: string) => {
      for (let i = 0; i < 40; i++) {
        await keyboard.press('Tab')
        if ((await focus.textContent())?.includes(name)) return
      }
      t.fail(`no way to ${name}`)
    }
    await tabTo('Figures for Requests')
    t.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid')
    await keyboard.press('Enter')
    await page.getByRole('region', { name: 'Figures for Requests' }).getByRole('table').waitFor()
    await keyboard.press('Tab')
    t.equal(await focus.getAttribute('aria-label'), 'Figures for Requests', 'it can be scrolled')
    await page.goto('/admin/flags')
    do await keyboard.press('Tab')
    while ((await focus.getAttribute('id')) !== 'add-flag_name')
    await keyboard.type('by.keyboard')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'by.keyboard' }).waitFor()
    t.same(complaints, [])
  })

  await t.test('axe finds nothing, at any width, light or dark, all details open', async (t) => {
    const now = app.timestamp()
    await sql(
      `insert into feature_flags (created_at, updated_at, flag_name, is_enabled, rollout_pct)
      values ('${now}', '${now}', '<script>${'x'.repeat(100)}</script>', false, 0)`
    )
    await app.db.repos.users.insert({
      ...{ user_id: 'x'.repeat(255), user_name: 'y'.repeat(255), role: 'admin' },
      ...{ e_mail: `${'z'.repeat(200)}@example.com`, password_hash: '', now, now_ms: app.now() }
    })
    await sql("update users set locked_at = 1 where role = 'admin' and id > 2")
    for (const status of [200, 304, 404, 500]) app.lastHour.request(status, status / 10)
    app.lastHour.signIn('ACCOUNT-LOCKED')
    const { page, complaints } = await openWindow(t, { baseURL: address })
    await signInWith(page, 'admin')
    await page.waitForURL('/')
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      for (const path of [
        desk,
        ...['users', 'flags', 'programs', 'webhooks', 'rows', 'audit'].map(
          (name) => `/admin/${name}`
        ),
        '/admin/audit?event=nonsense',
        '/admin/audit?user_id=nobody',
        '/admin/users?q=x&done=lock'
      ]) {
        const name = `${path} at ${width}, ${colorScheme}`
        await page.goto(path)
        await page.evaluate(
          'for (const part of document.querySelectorAll("details")) part.open = true'
        )
        t.same(await findings(page), [], name)
      }
      t.same(complaints, [])
    }
  })
})
