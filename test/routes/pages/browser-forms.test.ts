import t from 'tap'
import { listen, noBrowser, openWindow, signInWith } from '../../support/browser.ts'
import { samples, upload } from '../../support/form.ts'
import { signIn } from '../../support/helper.ts'

const paths = [
  ...['/board/index', '/memo/board'],
  ...['profile', 'signin', 'tokens', 'webhooks'].map((name) => `/account/${name}`),
  ...['users', 'flags', 'programs'].map((name) => `/admin/${name}`)
]

/** Opens what is closed, leaves the judgement to the server, and fills the forms that have fields wrongly. */
const fillWrongly = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true
  return [...document.querySelectorAll('form[method=post]')]
    .filter((form) => form.querySelector('input:not([type=hidden], [hidden]), textarea'))
    .map((form, index) => {
      form.noValidate = true
      form.dataset.index = index
      for (const field of form.querySelectorAll('input:not([type=hidden], [hidden]), textarea')) {
        if (['checkbox', 'file', 'password'].includes(field.type)) continue
        const isEmpty = field.type === 'number' || ['title', 'body', 'user_name'].includes(field.name)
        field.value = isEmpty ? '' : 'kept, but wrong '.repeat(5)
      }
      const kept = [...form.elements].filter(({ value }) => value?.startsWith('kept'))
      return kept.map(({ name }) => name)
    })
})()`

interface Refused {
  focus: string
  invalid: { name: string; said: string }[]
  kept: string[]
}

/** What a refused form shows. */
const refused = `(() => {
  const invalid = [...document.querySelectorAll('[aria-invalid=true]')]
  const said = (field) => (field.closest('[aria-describedby]')?.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent.trim())
    .pop()
  const values = [...invalid[0].form.querySelectorAll('input:not([type=hidden], [hidden]), textarea')]
  return {
    focus: document.activeElement.name,
    invalid: invalid.map((field) => ({ name: field.name, said: said(field) })),
    kept: values.filter((one) => one.value.startsWith('kept')).map(({ name }) => name)
  }
})()`

t.test('every form that is refused says why, beside its field', { skip: noBrowser }, async (t) => {
  const { app, address: baseURL } = await listen(t, { SVC_WEBHOOK_PRIVATE: '1' })
  const admin = await signIn(app, 'admin')
  const send = (url: string, body: object) => admin.send('POST', url, body)
  await send('/todo/index', { title: 'a todo' })
  await send('/memo/index', { body: 'a memo' })
  await upload(app, admin, samples.png, 'a picture.png')
  await send('/admin/featureflag/index', { flag_name: 'a-flag', is_enabled: false })
  const { page } = await openWindow(t, { baseURL })
  await signInWith(page, 'admin')
  await page.waitForURL('/')

  for (const path of paths) {
    await page.goto(path)
    const forms = (await page.evaluate(fillWrongly)) as string[][]
    for (const [index, names] of forms.entries()) {
      await page.goto(path)
      await page.evaluate(fillWrongly)
      await page.locator(`form[data-index="${index}"] button`).first().click()
      await page.locator('[aria-invalid=true]').first().waitFor()
      const { focus, invalid, kept } = (await page.evaluate(refused)) as Refused
      const what = `${path}, form ${index}`
      t.equal(focus, invalid[0]?.name, `${what}: the first problem has the focus`)
      t.same(kept, names, `${what}: what was typed stands there`)
      for (const { name, said } of invalid) {
        t.match(said, /^[A-Z].*\.$/, `${what}: ${name} has a sentence`)
        t.notMatch(said, /NOT|must (match|have)|pattern/, `${what}: ${name} has a sentence of ours`)
      }
    }
  }
})
