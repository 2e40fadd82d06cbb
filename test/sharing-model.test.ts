/** Random rules, rows and callers: what the service does is what a model of a few lines says (docs/areas.md, Who sees it). */
import { checkDeclaration, type Declaration } from '../schemas/area/declaration.ts'
import { checkTogether, declareAreas } from '../schemas/area/declared.ts'
import { fieldsFrom } from '../schemas/area/written.ts'
import { oneOf, random, seed, some } from './support/random.ts'

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']
const words = ['owner', 'owner', 'users', 'anyone', 'admins', 'members', 'editors', 'parent']

/** A declaration whose rule is a random one of those that are allowed. */
function declarationOf(name: string, index: number): Declaration {
  const parent = names[random(Math.max(index, 1))] ?? name
  const fields = fieldsFrom([
    ...['title:text', 'members:users?', 'editors:users?', 'photo:ref:attachment?'],
    ...(index > 0 ? [`parent:ref:${parent}:delete?`] : [])
  ])
  for (;;) {
    const read = [...new Set([oneOf(words), oneOf(words), oneOf(words)])]
    const write = [...new Set([oneOf(read), oneOf(read)])]
    const declaration: unknown = { name, fields, read, write }
    try {
      checkDeclaration(declaration)
      checkTogether([...declared, declaration])
      return declaration
    } catch {
      // Another one.
    }
  }
}
const declared: Declaration[] = []
for (const [index, name] of names.entries()) declared.push(declarationOf(name, index))
declareAreas(declared)

const { default: t } = await import('tap')
const { addUser, outcome, signIn, startService } = await import('./support/helper.ts')
const { samples, upload } = await import('./support/form.ts')
const { app } = await startService(t)

type Right = 'read' | 'write' | 'manage'
interface Row {
  id: number
  kind: string
  owner: string
  members: string[]
  editors: string[]
  parent: Row | null
  photo: File | null
}
interface File {
  id: number
  owner: string
}

/** Who may do what. */
function may(right: Right, { kind, ...row }: Omit<Row, 'id'>, who: string): boolean {
  const { read = [], write = [] } = declared.find(({ name }) => name === kind) ?? {}
  return (right === 'read' ? read : write).some((word) => {
    if (word === 'anyone') return true
    if (word === 'users') return right !== 'manage'
    if (word === 'owner') return row.owner === who
    if (word === 'admins') return who === admin
    if (word === 'parent') return row.parent !== null && may(right, row.parent, who)
    return row[word === 'members' ? 'members' : 'editors'].includes(who)
  })
}

const admin = 'root'
const people = ['anna', 'bob', 'carl', 'dora', admin]
await addUser(app, admin, { role: 'admin' })
const sessions = new Map<string, Awaited<ReturnType<typeof signIn>>['send']>()
const files: File[] = []
for (const who of people) {
  if (who !== admin) await addUser(app, who)
  const session = await signIn(app, who)
  sessions.set(who, session.send)
  for (const name of ['first.png', 'second.png']) {
    const { attachment } = (await upload(app, session, samples.png, name)).json().Data
    files.push({ id: attachment.id, owner: who })
  }
}
const send = async (
  who: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object
) => {
  const answer = await sessions.get(who)?.(method, url, body)
  if (!answer) throw new Error(`${who} is not signed in`)
  return answer
}
const codeOf = (answer: Parameters<typeof outcome>[0]) => outcome(answer).replace(/ success$/, '')
const notFound = (kind: string) => `404 ${kind.toUpperCase()}-NOT-FOUND`

const rows: Row[] = []
const ofKind = (kind: string) => rows.filter((row) => row.kind === kind)
const parentOf = (kind: string) => declared.find(({ name }) => name === kind)?.fields.parent?.to
const decides = (kind: string) =>
  declared.find(({ name }) => name === kind)?.write?.includes('parent') ?? false

/** Whoever may read a row may read its file. */
const mayOpen = (file: File, who: string) =>
  file.owner === who || rows.some((row) => row.photo === file && may('read', row, who))

/** Whether what `parent` refers to says who may do something with a row. */
const isRule = (kind: string) => {
  const { read = [], write = [] } = declared.find(({ name }) => name === kind) ?? {}
  return [...read, ...write].includes('parent')
}

const wrong: string[] = []
let cases = 0
function expect(what: string, found: unknown, expected: unknown) {
  cases++
  if (String(found) !== String(expected)) wrong.push(`${what}: ${found}, not ${expected}`)
}
const told = (row: object, kind: string) =>
  `${JSON.stringify(row)} ${JSON.stringify(declared.find(({ name }) => name === kind))}`

