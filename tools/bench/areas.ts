import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableOf } from '../../schemas/area/declared.ts'
import { asEach, type Case, create, list, read } from './measure.ts'
import { furnishedPlace, insertMany, now, reader, signIn, startService, writer } from './place.ts'
import { judge, median, printTable } from './report.ts'
import { newFolder } from './target.ts'

/** An area with the fields of a todo. */
const declared = {
  name: 'errand',
  fields: { title: { type: 'text' }, is_completed: { type: 'boolean' } },
  max: 1_000_000
}

/** Kinds whose rows are many: one is sorted by a field with an index. */
const parcel = {
  name: 'parcel',
  fields: { title: { type: 'text' }, weight: { type: 'integer', index: true } },
  max: 1_000_000
}
const manyRows = 100_000

/** The same kind, shared and not. */
const fields = { title: { type: 'text' }, members: { type: 'users', optional: true } }
const words = ['owner', 'members']
const [shelf, drawer] = [
  { name: 'shelf', fields, read: words, write: words, max: 1_000_000 },
  { name: 'drawer', fields, max: 1_000_000 }
]
const shared = { owners: 1000, ofOthers: 200, own: 100 }

/** A list of rows that others share, among those of many users, beside one of own rows alone. */
export async function sharedCases(): Promise<Case[]> {
  const place = await furnishedPlace({ more: shared.owners })
  const folder = join(place.SVC_DATA_DIR, 'areas')
  mkdirSync(folder)
  for (const one of [shelf, drawer])
    writeFileSync(join(folder, `${one.name}.json`), JSON.stringify(one))
  const target = await startService(place)
  for (const { name } of [shelf, drawer]) {
    const columns = `${tableOf(name)} (user_id, title, members, created_at, updated_at)`
    const members = `case when i <= ${shared.ofOthers} then '["${reader.user_id}"]' end`
    const owner = `${writer.id} + 1 + i % ${shared.owners}`
    await insertMany(place, manyRows, columns, `${owner}, 'Row ' || i, ${members}, ${now}, ${now}`)
    await insertMany(place, shared.own, columns, `${reader.id}, 'Own ' || i, null, ${now}, ${now}`)
  }
  const caller = [await signIn(target.port, reader.user_id)]
  const of = (kind: string) => ({
    target,
    requests: asEach({ method: 'GET', path: `/${kind}/index?limit=20` }, caller)
  })
  return [
    {
      ...{ name: 'list of 20 among 100,000', callers: 32 },
      contenders: { 'shared by 200': of(shelf.name), 'own alone': of(drawer.name) },
      goal: { to: 'own alone', most: 1.5 }
    }
  ]
}

/** A service whose reader has so many parcels, imported from a file; and how long that took, in seconds. */
async function withParcels() {
  const place = await furnishedPlace()
  const folder = join(place.SVC_DATA_DIR, 'areas')
  mkdirSync(folder)
  writeFileSync(join(folder, `${parcel.name}.json`), JSON.stringify(parcel))
  const file = join(place.SVC_DATA_DIR, 'parcels.csv')
  const lines = Array.from({ length: manyRows }, (_, n) => `Parcel ${n},${(n * 7919) % manyRows}`)
  writeFileSync(file, ['title,weight', ...lines, ''].join('\n'))
  const words = ['cli.ts', 'area', 'import', parcel.name, file, '--user', reader.user_id]
  const began = performance.now()
  execFileSync(process.execPath, words, { env: { ...place, SVC_ENV: 'test' } })
  const seconds = (performance.now() - began) / 1000
  return { target: await startService(place), seconds }
}

/** Lists of many rows by a field with an index, beside the newest; and the import that made them. */
export async function parcelCases(): Promise<Case[]> {
  const { target, seconds } = await withParcels()
  const rate = {
    'rows of an import': { seconds: `${seconds.toFixed(1)}: ${judge(seconds, 60, true)}` }
  }
  printTable('import', rate, `${manyRows} rows of CSV, with their record`)
  const caller = [await signIn(target.port, reader.user_id)]
  const by = (query: string) => ({
    target,
    requests: asEach({ method: 'GET', path: `/${parcel.name}/index?limit=20${query}` }, caller)
  })
  return [
    {
      ...{ name: 'list of 20 among 100,000', callers: 32 },
      contenders: { sorted: by('&sort=-weight'), newest: by('') },
      goal: { to: 'newest', most: 1.3 }
    }
  ]
}

const cases = [
  { name: 'list of 10', callers: 32, request: list, as: reader },
  { name: 'read one', callers: 32, request: read, as: reader },
  { name: 'create, 1 caller', callers: 1, request: create, as: writer }
]

/** Requests of a declared area beside those of todos. */
export async function areaCases(): Promise<Case[]> {
  const place = await furnishedPlace()
  const folder = join(place.SVC_DATA_DIR, 'areas')
  mkdirSync(folder)
  writeFileSync(join(folder, `${declared.name}.json`), JSON.stringify(declared))
  const target = await startService(place)
  const of = ({ path, ...request }: typeof list) => ({
    ...request,
    path: path.replace('todo', declared.name)
  })
  const { method, path, body = '' } = of(create)
  const headers = await signIn(target.port, reader.user_id)
  for (let i = 0; i < 10; i++) await fetch(target.base + path, { method, headers, body })
  return Promise.all(
    cases.map(async ({ name, callers, request, as }) => {
      const caller = [await signIn(target.port, as.user_id)]
      return {
        ...{ name, callers },
        contenders: {
          'declared area': { target, requests: asEach(of(request), caller) },
          todo: { target, requests: asEach(request, caller) }
        },
        goal: { to: 'todo', most: 1.1 }
      }
    })
  )
}

const manyAreas = new URL('../../test/support/many-areas.ts', import.meta.url).pathname

/** The CPU time of a start with fifty declared areas, beside one with none. */
export function measureManyAreas(rounds: number) {
  const cpuOf = (count: number) => {
    const args = ['--expose-gc', manyAreas, String(count), newFolder()]
    const { ms }: { ms: number } = JSON.parse(
      execFileSync(process.execPath, args, { encoding: 'utf8' })
    )
    return ms
  }
  const pairs = Array.from({ length: rounds }, () => ({ none: cpuOf(0), fifty: cpuOf(50) }))
  const none = median(pairs.map((pair) => pair.none))
  const each = median(pairs.map((pair) => (pair.fifty - pair.none) / 50))
  const row = {
    'CPU each, ms': `${each.toFixed(1)}: ${judge(each, 12, true)}`,
    'to a start without areas': (each / none).toFixed(3)
  }
  printTable('fifty areas', { 'a declared area': row }, `rounds: ${rounds}`)
}
