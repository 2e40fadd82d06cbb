import { excluded, insertFrom, removeOldest } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface UserUsage {
    /** Bytes of the stored answers, plus 512 for each key. */
    answer_bytes: number
  }
}

declare module '../types.ts' {
  interface Tables {
    idempotency_keys: {
      /** SHA-256 of user, method, path and key, hex. */
      scope_hash: string
      /** Null in rows from before this column existed. */
      user_id: number | null
      /** SHA-256 of the request's body, hex. */
      body_digest: string
      /** The request that holds the key. A late one must not complete a key that another has taken over. */
      owner: string
      /** Until when a request without an answer counts as running. */
      lease_until: EpochMs
      created_at: EpochMs
      /** The answer; null while the request runs. */
      status: number | null
      body: string | null
      etag: string | null
      /** The answer has what `return=minimal` asks for. */
      is_minimal: boolean
    }
  }
}

/** A user, and how many bytes of stored answers the user may have before the next claim. */
type Room = { user_id: number; max: number }

type Claim = Room & {
  scope_hash: string
  body_digest: string
  owner: string
  lease_until: number
  now: number
  /** Answers older than this are forgotten. */
  before: number
}

type Answer = Pick<
  Tables['idempotency_keys'],
  'scope_hash' | 'owner' | 'status' | 'body' | 'etag' | 'is_minimal'
>

/** Idempotency keys and their stored answers. */
export const idempotencyKeys = repository({
  reads: ({ first, done }) => ({
    find: first((db, p: Param<{ scope_hash: string }>) =>
      db
        .selectFrom('idempotency_keys')
        .select(['body_digest', 'status', 'body', 'etag', 'is_minimal'])
        .where('scope_hash', '=', p('scope_hash'))
    ),

    hasRoom: done((db, p: Param<Room>) =>
      db
        .selectFrom('user_usage')
        .select('user_id')
        .where('user_id', '=', p('user_id'))
        .where('answer_bytes', '<', p('max'))
    )
  }),

  writes: ({ all, done }) => ({
    /**
     * True if the key is new and the user has room, or if the key is too old, or if the request that
     * held it never ended. The room is not locked: several claims at once may all take the last of it.
     */
    claim: done((db, p: Param<Claim>) =>
      insertFrom(
        db,
        'idempotency_keys',
        db
          .selectFrom('user_usage')
          .where('user_id', '=', p('user_id'))
          .where((eb) =>
            eb.or([
              eb('answer_bytes', '<', p('max')),
              eb.exists(
                eb
                  .selectFrom('idempotency_keys')
                  .select('scope_hash')
                  .where('scope_hash', '=', p('scope_hash'))
              )
            ])
          ),
        {
          ...p.pick('scope_hash', 'user_id', 'body_digest', 'owner', 'lease_until'),
          created_at: p('now')
        }
      ).onConflict((conflict) =>
        conflict
          .column('scope_hash')
          .doUpdateSet({
            ...excluded('body_digest', 'owner', 'lease_until', 'created_at'),
            status: null,
            body: null,
            etag: null
          })
          .where((eb) =>
            eb.or([
              eb.and([
                eb('idempotency_keys.status', 'is', null),
                eb('idempotency_keys.lease_until', '<=', p('now'))
              ]),
              eb('idempotency_keys.created_at', '<', p('before'))
            ])
          )
      )
    ),

    /** False if another request has taken the key over. */
    complete: done((db, p: Param<Answer>) =>
      db
        .updateTable('idempotency_keys')
        .set(p.pick('status', 'body', 'etag', 'is_minimal'))
        .where((eb) => eb.and(p.pick('scope_hash', 'owner')))
    ),

    /** Frees a key that has no answer. It has one if it was committed, and only the answer to COMMIT was lost. */
    release: done((db, p: Param<{ scope_hash: string; owner: string }>) =>
      db
        .deleteFrom('idempotency_keys')
        .where((eb) => eb.and(p.pick('scope_hash', 'owner')))
        .where('status', 'is', null)
    ),

    removeOld: all(removeOldest('idempotency_keys', 'scope_hash', 'created_at'))
  })
})