t.test(`each caller can do with each row what the model says (seed ${seed})`, async (t) => {
  for (let made = 0; made < 150; made++) {
    const kind = oneOf(names)
    const owner = oneOf(people)
    const to = parentOf(kind)
    const parent = to !== undefined && random(4) > 0 ? (oneOf([...ofKind(to), null]) ?? null) : null
    const photo = oneOf([...files.filter((file) => file.owner === owner), null]) ?? null
    const row = { kind, owner, members: some(people), editors: some(people), parent, photo }
    const answer = await send(owner, 'POST', `/${kind}/index`, {
      ...{ title: `${kind} ${made}`, members: row.members, editors: row.editors },
      photo: photo?.id ?? null,
      ...(to !== undefined && { parent: parent?.id ?? null })
    })
    const isHidden = parent && !may('read', parent, owner)
    const isBelow = parent && decides(kind) && !may('write', parent, owner)
    const isRefused = isBelow || !may('write', row, owner)
    const code = isHidden ? '422 VALIDATION-FAILED' : isRefused ? '403 FORBIDDEN' : '200'
    expect(`makes ${told(row, kind)}`, codeOf(answer), code)
    if (codeOf(answer) === '200') rows.push({ ...row, id: answer.json().Data[kind].id })
  }
  for (const who of people) {
    const expectFiles = async () => {
      for (const file of files) {
        const found = await send(who, 'GET', `/attachment/item/id_${file.id}`)
        const code = mayOpen(file, who) ? '200' : notFound('attachment')
        expect(`${who} reads the file ${JSON.stringify(file)}`, codeOf(found), code)
      }
    }
    await expectFiles()
    for (const kind of names) {
      const readable = ofKind(kind).filter((row) => may('read', row, who))
      const ids = readable.map(({ id }) => id).sort((a, b) => b - a)
      const idsAt = async (query: string) => {
        const { Data } = (await send(who, 'GET', `/${kind}/index?limit=100${query}`)).json()
        return (Object.values(Data).find(Array.isArray) as { id: number }[]).map(({ id }) => id)
      }
      expect(`${who} lists ${kind}`, await idsAt(''), ids)
      expect(`${who} sorts ${kind}`, await idsAt('&sort=-id'), ids)
      expect(`${who} searches ${kind}`, await idsAt(`&q=${kind}`), ids)
      const counted = (await send(who, 'GET', `/${kind}/index?count=true`)).json()
      expect(`${who} counts ${kind}`, counted.Data.total, ids.length)
      const exported = (await send(who, 'GET', `/${kind}/export`)).json() as { id: number }[]
      expect(`${who} exports ${kind}`, exported.map(({ id }) => id).reverse(), ids)
      for (const owner of people) {
        const own = readable.filter((row) => row.owner === owner).length
        const isShared = !(declared.find(({ name }) => name === kind)?.read?.join() === 'owner')
        if (isShared) expect(`${who} filters ${kind}`, (await idsAt(`&owner=${owner}`)).length, own)
      }
      if (parentOf(kind) !== undefined) {
        const parents = readable.flatMap(({ parent }) =>
          parent && may('read', parent, who) ? [parent.id] : []
        )
        const { Data } = (await send(who, 'GET', `/${kind}/index?limit=100&with=parent`)).json()
        const found = Data.with.parent.map(({ id }: { id: number }) => id)
        expect(`${who} reads with ${kind}`, found.sort(), [...new Set(parents)].sort())
      }
      const rest = ofKind(kind)
      for (const row of rest) {
        const url = `/${kind}/item/id_${row.id}`
        const of = (right: Right) =>
          !may('read', row, who) ? notFound(kind) : may(right, row, who) ? '200' : '403 FORBIDDEN'
        const tell = (deed: string) =>
          `${who} ${deed} ${JSON.stringify(row)} ${JSON.stringify(declared.find(({ name }) => name === kind))}`
        expect(tell('reads'), codeOf(await send(who, 'GET', url)), of('read'))
        expect(
          tell('changes'),
          codeOf(await send(who, 'PATCH', url, { title: `${kind} again` })),
          of('write')
        )
        const others = row.members.includes('anna') ? [] : ['anna']
        const given = { members: others }
        const named = await send(who, 'PATCH', url, given)
        expect(
          tell('names users in'),
          codeOf(named),
          of('write') === '200' ? of('manage') : of('write')
        )
        if (codeOf(named) === '200') row.members = others
        const to = parentOf(kind)
        const next = to === undefined ? undefined : oneOf(ofKind(to))
        if (next) {
          const moved = codeOf(await send(who, 'PATCH', url, { parent: next.id }))
          const isBelow = decides(kind) && !may('write', next, who)
          const isMoved = next.id !== row.parent?.id
          const refused = !may('read', next, who)
            ? '422 VALIDATION-FAILED'
            : isBelow || (isRule(kind) && !may('manage', row, who))
              ? '403 FORBIDDEN'
              : '200'
          const allowed = of('write') === '200' && isMoved ? refused : of('write')
          expect(tell(`moves to ${JSON.stringify(next)}`), moved, allowed)
          if (moved === '200') row.parent = next
        }
        const file = oneOf(files)
        if (file) {
          const given = codeOf(await send(who, 'PATCH', url, { photo: file.id }))
          const isOwn = file.owner === who || file === row.photo
          const allowed = of('write') !== '200' || isOwn ? of('write') : '422 VALIDATION-FAILED'
          expect(tell(`gives ${JSON.stringify(file)} to`), given, allowed)
          if (given === '200') row.photo = file
        }
        expect(
          tell('deletes'),
          codeOf(await send(who, 'DELETE', `${url}?dry_run=true`)),
          of('manage')
        )
      }
    }
    await expectFiles()
  }
  t.same(wrong.slice(0, 10), [], `${wrong.length} of ${cases} differ`)
  t.ok(cases > 1000)
})
