import { excluded } from '../query.ts'
import { type Param, repository } from '../statement.ts'

declare module '../types.ts' {
  interface Tables {
    /** One for each user who has begun to set one up, or has confirmed it. */
    second_factors: {
      user_id: number
      /** Encrypted (plugins/identity/second-factor.ts). */
      secret: string
      /** The last time step whose code was used. Only codes of later steps are accepted. */
      last_step: number
      /** Milliseconds; null until a code has confirmed it. A datetime column is never null (contract DATA-6). */
      confirmed_at: number | null
      created_at: string
    }
    recovery_codes: {
      user_id: number
      /** SHA-256 of the code, hex. The code itself is never stored. */
      code_hash: string
    }
  }
}

type Secret = { user_id: number; secret: string }
type Step = Secret & { step: number }

/** Second factors (TOTP), by their user. */
export const secondFactors = repository({
  reads: ({ first }) => ({
    find: first((db, p: Param<{ user_id: number }>) =>
      db
        .selectFrom('second_factors')
        .select(['secret', 'confirmed_at'])
        .where('user_id', '=', p('user_id'))
    )
  }),

  writes: ({ done }) => ({
    /** Stores a secret; it replaces one that was not confirmed. False if there is a confirmed one. */
    begin: done((db, p: Param<Secret & { now: string }>) =>
      db
        .insertInto('second_factors')
        .values({
          user_id: p('user_id'),
          secret: p('secret'),
          last_step: 0,
          confirmed_at: null,
          created_at: p('now')
        })
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet(excluded('secret', 'created_at'))
            .where('second_factors.confirmed_at', 'is', null)
        )
    ),

    /** Confirms a secret, and marks the code of a step as used. False if it is confirmed already or has been replaced. */
    confirm: done((db, p: Param<Step & { now: number }>) =>
      db
        .updateTable('second_factors')
        .set({ confirmed_at: p('now'), last_step: p('step') })
        .where((eb) => eb.and(p.pick('user_id', 'secret')))
        .where('confirmed_at', 'is', null)
    ),

    /** Marks the code of a step as used. False if the code of this or a later step was used before. */
    use: done((db, p: Param<Step>) =>
      db
        .updateTable('second_factors')
        .set({ last_step: p('step') })
        .where((eb) => eb.and(p.pick('user_id', 'secret')))
        .where('confirmed_at', 'is not', null)
        .where('last_step', '<', p('step'))
    ),

    /** False if the user has no confirmed second factor. */
    remove: done((db, p: Param<{ user_id: number }>) =>
      db
        .deleteFrom('second_factors')
        .where('user_id', '=', p('user_id'))
        .where('confirmed_at', 'is not', null)
    ),

    /** Removes second factors that were begun before a time and never confirmed. */
    removeUnconfirmed: done((db, p: Param<{ before: string }>) =>
      db
        .deleteFrom('second_factors')
        .where('confirmed_at', 'is', null)
        .where('created_at', '<', p('before'))
    )
  })
})

/** Recovery codes of second factors, by their hash. A code that was used has no row any more. */
export const recoveryCodes = repository({
  reads: ({ count }) => ({
    /** How many a user has left. */
    count: count((db, p: Param<{ user_id: number }>) =>
      db
        .selectFrom('recovery_codes')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', p('user_id'))
    )
  }),

  writes: ({ done }) => ({
    insert: done((db, p: Param<{ user_id: number; code_hash: string }>) =>
      db.insertInto('recovery_codes').values({ user_id: p('user_id'), code_hash: p('code_hash') })
    ),

    /** Removes a code that is used. False if the user has no such code. */
    use: done((db, p: Param<{ user_id: number; code_hash: string }>) =>
      db.deleteFrom('recovery_codes').where((eb) => eb.and(p.pick('user_id', 'code_hash')))
    ),

    removeOfUser: done((db, p: Param<{ user_id: number }>) =>
      db.deleteFrom('recovery_codes').where('user_id', '=', p('user_id'))
    )
  })
})
