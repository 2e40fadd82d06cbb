import { excluded } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    /** Addresses that users have asked for and whose link was not followed yet: at most one of each user. */
    address_changes: {
      user_id: number
      /** SHA-256 of the token in the link, hex. */
      token_hash: string
      e_mail: string
      expires_at: EpochMs
    }
  }
}

type Live = Param<{ token_hash: string; now: number }>

/** Changes of an address that wait for its owner. */
export const addressChanges = repository({
  reads: ({ first }) => ({
    /** Undefined if its link was used or replaced, or has expired. */
    find: first((db, p: Live) =>
      db
        .selectFrom('address_changes')
        .select(['user_id', 'e_mail'])
        .where('token_hash', '=', p('token_hash'))
        .where('expires_at', '>', p('now'))
    ),

    /** What a user waits for. */
    ofUser: first((db, p: Param<{ user_id: number; now: number }>) =>
      db
        .selectFrom('address_changes')
        .select('e_mail')
        .where('user_id', '=', p('user_id'))
        .where('expires_at', '>', p('now'))
    )
  }),

  writes: ({ done, first }) => ({
    /** In place of what the user waited for before. */
    put: done((db, p: Param<Tables['address_changes']>) =>
      db
        .insertInto('address_changes')
        .values(p.pick('user_id', 'token_hash', 'e_mail', 'expires_at'))
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet(excluded('token_hash', 'e_mail', 'expires_at'))
        )
    ),

    /** Uses the link up. Undefined as with `find`. */
    use: first((db, p: Live) =>
      db
        .deleteFrom('address_changes')
        .where('token_hash', '=', p('token_hash'))
        .where('expires_at', '>', p('now'))
        .returning(['user_id', 'e_mail'])
    ),

    removeOfUser: done((db, p: Param<{ user_id: number }>) =>
      db.deleteFrom('address_changes').where('user_id', '=', p('user_id'))
    ),

    removeExpired: done((db, p: Param<{ now: number }>) =>
      db.deleteFrom('address_changes').where('expires_at', '<=', p('now'))
    )
  })
})
