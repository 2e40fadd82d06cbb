import type { Generated } from 'kysely'
import { isOwn, type OwnKey } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    passkeys: {
      id: Generated<number>
      user_id: number
      name: string
      /** Chosen by the authenticator, base64url. */
      credential_id: string
      /** A COSE key, base64url. */
      public_key: string
      /** How many uses the authenticator last said it had; 0 if it does not count. */
      counter: number
      created_at: string
      last_used_at: EpochMs | null
    }
    /** Challenges that were answered, until they expire: none is taken twice. */
    used_passkey_challenges: {
      /** SHA-256, hex. */
      challenge_hash: string
      expires_at: EpochMs
    }
  }
}

type NewPasskey = Omit<Tables['passkeys'], 'id' | 'created_at' | 'last_used_at'> & { now: string }

const columns = ['id', 'name', 'created_at', 'last_used_at'] as const

/** Passkeys of users. */
export const passkeys = repository({
  reads: ({ all, first, count }) => ({
    /** Those of a user, newest first. */
    list: all((db, p: Param<{ user_id: number }>) =>
      db
        .selectFrom('passkeys')
        .select([...columns, 'credential_id'])
        .where('user_id', '=', p('user_id'))
        .orderBy('id', 'desc')
    ),

    /** How many a user has. */
    count: count((db, p: Param<{ user_id: number }>) =>
      db
        .selectFrom('passkeys')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', p('user_id'))
    ),

    /** Any one; undefined if no user has one. */
    any: first((db) => db.selectFrom('passkeys').select('id').limit(1)),

    /** What a sign-in with it needs, and the login name of its user. */
    find: first((db, p: Param<{ credential_id: string }>) =>
      db
        .selectFrom('passkeys as k')
        .innerJoin('users as u', 'u.id', 'k.user_id')
        .select(['k.id', 'k.name', 'k.public_key', 'k.counter', 'u.user_id'])
        .where('k.credential_id', '=', p('credential_id'))
    )
  }),

  writes: ({ first, all, done }) => ({
    /** Undefined if the credential is a passkey already. */
    insert: first((db, p: Param<NewPasskey>) =>
      db
        .insertInto('passkeys')
        .values({
          ...p.pick('user_id', 'name', 'credential_id', 'public_key', 'counter'),
          created_at: p('now'),
          last_used_at: null
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning(columns)
    ),

    /** Stores a use and its counter. False if the counter has not gone up, or the passkey was removed. */
    use: done((db, p: Param<{ id: number; counter: number; now: number }>) =>
      db
        .updateTable('passkeys')
        .set({ counter: p('counter'), last_used_at: p('now') })
        .where('id', '=', p('id'))
        .where((eb) =>
          eb.or([
            eb('counter', '<', p('counter')),
            // Most authenticators do not count.
            eb.and([eb('counter', '=', 0), eb('counter', '=', p('counter'))])
          ])
        )
    ),

    /** Undefined if the user has no such passkey. */
    removeOwn: first((db, p: Param<OwnKey>) =>
      db.deleteFrom('passkeys').where(isOwn(p)).returning('name')
    ),

    removeOfUser: all((db, p: Param<{ user_id: number }>) =>
      db.deleteFrom('passkeys').where('user_id', '=', p('user_id')).returning('id')
    )
  })
})

export const usedPasskeyChallenges = repository({
  reads: () => ({}),

  writes: ({ done }) => ({
    /** False if it was used before. */
    insert: done((db, p: Param<Tables['used_passkey_challenges']>) =>
      db
        .insertInto('used_passkey_challenges')
        .values(p.pick('challenge_hash', 'expires_at'))
        .onConflict((conflict) => conflict.doNothing())
    ),

    removeExpired: done((db, p: Param<{ now: number }>) =>
      db.deleteFrom('used_passkey_challenges').where('expires_at', '<=', p('now'))
    )
  })
})
