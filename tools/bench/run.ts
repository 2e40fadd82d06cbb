/**
 * `npm run bench`: what the service costs (docs/performance.md), and which goals are met. This process is the
 * load generator; what it measures runs in processes of their own.
 */
import { parseArgs } from 'node:util'
import { areaCases, measureManyAreas, parcelCases, sharedCases } from './areas.ts'
import { measureFlood } from './flood.ts'
import { compare, type Plan } from './measure.ts'
import { peerCases } from './peers.ts'
import { dropDatabases } from './place.ts'
import { measurePlans } from './plans.ts'
import { protectionCases } from './protections.ts'
import { requestCases } from './requests.ts'
import { growthCases, searchCases } from './scale.ts'
import { settingsCases, settingsColumns, workerCases } from './settings.ts'
import { measureStart } from './start.ts'
import { measureStreams, toldCases } from './streams.ts'
import { stopAll } from './target.ts'
import { toolCases } from './tools.ts'
import { tracingCases } from './tracing.ts'
import { measureUploads } from './upload.ts'

const flag = { type: 'boolean', default: false } as const
const { values: options } = parseArgs({
  options: {
    /** Measures these parts; without any, the first four. */
    requests: flag,
    postgres: flag,
    tools: flag,
    streams: flag,
    areas: flag,
    scale: flag,
    settings: flag,
    protections: flag,
    peers: flag,
    flood: flag,
    upload: flag,
    plans: flag,
    tracing: flag,
    start: flag,
    /** Shows that it runs. */
    quick: flag,
    /** Puts the tables into README.md and docs/performance.md (report.ts). */
    write: flag,
    /** Of requests, only the cases whose name contains this. */
    only: { type: 'string', default: '' },
    /** Writes a V8 CPU profile of the service into this folder. */
    profile: { type: 'string' },
    /** A PostgreSQL server on which the bench may make databases. */
    'database-url': { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
    'redis-url': { type: 'string', default: 'redis://127.0.0.1:6379' }
  }
})
const { quick, only, profile, 'database-url': server } = options
const plan: Plan = quick
  ? { launches: 1, rounds: 3, seconds: 0.3, warmUpSeconds: 0.5 }
  : { launches: 5, rounds: 13, seconds: 0.2, warmUpSeconds: 1.2 }
const sizes = quick ? [10_000, 1000] : [1_000_000, 100_000, 1000]
const once = { ...plan, launches: 1 }

const parts = {
  requests: () => compare('requests', plan, () => requestCases(only, profile)),
  postgres: () => compare('postgres', plan, () => requestCases(only, profile, server)),
  tools: () => compare('tools', once, toolCases),
  async streams() {
    await compare('told', once, toldCases)
    await measureStreams(quick ? 300 : 700, options['redis-url'])
  },
  async areas() {
    measureManyAreas(quick ? 1 : 5)
    await compare('areas', once, areaCases)
    await compare('sorted', once, parcelCases)
    await compare('shared', once, sharedCases)
  },
  async scale() {
    for (const [name, url] of Object.entries({ SQLite: '', PostgreSQL: server })) {
      await compare(name, once, () => growthCases(sizes, url))
      await compare(`${name}, search`, once, () => searchCases(quick ? 10_000 : 100_000, url))
    }
  },
  async settings() {
    await compare('settings', plan, settingsCases, settingsColumns)
    await compare('workers', plan, () => workerCases(server))
  },
  protections: () =>
    compare(
      'protections',
      { ...once, rounds: 3 * once.rounds, warmUpSeconds: 5 * once.warmUpSeconds },
      protectionCases
    ),
  // As long as the lists by each credential, together, warm up the same code in `requests`.
  peers: () => compare('peers', { ...plan, warmUpSeconds: 4 * plan.warmUpSeconds }, peerCases),
  flood: measureFlood,
  upload: measureUploads,
  plans: () => measurePlans(quick ? 1 : 9),
  // With a longer warm-up: more code has to be compiled.
  tracing: () =>
    compare('tracing', { ...once, warmUpSeconds: 5 * plan.warmUpSeconds }, tracingCases),
  start: () => measureStart(quick ? 1 : 5, quick ? 1000 : 5000)
}
const names = Object.keys(parts) as (keyof typeof parts)[]
const chosen = names.filter((name) => options[name])
for (const name of chosen.length > 0 ? chosen : names.slice(0, 4)) {
  try {
    await parts[name]()
  } catch (error) {
    // Such as that there is no PostgreSQL. The other parts are measured.
    console.error(`${name}: ${error}`)
    process.exitCode = 1
  }
  await stopAll()
  await dropDatabases()
}
console.log(`\ntook ${Math.round(performance.now() / 1000)} s`)
process.exit()
