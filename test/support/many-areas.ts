/** Starts a service with so many declared areas, and prints what that took. `node --expose-gc many-areas.ts COUNT` */
import { openDatabase } from '../../db/open.ts'
import { loadConfig } from '../../fastify.config.ts'
import { declareAreas } from '../../schemas/area/declared.ts'
import { fieldsFrom } from '../../schemas/area/written.ts'

const fields = fieldsFrom([
  ...['url:url', 'label:text?', 'state:one-of:new,read', 'pinned:boolean', 'due_on:date?']
])
const letters = 'abcdefghij'
declareAreas(
  Array.from({ length: Number(process.argv[2]) }, (_, index) => ({
    name: `thing${letters[Math.floor(index / 10)]}${letters[index % 10]}o`,
    fields
  }))
)
const { buildApp } = await import('../../app.ts')

const config = loadConfig({ SVC_DATA_DIR: process.argv[3], SVC_LOG_LEVEL: 'silent' })
// The tables are made once.
await (await openDatabase(config, { isEager: false })).close()
const before = process.cpuUsage()
const database = await openDatabase(config, { isEager: false })
const app = await buildApp({ config, database, isEager: false })
await app.ready()
const { user, system } = process.cpuUsage(before)
globalThis.gc?.()
const { heapUsed } = process.memoryUsage()
const { body } = await app.inject('/api-docs/json')
const { paths }: { paths: Record<string, object> } = JSON.parse(body)
const operations = Object.values(paths).flatMap(Object.values).length
await app.close()
process.stdout.write(
  JSON.stringify({
    ms: (user + system) / 1000,
    bytes: heapUsed,
    document: body.length / operations
  })
)
