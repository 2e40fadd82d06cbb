import { type Generated, type Kysely, type RawBuilder, sql } from 'kysely'
import {
  excluded,
  insertFrom,
  isListed,
  isOwn,
  listed,
  type OwnKey,
  removeOldest
} from '../query.ts'
import { type Param, type Reader, repository } from '../statement.ts'
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
      /** The grant that it belongs to, whose newest token this is; null if the user made it. */
      grant_id: string | null
      /** The audience of a token by OAuth (RFC 8707); null if the user made it. */
      resource: string | null
      /** Whether a person is asked before it changes something. */
      asks: boolean
      /** The most changes that it may make; null if there is no such limit. */
      changes_max: number | null
      /** The token that made it; null if none did. */
      parent_id: number | null
      /** How many tokens stand above it. */
      depth: number
      /** The tokens whose budgets its changes spend, as a JSON array; null if there are none. */
      spends: string | null
    }
    /** How many changes a token may still make that has a `changes_max`. */
    token_budgets: {
      token_id: number
      changes_left: number
    }
  }
}

type Shared = 'user_id' | 'name' | 'hint' | 'token_hash' | 'scopes' | 'expires_at' | 'asks'
type Made = Shared | 'resource' | 'changes_max' | 'parent_id' | 'depth' | 'spends'
/** `max`: how many live tokens the user may have. */
export type NewToken = Pick<Tables['access_tokens'], Made> & {
  now: string
  now_ms: number
  max: number
}
type GrantToken = Pick<Tables['access_tokens'], Shared | 'grant_id' | 'resource'> & { now: string }

const columns = [
  'id',
  'name',
  'hint',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'asks',
  'changes_max',
  'parent_id'
] as const

/** What an access token is limited by, besides its scopes. */
const limits = ['asks', 'changes_max', 'parent_id', 'depth', 'spends'] as const

/** What identifies the user of a token, and the token itself. */
export const userColumns = [
  'users.id',
  'users.user_id',
  'users.user_name',
  'users.e_mail',
  'users.role'
] as const
export const tokenColumns = [
  'access_tokens.id as token_id',
  'access_tokens.last_used_at',
  'access_tokens.token_hash',
  'access_tokens.resource',
  'access_tokens.grant_id',
  ...limits.map((name) => `access_tokens.${name}` as const)
] as const

/** How many changes a token may still make: by its own budget, or by that of a token above it if less is left there. */
const changesLeft = (db: Pick<Reader, 'getExecutor'>, spends: RawBuilder<string>) =>
  sql<number | null>`(
    select min(changes_left) from token_budgets where token_id in ${listed(db, spends)})`

/**
 * The names of tokens `t`. `root_name`: of the token that the user made or granted, above one that is derived; null if
 * that is not stored any more. Two stand above a token at most (contract TOKEN-6).
 */
export const named = (db: Reader) =>
  db
    .selectFrom('access_tokens as t')
    .leftJoin('access_tokens as parent', 'parent.id', 't.parent_id')
    .leftJoin('access_tokens as top', 'top.id', 'parent.parent_id')
    .select(['t.name', 't.parent_id'])
    .select(
      sql<string | null>`case when parent.parent_id is null then parent.name else top.name end`.as(
        'root_name'
      )
    )

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
        .select(userColumns)
        .select(tokenColumns)
        .select(['scopes', 'expires_at'])
        .where('users.locked_at', 'is', null)
    ),

    /** A token that a user has made or granted, if it still opens something, or its grant can renew it. */
    findLive: first((db, p: Param<OwnKey & { now: number }>) =>
      db
        .selectFrom('access_tokens as t')
        .leftJoin('oauth_grants as g', 'g.grant_id', 't.grant_id')
        .select(['t.id as token_id', 't.scopes', 't.expires_at', 't.grant_id'])
        .select(limits.map((name) => `t.${name}` as const))
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

    /** The names of these tokens of a user, `ids` a JSON array, also of those that have ended. */
    names: all((db, p: Param<{ user_id: number; ids: string }>) =>
      named(db)
        .select('t.id')
        .where('t.user_id', '=', p('user_id'))
        .where(isListed(db, 't.id', p('ids')))
    ),

    /** The live tokens that a user has made, newest first. */
    list: all((db, p: Param<{ user_id: number; now: number }>) =>
      db
        .selectFrom('access_tokens')
        .select(columns)
        .select(changesLeft(db, sql.ref('spends')).as('changes_left'))
        .where('user_id', '=', p('user_id'))
        .where('expires_at', '>', p('now'))
        .where('grant_id', 'is', null)
        .orderBy('id', 'desc')
    ),

    /** How many changes are left in the budgets of these tokens, a JSON array: the least of them. */
    changesLeft: first((db, p: Param<{ spends: string }>) =>
      db
        .selectFrom('token_budgets')
        .select((eb) => eb.fn.min<number>('changes_left').as('changes_left'))
        .where(sql<boolean>`token_id in ${listed(db, p('spends'))}`)
    )
  }),

  writes: ({ all, first, done }) => ({
    /** The new token of a grant; it replaces the last one. Lock the user first, and check the grant. */
    saveOfGrant: done((db, p: Param<GrantToken>) =>
      db
        .insertInto('access_tokens')
        .values({
          ...p.pick('grant_id', 'user_id', 'name', 'hint', 'token_hash', 'scopes', 'resource'),
          asks: p('asks'),
          depth: sql.lit(0),
          created_at: p('now'),
          expires_at: p('expires_at')
        })
        .onConflict((conflict) =>
          conflict
            .column('grant_id')
            .doUpdateSet(excluded('hint', 'token_hash', 'scopes', 'asks', 'resource', 'expires_at'))
        )
    ),

    /** Undefined if it has none that is live. */
    revokeOfGrant: first((db, p: Param<{ grant_id: string; now: number }>) =>
      revoked(db, p('now'))
        .where('grant_id', '=', p('grant_id'))
        .where('token_hash', 'is not', null)
        .returning('id')
    ),

    /** Revokes every live token that this one has made, and that those have made. Lock the user first. */
    revokeBelow: done((db, p: Param<{ id: number; now: number }>) =>
      revoked(db, p('now'))
        .where('expires_at', '>', p('now'))
        .where(
          sql<boolean>`id in (
            with recursive below (id) as (
              select id from access_tokens where parent_id = ${p('id')}
              union all
              select t.id from access_tokens as t join below on t.parent_id = below.id
            )
            select id from below)`
        )
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
          ...p.pick('user_id', 'name', 'hint', 'token_hash', 'scopes', 'expires_at', 'resource'),
          ...p.pick('asks', 'changes_max', 'parent_id', 'depth', 'spends'),
          created_at: p('now')
        }
      ).returning(columns)
    ),

    /** Gives a new token a budget. `spends` names it, and those above it that have one. */
    setSpends: done((db, p: Param<{ id: number; spends: string }>) =>
      db
        .updateTable('access_tokens')
        .set({ spends: p('spends') })
        .where('id', '=', p('id'))
    ),
    insertBudget: done((db, p: Param<{ id: number; changes_max: number }>) =>
      db.insertInto('token_budgets').values({ token_id: p('id'), changes_left: p('changes_max') })
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
