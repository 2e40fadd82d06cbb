import { checkDeclaration } from '../schemas/area/declaration.ts'
import { checkTogether, declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'

const declared = [
  {
    name: 'post',
    fields: fieldsFrom(['title:text', 'cover:ref:attachment:clear?']),
    read: ['users']
  },
  {
    name: 'comment',
    fields: fieldsFrom(['text:text', 'post:ref:post:delete']),
    read: ['owner', 'post']
  },
  {
    name: 'smile',
    fields: fieldsFrom(['comment:ref:comment:delete']),
    read: ['owner', 'comment']
  },
  {
    name: 'pin',
    fields: fieldsFrom(['text:text', 'post:ref:post:clear?']),
    read: ['owner', 'post']
  },
  {
    name: 'card',
    fields: fieldsFrom(['title:text', 'members:users?']),
    read: ['owner', 'members']
  },
  {
    name: 'sticker',
    fields: fieldsFrom(['text:text', 'post:ref:post:delete', 'card:ref:card?']),
    read: ['owner', 'post', 'card']
  }
]
for (const area of declared) checkDeclaration(area)
checkTogether(declared)
declareAreas(declared)

const { default: t } = await import('tap')
const { upload } = await import('./support/form.ts')
const { newcomer, outcome, restart, signIn, startService } = await import('./support/helper.ts')
const service = await startService(t)

async function person(login?: string) {
  if (login !== undefined) await newcomer(service.app, login)
  const browser = await signIn(service.app, login)
  const { send } = browser
  return {
    ...browser,
    async make(kind: string, body: object): Promise<number> {
      const answer = await send('POST', `/${kind}/index`, body)
      t.equal(answer.statusCode, 200, answer.body)
      return answer.json().Data[kind].id
    },
    async inRun(method: 'DELETE' | 'POST', url: string, payload?: object) {
      const { cookie, csrfToken } = browser
      const headers = { cookie, 'x-csrf-token': csrfToken, 'x-run-id': 'tidy' }
      const answer = await service.app.inject({ method, url, headers, ...(payload && { payload }) })
      t.equal(answer.statusCode, 200, answer.body)
    },
    async rows(kind: string) {
      const { Data } = (await send('GET', `/${kind}/index?limit=500`)).json()
      return Object.values(Data).find(Array.isArray) as Record<string, unknown>[]
    },
    /** Undoes what was done in a run, or these changes. */
    async undo(what: object) {
      const answer = await send('POST', '/activity/undo', what)
      return { code: outcome(answer), ...answer.json().Data }
    }
  }
}

/** A post of one user, with what others have in it. */
async function discussed() {
  await restart(service)
  const [owner, anna, bob] = [await person(), await person('anna'), await person('bob')]
  const post = await owner.make('post', { title: 'Soup' })
  const comments = [await anna.make('comment', { text: 'first', post })]
  for (const text of ['second', 'third']) comments.push(await bob.make('comment', { text, post }))
  await owner.make('comment', { text: 'own', post })
  await owner.make('smile', { comment: comments[0] })
  await bob.make('smile', { comment: comments[0] })
  await bob.make('pin', { text: 'kept', post })
  const all = async () => [
    ...(await owner.rows('post')),
    ...(await owner.rows('comment')),
    ...(await anna.rows('smile')),
    ...(await bob.rows('pin'))
  ]
  return { owner, anna, bob, post, all }
}
const withPost = {
  removed_with: [
    { kind: 'comment', count: 4 },
    { kind: 'smile', count: 2 }
  ],
  cleared_in: [{ kind: 'pin', count: 1 }]
}
/** The time of what was cleared says that it was filled again. */
const noUpdates = (rows: Record<string, unknown>[]) => rows.map(({ updated_at, ...row }) => row)

t.test('a deletion says what goes and is cleared with it, a dry run too', async (t) => {
  const { owner, post } = await discussed()
  const other = await owner.make('post', { title: 'Cake' })
  const item = `/post/item/id_${post}`
  const dry = (await owner.send('DELETE', `${item}?dry_run=true`)).json().Data
  t.matchOnly(dry, { status: 'success', id: post, dry_run: true, ...withPost })
  const batch = { ids: [post, other, 99] }
  const dryBatch = (await owner.send('POST', '/post/remove', { ...batch, dry_run: true })).json()
  t.match(dryBatch.Data, { status: 'partial', dry_run: true, ...withPost })
  t.equal((await owner.rows('comment')).length, 4, 'nothing has gone')

  const alone = (await owner.send('DELETE', `/post/item/id_${other}`)).json().Data
  t.matchOnly(alone, { status: 'success', id: other }, 'there was nothing')
  const gone = (await owner.send('POST', '/post/remove', { ids: [post] })).json().Data
  t.match(gone, { status: 'success', ...withPost })
  t.same(await owner.rows('comment'), [])
  const pin = await owner.make('pin', { text: 'mine' })
  const last = (await owner.send('DELETE', `/pin/item/id_${pin}`)).json().Data
  t.matchOnly(last, { status: 'success', id: pin }, 'nothing can refer to one of these')
})

t.test('so does the deletion of a file', async (t) => {
  await restart(service)
  const owner = await person()
  const { id } = (await upload(service.app, owner, 'a file', 'a.txt')).json().Data.attachment
  await owner.make('post', { title: 'Soup', cover: id })
  const { Data } = (await owner.send('DELETE', `/attachment/item/id_${id}`)).json()
  t.matchOnly(Data, { status: 'success', id, cleared_in: [{ kind: 'post', count: 1 }] })
})

t.test('an undo brings back all that went with a row, whoever owns it', async (t) => {
  for (const deleteOf of [
    (id: number) => ['DELETE', `/post/item/id_${id}`, undefined] as const,
    (id: number) => ['POST', '/post/remove', { ids: [id] }] as const
  ]) {
    const { owner, all, post } = await discussed()
    const before = await all()
    const [method, url, body] = deleteOf(post)
    await owner.inRun(method, url, body)
    const undone = await owner.undo({ run: 'tidy' })
    t.match(undone, { code: '200 success', conflicts: [] })
    t.equal(undone.undone.length, 8)
    t.same(noUpdates(await all()), noUpdates(before))
  }
})

t.test('what nobody may put back stays away, and is named with the reason', async (t) => {
  await restart(service)
  const [owner, anna, carl] = [await person(), await person('anna'), await person('carl')]
  const post = await owner.make('post', { title: 'Soup' })
  const card = await carl.make('card', { title: 'Plan', members: ['anna'] })
  const text = await anna.make('sticker', { text: 'Mine', post, card })
  await owner.inRun('DELETE', `/post/item/id_${post}`)
  await carl.send('PATCH', `/card/item/id_${card}`, { members: [] })
  const undone = await owner.undo({ run: 'tidy' })
  t.match(undone, {
    code: '207 partial',
    undone: [{ kind: 'post' }],
    conflicts: [{ kind: 'sticker', key: text, reason: 'not_allowed' }]
  })
  t.same(await carl.rows('sticker'), [], 'not among the rows of who has let its owner go')
  await carl.send('PATCH', `/card/item/id_${card}`, { members: ['anna'] })
  const [{ id }] = undone.conflicts
  t.match(await owner.undo({ ids: [id] }), { code: '409 CONFLICT' }, 'not without the post')
})

t.test('a change of another that one can see is refused, not unknown', async (t) => {
  const { owner, anna, bob, post } = await discussed()
  const newest = async (who: typeof owner, kind: string) => {
    const { Data } = (await who.send('GET', `/activity/index?kind=${kind}&limit=1`)).json()
    return Data.changes[0].id as number
  }
  await owner.send('PATCH', `/post/item/id_${post}`, { title: 'Stew' })
  const stew = await newest(anna, 'post')
  for (const dry_run of [true, false]) {
    const refused = await anna.undo({ ids: [stew], dry_run })
    t.match(refused, { code: '403 FORBIDDEN', message: /^Another made this change/ })
  }
  const { id: own } = (await bob.send('POST', '/pin/index', { text: 'of Bob' })).json().Data.pin
  t.ok(own)
  const mine = await newest(bob, 'pin')
  t.match(await bob.undo({ ids: [stew, mine] }), {
    code: '207 partial',
    undone: [{ id: mine }],
    conflicts: [{ id: stew, kind: 'post', key: post, reason: 'of_another' }]
  })
  const hidden = await newest(bob, 'pin')
  t.match(await anna.undo({ ids: [hidden] }), {
    code: '409 CONFLICT',
    message: 'No recorded change has such an id.'
  })
})
