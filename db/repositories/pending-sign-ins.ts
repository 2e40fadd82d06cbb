import type { SignInWay } from '../../schemas/user.ts'
import { limit } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    /** Sign-ins that wait for a code: the password was right, or a provider knows the user. */
    pending_sign_ins: {
      user_id: number
      via: SignInWay
      /** What is linked after the code. */
      link_issuer: string | null
      link_sub: string | null
      /** SHA-256 of the cookie's value, hex. The value itself is never stored. */
      id_hash: string
      form_token: string
      /** When the password had last changed. A later change ends the pending sign-in. */
      password_changed_at: EpochMs
      expires_at: EpochMs
    }
  }
}

/** Pending sign-ins, by the hash of their cookie. */
export const pendingSignIns = repository({
  reads: ({ first }) => ({
    /** The pending sign-in, if it has not expired, and its user. */
    find: first((db, p: Param<{ id_hash: string; now: number }>) =>
      db
        .selectFrom('pending_sign_ins as s')
        .innerJoin('users as u', (join) =>
          join
            .onRef('u.id', '=', 's.user_id')
            .onRef('u.password_changed_at', '=', 's.password_changed_at')
        )
        .select(['s.form_token', 's.password_changed_at', 'u.user_id'])
        .select(['s.via', 's.link_issuer', 's.link_sub'])
        .where('s.id_hash', '=', p('id_hash'))
        .where('s.expires_at', '>', p('now'))
    )
  }),

  writes: ({ done }) => ({
    insert: done((db, p: Param<Tables['pending_sign_ins']>) =>
      db.insertInto('pending_sign_ins').values({
        ...p.pick('user_id', 'id_hash', 'form_token', 'password_changed_at', 'expires_at'),
        ...p.pick('via', 'link_issuer', 'link_sub')
      })
    ),

    /** Ends all of a user but the newest. */
    removeOldest: done((db, p: Param<{ user_id: number; keep: number }>) =>
      db
        .deleteFrom('pending_sign_ins')
        .where('user_id', '=', p('user_id'))
        .where('id_hash', 'not in', (eb) =>
          eb
            .selectFrom('pending_sign_ins')
            .select('id_hash')
            .where('user_id', '=', p('user_id'))
            .orderBy('expires_at', 'desc')
            .limit(limit(p('keep')))
        )
    ),

    /** Ends it. False if it has ended. */
    remove: done((db, p: Param<{ id_hash: string }>) =>
      db.deleteFrom('pending_sign_ins').where('id_hash', '=', p('id_hash'))
    ),

    removeExpired: done((db, p: Param<{ now: number }>) =>
      db.deleteFrom('pending_sign_ins').where('expires_at', '<=', p('now'))
    )
  })
})
