import type { CompiledQuery, Kysely } from 'kysely'
import { createRepositories } from '../../db/repositories/index.ts'
import type { Tables } from '../../db/types.ts'

/** The repositories over no database: each statement is kept as it is made. */
export function statementsOf(builder: Kysely<Tables>) {
  const queries: CompiledQuery[] = []
  const prepare = (query: CompiledQuery) => {
    queries.push(query)
    return () => ({ rows: [], changes: 0 })
  }
  const unit = () => Promise.reject(new Error('statements are only looked at'))
  const repos = createRepositories({
    builder,
    records: true,
    isEager: true,
    unit,
    prepare,
    prepareList: prepare,
    remember: (_key, compile) => prepare(compile())
  })
  return { queries, repos }
}
