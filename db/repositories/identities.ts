import type { Generated } from 'kysely'
import { isOwn, type OwnKey } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

/** How a provider knows a person. */
export interface IdentityKey {
  issuer: string
  sub: string
}

declare module '../types.ts' {
  interface Tables {
    /** Accounts at providers with which users sign in: at most one of each provider. */
    identities: IdentityKey & {
      id: Generated<number>
      user_id: number
      created_at: string
      last_used_at: EpochMs | null
    }
    /** Sign-ins at providers that were answered, until they expire: no answer is taken twice. */
    answered_sign_ins: {
      /** SHA-256, hex. */
      state_hash: string
      expires_at: EpochMs
    }
  }
}

export const identities = repository({
  reads: ({ all, first }) => ({
    /** Those of a user, newest first. */
    list: all((db, p: Param<{ user_id: number }>) =>
      db
        .selectFrom('identities')
        .select(['id', 'issuer', 'created_at', 'last_used_at'])
        .where('user_id', '=', p('user_id'))
        .orderBy('id', 'desc')
    ),

    /** Whose it is: the key, and the login name of the user. */
    find: first((db, p: Param<IdentityKey>) =>
      db
        .selectFrom('identities as i')
        .innerJoin('users as u', 'u.id', 'i.user_id')
        .select(['i.id', 'u.user_id'])
        .where('i.issuer', '=', p('issuer'))
        .where('i.sub', '=', p('sub'))
    )
  }),

  writes: ({ first, done }) => ({
    /** False if it is somebody's already, or the user has another one of this provider. */
    insert: done((db, p: Param<IdentityKey & { user_id: number; now: string }>) =>
      db
        .insertInto('identities')
        .values({
          ...p.pick('user_id', 'issuer', 'sub'),
          created_at: p('now'),
          last_used_at: null
        })
        .onConflict((conflict) => conflict.doNothing())
    ),

    /** Stores a use. False if it was removed. */
    use: done((db, p: Param<{ id: number; now: number }>) =>
      db
        .updateTable('identities')
        .set({ last_used_at: p('now') })
        .where('id', '=', p('id'))
    ),

    /** Undefined if the user has no such identity. */
    removeOwn: first((db, p: Param<OwnKey>) =>
      db.deleteFrom('identities').where(isOwn(p)).returning('issuer')
    )
  })
})

export const answeredSignIns = repository({
  reads: () => ({}),

  writes: ({ done }) => ({
    /** False if it was answered before. */
    insert: done((db, p: Param<Tables['answered_sign_ins']>) =>
      db
        .insertInto('answered_sign_ins')
        .values(p.pick('state_hash', 'expires_at'))
        .onConflict((conflict) => conflict.doNothing())
    ),

    removeExpired: done((db, p: Param<{ now: number }>) =>
      db.deleteFrom('answered_sign_ins').where('expires_at', '<=', p('now'))
    )
  })
})
