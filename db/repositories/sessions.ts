import type { Generated } from 'kysely'
import type { SignInWay } from '../../schemas/user.ts'
import { isOwn, removeOldest } from '../query.ts'
import { type Param, type Reader, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    sessions: {
      /** Names the session in its user's list; it gives no access. */
      id: Generated<number>
      /** SHA-256 of the session id, hex. The id itself is never stored. */
      id_hash: string
      user_id: number
      csrf_token: string
      /** End of the idle limit; moves forward as the session is used. */
      expires_at: EpochMs
      /** End of the absolute limit; never moves. */
      ends_at: EpochMs
      created_at: string
      /** How the user signed in. */
      via: SignInWay
      /** When it was last used, to the minute. */
      last_seen_at: EpochMs
      /** Where its sign-in came from. */
      address: string | null
      user_agent: string | null
      /** Checks of the password by this session since the last right one. */
      wrong_passwords: Generated<number>
    }
  }
}

type Derived = 'id' | 'created_at' | 'last_seen_at' | 'wrong_passwords'
type NewSession = Omit<Tables['sessions'], Derived> & { now: string; now_ms: number }
type Touch = { id_hash: string; now: number; before: number; expires_at: number }

/** A session and its user, unless an administrator has locked the user. */
const withUser = (db: Reader) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.user_id', 'users.user_name', 'users.e_mail', 'users.role'])
    .select(['id_hash', 'csrf_token', 'expires_at', 'ends_at', 'last_seen_at'])
    .where('users.locked_at', 'is', null)

/** Sessions by the hash of their id. */
export const sessions = repository({
  reads: ({ all, first, count, remembered }) => ({
    /** The live session and its user, in one read. */
    find: first((db, p: Param<{ id_hash: string; now: number }>) =>
      withUser(db).where('id_hash', '=', p('id_hash')).where('expires_at', '>', p('now'))
    ),

    /** The same, but it may have expired: the caller checks that. */
    known: remembered('id_hash', 'text', withUser),

    /** The live sessions of a user, newest first. */
    list: all((db, p: Param<{ user_id: number; now: number }>) =>
      db
        .selectFrom('sessions')
        .select(['id', 'id_hash', 'created_at', 'via', 'last_seen_at', 'address', 'user_agent'])
        .where('user_id', '=', p('user_id'))
        .where('expires_at', '>', p('now'))
        .orderBy('id', 'desc')
    ),

    /** When the session began; undefined if it has ended. */
    began: first((db, p: Param<{ id_hash: string }>) =>
      db.selectFrom('sessions').select('created_at').where('id_hash', '=', p('id_hash'))
    ),

    /** How many sessions are live. */
    count: count((db, p: Param<{ now: number }>) =>
      db
        .selectFrom('sessions')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('expires_at', '>', p('now'))
    )
  }),

  writes: ({ all, done }) => ({
    insert: done((db, p: Param<NewSession>) =>
      db.insertInto('sessions').values({
        ...p.pick('id_hash', 'user_id', 'csrf_token', 'expires_at', 'ends_at'),
        ...p.pick('via', 'address', 'user_agent'),
        created_at: p('now'),
        last_seen_at: p('now_ms')
      })
    ),

    /** Stores the time of a use and moves the idle limit, unless a use since `before` is stored. */
    touch: done(
      (db, p: Param<Touch>) =>
        db
          .updateTable('sessions')
          .set({ last_seen_at: p('now'), expires_at: p('expires_at') })
          .where('id_hash', '=', p('id_hash'))
          .where('last_seen_at', '<=', p('before')),
      { only: 'id_hash' }
    ),

    /** Counts a check of the password. False if the session has none left, or has ended. */
    addGuess: done(
      (db, p: Param<{ id_hash: string; limit: number }>) =>
        db
          .updateTable('sessions')
          .set((eb) => ({ wrong_passwords: eb('wrong_passwords', '+', 1) }))
          .where('id_hash', '=', p('id_hash'))
          .where('wrong_passwords', '<', p('limit')),
      { only: 'id_hash' }
    ),

    /** Forgets the checks of the password, after a right one. */
    clearGuesses: done(
      (db, p: Param<{ id_hash: string }>) =>
        db.updateTable('sessions').set({ wrong_passwords: 0 }).where('id_hash', '=', p('id_hash')),
      { only: 'id_hash' }
    ),

    remove: done((db, p: Param<{ id_hash: string }>) =>
      db.deleteFrom('sessions').where('id_hash', '=', p('id_hash'))
    ),

    /** Ends one session of a user, by the id in the list. */
    removeOwn: done((db, p: Param<{ id: number; user_id: number; now: number }>) =>
      db.deleteFrom('sessions').where(isOwn(p)).where('expires_at', '>', p('now'))
    ),

    /** Ends all sessions of a user except one. */
    removeOthers: all((db, p: Param<{ user_id: number; id_hash: string }>) =>
      db
        .deleteFrom('sessions')
        .where('user_id', '=', p('user_id'))
        .where('id_hash', '!=', p('id_hash'))
        .returning('id')
    ),

    removeOfUser: done((db, p: Param<{ user_id: number }>) =>
      db.deleteFrom('sessions').where('user_id', '=', p('user_id'))
    ),

    removeExpired: all(removeOldest('sessions', 'id_hash', 'expires_at'))
  })
})
