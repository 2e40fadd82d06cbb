import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TSchema, Type } from '@sinclair/typebox'
import t from 'tap'
import type { App } from '../../app.ts'
import { ref, success } from '../../schemas/common.ts'
import { startService } from '../support/helper.ts'

const routes = join(import.meta.dirname, '../../routes')
/** Turns on the areas that are off by default. */
const everything = {
  SVC_JWT_SECRET: 'x'.repeat(32),
  SVC_WEBHOOK_SECRET: 'x'.repeat(32)
}

const handler = async () => ({})
const get = (app: App, options: object) =>
  app.route({ method: 'GET', url: '/sample/index', handler, ...options })
const answering = (schema: TSchema) => ({ schema: { response: { 200: schema } } })

const mistakes: [what: string, extend: (app: App) => void, message: string][] = [
  [
    'a key in config that no plugin reads',
    (app) => get(app, { config: { rol: 'admin' } }),
    'route GET /sample/index: no plugin reads config.rol; the keys are addressLimit, allow,'
  ],
  [
    'an unknown format, in a request',
    (app) =>
      get(app, { schema: { querystring: Type.Object({ url: Type.String({ format: 'url' }) }) } }),
    'route GET /sample/index: format url is unknown; use date-time, date, uri, binary, or add it to formats in plugins/http/validation/checker.ts'
  ],
  [
    'an unknown format, in an answer',
    (app) => get(app, answering(success({ at: Type.String({ format: 'time' }) }))),
    'route GET /sample/index: format time is unknown; use date-time, date, uri, binary, or add it to formats in plugins/http/validation/checker.ts'
  ],
  [
    'an unknown format, in a component that is checked by itself',
    (app) =>
      app.check(ref(Type.Object({ at: Type.String({ format: 'time' }) }, { $id: 'NewSample' }))),
    'app.check, component NewSample: format time is unknown; use date-time, date, uri, binary, or add it'
  ],
  [
    'a schema of a request that cannot be compiled',
    (app) =>
      get(app, { schema: { querystring: Type.Object({ q: Type.String({ pattern: '(' }) }) } }),
    'Failed building the validation schema for GET: /sample/index, due to error Invalid regular'
  ],
  [
    'a component that is no schema',
    (app) =>
      app.check(
        ref(
          Type.Object({ n: Type.Unsafe({ type: 'number', minimum: 'one' }) }, { $id: 'NewNumber' })
        )
      ),
    'schema is invalid: data/properties/n/minimum must be number'
  ],
  [
    'a schema of an answer that cannot be compiled',
    (app) => get(app, answering(success({ at: Type.Unsafe({ $ref: 'NoComponent#' }) }))),
    'Failed building the serialization schema for GET: /sample/index, due to error Cannot'
  ],
  [
    'a tag without a description',
    (app) => get(app, { schema: { tags: ['sample'] } }),
    'route GET /sample/index: tag sample has no description; call app.tag first'
  ],
  [
    'two components with the same name',
    (app) => get(app, answering(ref(Type.Object({}, { $id: 'Todo' })))),
    'route GET /sample/index: another schema has the $id Todo too'
  ],
  [
    'an action that is not one lowercase word',
    (app) => app.get('/sample/read-later', handler),
    'route /sample/read-later: controller and action are one lowercase word each, parameters are name_:param'
  ]
]

for (const [what, extend, message] of mistakes) {
  t.test(`${what} stops the start, and the message says where`, async (t) => {
    const { message: said } = await startService(t, {}, extend, undefined, { isEager: true }).then(
      () => ({ message: 'started' }),
      (error: Error) => error
    )
    t.equal(said.slice(0, message.length), message)
  })
}

/** The sources of each area: a file of `routes/`, or all files of a folder there. */
const areas = readdirSync(routes, { withFileTypes: true }).map((entry) => {
  const path = join(routes, entry.name)
  const files = entry.isDirectory() ? globSync(join(path, '**/*.ts')) : [path]
  return { name: entry.name, source: files.map((file) => readFileSync(file, 'utf8')).join() }
})
const plugins = globSync(join(routes, '../{plugins,lib}/**/*.ts'))
  .map((path) => readFileSync(path, 'utf8'))
  .join()

/** Operations of `config.fails` whose code is thrown neither by their area nor by a plugin. */
const impossible = (app: Pick<App, 'operations'>) =>
  app.operations.flatMap(({ id, url, config: { fails = [] } }) => {
    const [, word] = url.split('/')
    const area =
      areas.find(({ source }) => source.includes(`operationId: '${id}'`)) ??
      areas.find(({ name, source }) => name.split('.')[0] === word && source.includes('addArea('))
    const isThrown = (code: string) =>
      // `addArea` throws it by the name of the area.
      (area?.source.includes('addArea(') && code === `${word?.toUpperCase()}-NOT-FOUND`) ||
      [area?.source ?? '', plugins].some((source) =>
        new RegExp(`(fail|Failure)\\(\\s*'${code}'|[?:] '${code}'`).test(source)
      )
    return fails
      .filter((code) => !isThrown(code))
      .map(
        (code) => `${id} in routes/${area?.name}: nothing ends with ${code}, take it out of fails`
      )
  })

t.test('a code in `fails` that cannot occur is reported', async (t) => {
  const { app } = await startService(t, everything)
  t.same(impossible(app), [])
  const [operation] = app.operations.filter(({ id }) => id === 'getTodo')
  if (!operation) throw new Error('there is no getTodo')
  const wrong = { ...operation, config: { fails: ['MEMO-NOT-FOUND'] as const } }
  t.same(impossible({ operations: [wrong] }), [
    'getTodo in routes/todo: nothing ends with MEMO-NOT-FOUND, take it out of fails'
  ])
})
