import { sql } from 'kysely'
import { excluded, limit, removeOldest } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    /** Codes, refresh tokens, pending requests and form states, by the hash of their value. */
    oauth_states: {
      id_hash: string
      /** The name of the library's model; null in rows from before it was kept. */
      kind: string | null
      user_code_hash: string | null
      grant_id: string | null
      /** Encrypted JSON. */
      payload: string
      consumed_at: EpochMs | null
      expires_at: EpochMs
    }
  }
}

/** How many rows `removeBeyond` removes at most. */
const removedAtOnce = 100

const stateColumns = ['id_hash', 'payload', 'consumed_at', 'expires_at'] as const

/** What the OAuth library keeps between two requests. */
export const oauthStates = repository({
  reads: ({ first }) => ({
    find: first((db, p: Param<{ id_hash: string }>) =>
      db.selectFrom('oauth_states').select(stateColumns).where('id_hash', '=', p('id_hash'))
    ),

    findByUserCode: first((db, p: Param<{ user_code_hash: string }>) =>
      db
        .selectFrom('oauth_states')
        .select(stateColumns)
        .where('user_code_hash', '=', p('user_code_hash'))
    )
  }),

  writes: ({ all, done }) => ({
    /** False if the row belongs to another grant already. */
    save: done((db, p: Param<Omit<Tables['oauth_states'], 'consumed_at'>>) =>
      db
        .insertInto('oauth_states')
        .values(p.pick('id_hash', 'kind', 'user_code_hash', 'grant_id', 'payload', 'expires_at'))
        .onConflict((conflict) =>
          conflict
            .column('id_hash')
            .doUpdateSet(excluded('grant_id', 'payload', 'expires_at'))
            .where(
              sql<boolean>`oauth_states.grant_id is null or oauth_states.grant_id = excluded.grant_id`
            )
        )
    ),

    /** False if it was used before. */
    consume: done((db, p: Param<{ id_hash: string; now: number }>) =>
      db
        .updateTable('oauth_states')
        .set({ consumed_at: p('now') })
        .where('id_hash', '=', p('id_hash'))
        .where('consumed_at', 'is', null)
    ),

    remove: done((db, p: Param<{ id_hash: string }>) =>
      db.deleteFrom('oauth_states').where('id_hash', '=', p('id_hash'))
    ),

    /** Removes the oldest of a kind that belong to no grant, beyond so many. */
    removeBeyond: done((db, p: Param<{ kind: string; keep: number }>) =>
      db.deleteFrom('oauth_states').where('id_hash', 'in', (eb) =>
        eb
          .selectFrom('oauth_states')
          .select('id_hash')
          .where('kind', '=', p('kind'))
          .where('grant_id', 'is', null)
          .orderBy('expires_at', 'desc')
          .limit(limit(sql.lit(removedAtOnce)))
          .offset(limit(p('keep')))
      )
    ),

    removeExpired: all(removeOldest('oauth_states', 'id_hash', 'expires_at'))
  })
})
