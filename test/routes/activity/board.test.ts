import t from 'tap'
import { signIn, startService } from '../../support/helper.ts'
import { openBrowser } from '../../support/visitor.ts'

const url = '/activity/board'
const hebrew = 'שלום <b>עולם</b>'

/** What the page says was done, or why not, without its markup but for names. */
const toldIn = (body: string) =>
  /<div class="told.*?<p>(.*?)<\/p>/s
    .exec(body)?.[1]
    ?.replaceAll(/<strong dir="auto">(.*?)<\/strong>/gs, '[$1]')
    .trim()

t.test('after an undo the page says which, with the names of the rows', async (t) => {
  const { app } = await startService(t)
  const browser = openBrowser(app)
  await browser.signIn()
  const { csrf_token = '' } = await browser.hiddenFields()
  const demo = await signIn(app)
  const send = async (action: string, fields: Record<string, string>, page = url) => {
    const answer = await browser.submit(page, { csrf_token, action, ...fields })
    if (answer.statusCode !== 303) return answer
    return browser.get(String(answer.headers.location))
  }
  const undo = (...changes: number[]) => send('undoone', { changes: changes.join('-') })
  for (const title of ['Buy milk', hebrew, 'x'.repeat(200)]) {
    await demo.send('POST', '/todo/index', { title })
  }
  await demo.send('PATCH', '/todo/item/id_1', { is_completed: true })

  await t.test('one', async (t) => {
    const one = await undo(4)
    t.equal(toldIn(one.body), 'Undone: Complete [Buy milk]')
    t.equal(toldIn((await undo(2)).body), 'Undone: Add [שלום &lt;b&gt;עולם&lt;/b&gt;]')
    t.equal(toldIn((await undo(3)).body), `Undone: Add [${'x'.repeat(79)}…]`)
  })

  await t.test('one that cannot be undone', async (t) => {
    await demo.send('PATCH', '/todo/item/id_1', { title: 'Buy oat milk' })
    await demo.send('PATCH', '/todo/item/id_1', { title: 'Buy tea' })
    for (const [change, expected] of [
      [8, 'Not undone: Rename [Buy milk] to [Buy oat milk] (it has been changed since)'],
      [4, 'Not undone: Complete [Buy milk] (it is already undone)'],
      [99, 'Not undone: a change (it is no longer recorded)']
    ] as const) {
      const { statusCode, body } = await undo(change)
      t.same([statusCode, toldIn(body)], [409, expected])
      t.match(body, /role="alert">\s*<div class="told problem">/)
    }
  })

  await t.test('many, of which some stay: asked first, then told', async (t) => {
    for (const title of ['A', 'B']) await demo.send('POST', '/todo/index', { title })
    const of = { changes: '11-10-8-4' }
    const asked = await send('undoall', of)
    const stays = `[Buy milk] to [Buy oat milk] (it has been changed since); Complete [Buy milk] (it is already undone)`
    t.match(
      asked.body.replaceAll(/<strong dir="auto">(.*?)<\/strong>/gs, '[$1]').replaceAll(/\s+/g, ' '),
      `These would be undone: Add [B]; Add [A]. These would stay: Rename ${stays}`
    )
    const done = await send('undoall', { ...of, sure: 'yes' })
    t.equal(toldIn(done.body), `2 changes undone. Not undone: Rename ${stays}`)
  })

  await t.test('none: the dialog says why for each, and there is nothing to press', async (t) => {
    const asked = await send('undoall', { changes: '8-4-99' })
    t.equal(asked.statusCode, 200)
    const [dialog = ''] = /<dialog.*?<\/dialog>/s.exec(asked.body) ?? []
    t.match(dialog, '<h2 id="question-title">Nothing can be undone</h2>')
    const text = dialog.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')
    t.match(
      text,
      'These changes stay: a change (it is no longer recorded); Rename Buy milk to Buy oat milk (it has been changed since); Complete Buy milk (it is already undone).'
    )
    t.notMatch(dialog, '<button')
    t.match(dialog, /data-close>Close</)
  })

  await t.test('a change that a form has made, and its undo', async (t) => {
    const board = '/board/index'
    const { body } = await send('delete', { id: '1' }, board)
    t.equal(toldIn(body), 'Deleted [Buy tea]')
    const [, ids = ''] = /name="ids" value="(\d+)"/.exec(body) ?? []
    t.equal(toldIn((await send('undo', { ids }, board)).body), 'Undone: Delete [Buy tea]')
  })

  await t.test('nobody is told of what others have changed', async (t) => {
    const admin = await signIn(app, 'admin')
    const { id } = (await admin.send('POST', '/todo/index', { title: 'secret' })).json().Data.todo
    await admin.send('PATCH', `/todo/item/id_${id}`, { title: 'more secret' })
    const newest = (await admin.send('GET', '/activity/index')).json().Data.changes[0].id
    for (const query of [
      `done=undoone&undone=1.${newest}`,
      `done=undoone&undone=2&kept=1.${newest}-changed`
    ]) {
      const { statusCode, body } = await browser.get(`${url}?${query}`)
      t.equal(statusCode, 200)
      t.notMatch(body, 'secret')
    }
    t.equal((await browser.get(`${url}?done=undoone&kept=1.1-<b>`)).statusCode, 422)
  })
})
