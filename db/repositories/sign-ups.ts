import type { Generated } from 'kysely'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    /** Sign-ups whose link was not followed yet. A trigger keeps the newest 10,000. */
    sign_ups: {
      id: Generated<number>
      /** SHA-256 of the token in the link, hex. */
      token_hash: string
      user_id: string
      user_name: string
      e_mail: string
      expires_at: EpochMs
    }
  }
}

type Live = Param<{ token_hash: string; now: number }>
const wanted = ['user_id', 'user_name', 'e_mail'] as const

/** Accounts that somebody has asked for. */
export const signUps = repository({
  reads: ({ first }) => ({
    /** Undefined if its link was used, or has expired. */
    find: first((db, p: Live) =>
      db
        .selectFrom('sign_ups')
        .select(wanted)
        .where('token_hash', '=', p('token_hash'))
        .where('expires_at', '>', p('now'))
    )
  }),

  writes: ({ done, first }) => ({
    insert: done((db, p: Param<Omit<Tables['sign_ups'], 'id'>>) =>
      db.insertInto('sign_ups').values(p.pick('token_hash', ...wanted, 'expires_at'))
    ),

    /** Uses the link up. Undefined as with `find`. */
    use: first((db, p: Live) =>
      db
        .deleteFrom('sign_ups')
        .where('token_hash', '=', p('token_hash'))
        .where('expires_at', '>', p('now'))
        .returning(wanted)
    ),

    removeExpired: done((db, p: Param<{ now: number }>) =>
      db.deleteFrom('sign_ups').where('expires_at', '<=', p('now'))
    )
  })
})
