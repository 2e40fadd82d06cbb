import type { Generated } from 'kysely'
import { type Param, repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    password_resets: {
      id: Generated<number>
      created_at: string
      updated_at: string
      user_id: number
      /** SHA-256 of the token, hex. The token itself is never stored. */
      token_hash: string
      /** `YYYY-MM-DDTHH:MM:SS`, UTC (contract RESET-1 record). */
      expires_at: string
      used_at: string | null
    }
  }
}

type NewReset = { user_id: number; token_hash: string; expires_at: string; now: string }
type Use = { used_at: string; now: string }

/** Password-reset tokens, by their hash. */
export const passwordResets = repository({
  reads: ({ first, count }) => ({
    find: first((db, p: Param<{ token_hash: string }>) =>
      db
        .selectFrom('password_resets')
        .select(['user_id', 'expires_at', 'used_at'])
        .where('token_hash', '=', p('token_hash'))
    ),

    /** How many tokens were made for a user after a time. */
    countSince: count((db, p: Param<{ user_id: number; since: string }>) =>
      db
        .selectFrom('password_resets')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', p('user_id'))
        .where('created_at', '>', p('since'))
    )
  }),

  writes: ({ first, done }) => ({
    /** Marks every unused token of the user as used. */
    invalidate: done((db, p: Param<Use & { user_id: number }>) =>
      db
        .updateTable('password_resets')
        .set({ used_at: p('used_at'), updated_at: p('now') })
        .where('user_id', '=', p('user_id'))
        .where('used_at', 'is', null)
    ),

    /** Call `invalidate` first: a user has at most one unused token. */
    insert: done((db, p: Param<NewReset>) =>
      db.insertInto('password_resets').values({
        ...p.pick('user_id', 'token_hash', 'expires_at'),
        used_at: null,
        created_at: p('now'),
        updated_at: p('now')
      })
    ),

    /** Marks the token as used and returns its user. Undefined if it cannot be used, or not any more. */
    use: first((db, p: Param<Use & { token_hash: string }>) =>
      db
        .updateTable('password_resets')
        .set({ used_at: p('used_at'), updated_at: p('now') })
        .where('token_hash', '=', p('token_hash'))
        .where('used_at', 'is', null)
        .where('expires_at', '>', p('used_at'))
        .returning('user_id')
    ),

    removeOld: done((db, p: Param<{ before: string }>) =>
      db.deleteFrom('password_resets').where('expires_at', '<', p('before'))
    )
  })
})
