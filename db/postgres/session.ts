import pg from 'pg'

declare module 'pg' {
  interface ClientBase {
    /** The process of PostgreSQL that a cancellation would name. */
    processID: number
  }
}

/** A named statement and its values. */
export interface Query {
  name: string
  text: string
  values: unknown[]
}

/** What gives text its meaning: a database, a role or the options of the URL may set it otherwise. */
const meaning = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  extra_float_digits: '1',
  array_nulls: 'on'
}

const assign = (settings: Record<string, string | number>, isLocal: string) =>
  Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)

/** Begins a transaction with settings that end with it, so that a pooler cannot lose them. */
export const beginWith = (limits: Record<string, number> = {}) =>
  `BEGIN; SELECT ${assign({ ...meaning, ...limits }, 'true')}`

/**
 * Whether a pooler is in between: it answers for many processes of PostgreSQL, so it gives each client a number of its
 * own. Behind one, each transaction may meet another session.
 */
export async function isPooled(client: pg.ClientBase) {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid !== client.processID
}

/** Sets a session that is ours alone. Behind a pooler it sets nothing, and returns false. */
async function settle(client: pg.ClientBase, limits: Record<string, number>) {
  const isOther = `pg_backend_pid() <> ${client.processID}`
  const { rows } = await client.query<{ is_own: boolean }>(
    `SELECT not ${isOther} AS is_own, ${assign({ ...meaning, ...limits }, isOther)}`
  )
  return rows[0]?.is_own === true
}

/** Connections to PostgreSQL, direct or through a pooler, with settings that hold for every statement. */
export class Sessions extends pg.Pool {
  /**
   * Begins each transaction, if a pooler is in between; else null. Then a statement by itself needs a transaction too,
   * and none may have a name.
   */
  pooled: string | null = null

  constructor(config: pg.PoolConfig, limits: Record<string, number>) {
    super({
      ...config,
      // Not as parameters of the start: a pooler refuses them, and those of the URL would replace them.
      onConnect: async (client) => {
        if (!(await settle(client, limits))) this.pooled = beginWith(limits)
      }
    })
  }

  /** A statement as these connections can run it: a pooler may lose what was prepared under a name. */
  fit({ name, ...unnamed }: Query) {
    return this.pooled === null ? { name, ...unnamed } : unnamed
  }
}
