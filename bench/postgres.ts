/** Part of `npm run bench`: a signed-in list on PostgreSQL, compared with a bare Fastify route with `pg`. */
import { join } from 'node:path'
import { Contender, list, type Plan, takeTurns } from './contender.ts'
import { median } from './median.ts'
import { makeAccounts, postgresPlace, start } from './scale.ts'
import { freePort, Target } from './target.ts'

const goal = 0.8

async function launch(server: string, plan: Plan) {
  const place = await postgresPlace(server)
  const running: Target[] = []
  try {
    await makeAccounts(place)
    const service = await start(place)
    running.push(service.target)
    const startBare = async (style: string) => {
      const port = await freePort()
      const bare = await Target.start({
        script: 'bench/bare-postgres.ts',
        args: [place.env.SVC_DATABASE_URL ?? '', String(port), style],
        port,
        logFile: join(place.env.SVC_DATA_DIR ?? '', 'bare-log')
      })
      running.push(bare)
      return new Contender(bare, list)
    }
    const contenders = {
      bare: await startBare(''),
      plain: await startBare('plain'),
      service: new Contender(service.target, { ...list, headers: service.reader })
    }
    await takeTurns(Object.values(contenders), 32, plan)
    return contenders
  } finally {
    await Promise.all(running.map((target) => target.stop()))
    await place.remove()
  }
}

/** Prints a row in the form of those for SQLite (run.ts). */
export async function measurePostgres(server: string, plan: Plan) {
  const launches: Awaited<ReturnType<typeof launch>>[] = []
  try {
    for (let n = 0; n < plan.launches; n++) launches.push(await launch(server, plan))
  } catch (error) {
    console.log(`\nskipped: PostgreSQL at --database-url (${(error as Error).message})`)
    return
  }
  const over = (pick: (launch: (typeof launches)[number]) => number) => median(launches.map(pick))
  const ratio = over(({ bare, service }) => service.perSecond / bare.perSecond)
  console.log('\nPostgreSQL, whose own CPU is not counted')
  console.table({
    'list of 10, session': {
      ratio: ratio.toFixed(2),
      'by CPU': over(({ bare, service }) => bare.cpu / service.cpu).toFixed(2),
      plain: over(({ plain, service }) => service.perSecond / plain.perSecond).toFixed(2),
      'plain by CPU': over(({ plain, service }) => plain.cpu / service.cpu).toFixed(2),
      goal,
      met: ratio >= goal ? 'yes' : 'NO',
      'plain µs': over(({ plain }) => plain.cpu).toFixed(1),
      'bare µs': over(({ bare }) => bare.cpu).toFixed(1),
      'service µs': over(({ service }) => service.cpu).toFixed(1)
    }
  })
}
