import type { Generated, Kysely, RawBuilder } from 'kysely'
import { excluded, insertFrom, isOwn, type OwnKey, removeOldest } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    access_tokens: {
      id: Generated<number>
      user_id: number
      name: string
      /** The first characters of the token. */
      hint: string
      /** SHA-256 of the token, hex; null if it was revoked. The token itself is never stored. */
      token_hash: string | null
      /** Separated by spaces. */
      scopes: string
      created_at: string
      /** When it expires, or when it was revoked. */
      expires_at: EpochMs
      last_used_at: EpochMs | null
      /** The grant that it belongs to, which has one token at a time; null if the user made it. */
      grant_id: string | null
      /** The audience of a token by OAuth (RFC 8707); null if the user made it. */
      resource: string | null
    }
  }
}

type Shared = 'user_id' | 'name' | 'hint' | 'token_hash' | 'scopes' | 'expires_at'
/** `max`: how many live tokens the user may have. */
type NewToken = Pick<Tables['access_tokens'], Shared> & { now: string; now_ms: number; max: number }
type GrantToken = Pick<Tables['access_tokens'], Shared | 'grant_id' | 'resource'> & { now: string }

const columns = [
  'id',
  'name',
  'hint',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at'
] as const

const revoked = (db: Kysely<Tables>, now: RawBuilder<number>) =>
  db.updateTable('access_tokens').set({ token_hash: null, expires_at: now })

/**
 * Access tokens by their hash. An expired or revoked token opens nothing. Its row stays for a while,
 * because the list of activity shows its name.
 */
export const accessTokens = repository({
  reads: ({ all, first, remembered }) => ({
    /** The token and its user, in one read. The caller checks whether it has expired. */
    find: remembered('token_hash', 'text', (db) =>
      db
        .selectFrom('access_tokens')
        .innerJoin('users', 'users.id', 'access_tokens.user_id')
        .select(['users.id', 'users.user_id', 'users.user_name', 'users.e_mail', 'users.role'])
        .select(['access_tokens.id as token_id', 'scopes', 'expires_at', 'last_used_at'])
        .select(['token_hash', 'resource'])
        .where('users.locked_at', 'is', null)
    ),

    /** A token that a user has made or granted, if it still opens something, or its grant can renew it. */
    findLive: first((db, p: Param<OwnKey & { now: number }>) =>
      db
        .selectFrom('access_tokens as t')
        .leftJoin('oauth_grants as g', 'g.grant_id', 't.grant_id')
        .select(['t.id', 't.scopes', 't.expires_at', 't.resource'])
        .where('t.id', '=', p('id'))
        .where('t.user_id', '=', p('user_id'))
        .where('t.token_hash', 'is not', null)
        .where((eb) =>
          eb.or([
            eb.and([eb('t.grant_id', 'is', null), eb('t.expires_at', '>', p('now'))]),
            eb('g.expires_at', '>', p('now'))
          ])
        )
    ),

    /** The names of a user's tokens, also of those that have ended. */
    names: all((db, p: Param<{ user_id: number }>) =>
      db.selectFrom('access_tokens').select(['id', 'name']).where('user_id', '=', p('user_id'))
    ),

    /** The live tokens that a user has made, newest first. */
    list: all((db, p: Param<{ user_id: number; now: number }>) =>
      db
        .selectFrom('access_tokens')
        .select(columns)
        .where('user_id', '=', p('user_id'))
        .where('expires_at', '>', p('now'))
        .where('grant_id', 'is', null)
        .orderBy('id', 'desc')
    ),

    /** A token that belongs to a grant, for the OAuth library. */
    findGranted: first((db, p: Param<{ token_hash: string }>) =>
      db
        .selectFrom('access_tokens')
        .innerJoin('oauth_grants as g', 'g.grant_id', 'access_tokens.grant_id')
        .select(['g.user_id', 'g.client_id', 'g.grant_id', 'access_tokens.scopes'])
        .select(['access_tokens.resource', 'access_tokens.expires_at'])
        .where('token_hash', '=', p('token_hash'))
    )
  }),

  writes: ({ all, first, done }) => ({
    /** The new token of a grant; it replaces the last one. Lock the user first, and check the grant. */
    saveOfGrant: done((db, p: Param<GrantToken>) =>
      db
        .insertInto('access_tokens')
        .values({
          ...p.pick('grant_id', 'user_id', 'name', 'hint', 'token_hash', 'scopes', 'resource'),
          created_at: p('now'),
          expires_at: p('expires_at')
        })
        .onConflict((conflict) =>
          conflict
            .column('grant_id')
            .doUpdateSet(excluded('hint', 'token_hash', 'scopes', 'resource', 'expires_at'))
        )
    ),

    revokeOfGrant: done((db, p: Param<{ grant_id: string; now: number }>) =>
      revoked(db, p('now'))
        .where('grant_id', '=', p('grant_id'))
        .where('token_hash', 'is not', null)
    ),

    /** Undefined if the user has `max` live tokens. Lock the user first, else two inserts at once see the same count. */
    insert: first((db, p: Param<NewToken>) =>
      insertFrom(
        db,
        'access_tokens',
        db
          .selectFrom('users')
          .where('users.id', '=', p('user_id'))
          .where(
            ({ selectFrom }) =>
              selectFrom('access_tokens')
                .select((eb) => eb.fn.countAll<number>().as('live'))
                .where('user_id', '=', p('user_id'))
                .where('expires_at', '>', p('now_ms'))
                .where('grant_id', 'is', null),
            '<',
            p('max')
          ),
        {
          ...p.pick('user_id', 'name', 'hint', 'token_hash', 'scopes', 'expires_at'),
          created_at: p('now')
        }
      ).returning(columns)
    ),

    /** Stores the time of a use, unless one is stored that is newer than `before`. */
    touch: done(
      (db, p: Param<{ token_hash: string; now: number; before: number }>) =>
        db
          .updateTable('access_tokens')
          .set({ last_used_at: p('now') })
          .where('token_hash', '=', p('token_hash'))
          .where((eb) =>
            eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', p('before'))])
          ),
      { only: 'token_hash' }
    ),

    /** Undefined if the user has no such live token. */
    revoke: first((db, p: Param<{ id: number; user_id: number; now: number }>) =>
      revoked(db, p('now'))
        .where(isOwn(p))
        .where('expires_at', '>', p('now'))
        .where('grant_id', 'is', null)
        .returning(['hint', 'scopes'])
    ),

    revokeOfUser: done((db, p: Param<{ user_id: number; now: number }>) =>
      revoked(db, p('now')).where('user_id', '=', p('user_id')).where('expires_at', '>', p('now'))
    ),

    removeEnded: all(removeOldest('access_tokens', 'id', 'expires_at'))
  })
})
