import type { Generated } from 'kysely'
import { isOwn, removeOldest } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import type { Tables } from '../types.ts'

declare module '../types.ts' {
  interface Tables {
    /** Programs that have registered, or were registered by hand. */
    oauth_clients: {
      client_id: string
      /** JSON (RFC 7591 §2). A secret is in it as SHA-256 only. */
      metadata: string
      created_at: string
      /** When it is forgotten; null if it was registered by hand. */
      expires_at: EpochMs | null
    }
    /** What users have allowed to programs. */
    oauth_grants: {
      id: Generated<number>
      /** Its name within the OAuth library. It opens nothing. */
      grant_id: string
      user_id: number
      client_id: string
      client_name: string
      /** Where the user was sent back to; null for a program without a browser. */
      host: string | null
      /** Separated by spaces. */
      scopes: string
      /** Whether a person is asked before the program changes something. */
      asks: boolean
      created_at: string
      expires_at: EpochMs
    }
  }
}

type NewGrant = Omit<Tables['oauth_grants'], 'id' | 'created_at'> & { now: string }

/** Programs, by `client_id`. */
export const oauthClients = repository({
  reads: ({ all, first, count }) => ({
    find: first((db, p: Param<{ client_id: string }>) =>
      db
        .selectFrom('oauth_clients')
        .select(['metadata', 'expires_at'])
        .where('client_id', '=', p('client_id'))
    ),

    /** Those that were registered by hand, oldest first. */
    listByHand: all((db) =>
      db
        .selectFrom('oauth_clients')
        .select(['client_id', 'metadata', 'created_at'])
        .where('expires_at', 'is', null)
        .orderBy('created_at')
        .orderBy('client_id')
    ),

    /** How many have registered themselves. */
    countRegistered: count((db) =>
      db
        .selectFrom('oauth_clients')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('expires_at', 'is not', null)
    )
  }),

  writes: ({ all, done }) => ({
    insert: done(
      (
        db,
        p: Param<{ client_id: string; metadata: string; now: string; expires_at: number | null }>
      ) =>
        db.insertInto('oauth_clients').values({
          client_id: p('client_id'),
          metadata: p('metadata'),
          created_at: p('now'),
          expires_at: p('expires_at')
        })
    ),

    /** Keeps a client that has registered itself until then. */
    keep: done((db, p: Param<{ client_id: string; expires_at: number }>) =>
      db
        .updateTable('oauth_clients')
        .set({ expires_at: p('expires_at') })
        .where('client_id', '=', p('client_id'))
        .where('expires_at', '<', p('expires_at'))
    ),

    /** False if no such client was registered by hand. */
    removeByHand: done((db, p: Param<{ client_id: string }>) =>
      db
        .deleteFrom('oauth_clients')
        .where('client_id', '=', p('client_id'))
        .where('expires_at', 'is', null)
    ),

    removeExpired: all(removeOldest('oauth_clients', 'client_id', 'expires_at'))
  })
})

/** What users have allowed to programs. A grant that ends is deleted, and its states with it. */
export const oauthGrants = repository({
  reads: ({ all, first }) => ({
    find: first((db, p: Param<{ grant_id: string }>) =>
      db
        .selectFrom('oauth_grants')
        .select(['id', 'user_id', 'client_id', 'client_name', 'scopes', 'asks', 'expires_at'])
        .where('grant_id', '=', p('grant_id'))
    ),

    /** The live grants of a user, newest first. */
    list: all((db, p: Param<{ user_id: number; now: number }>) =>
      db
        .selectFrom('oauth_grants as g')
        .leftJoin('access_tokens as t', 't.grant_id', 'g.grant_id')
        .select(['g.id', 'g.client_id', 'g.client_name', 'g.host', 'g.scopes', 'g.asks'])
        .select(['g.created_at', 'g.expires_at', 't.last_used_at'])
        .where('g.user_id', '=', p('user_id'))
        .where('g.expires_at', '>', p('now'))
        .orderBy('g.id', 'desc')
    ),

    /** What a user has allowed to one program, newest first. */
    ofClient: all((db, p: Param<{ user_id: number; client_id: string }>) =>
      db
        .selectFrom('oauth_grants')
        .select(['id', 'grant_id', 'host', 'scopes', 'expires_at'])
        .where('user_id', '=', p('user_id'))
        .where('client_id', '=', p('client_id'))
        .orderBy('id', 'desc')
    ),

    /** Every grant to one program. */
    toClient: all((db, p: Param<{ client_id: string }>) =>
      db
        .selectFrom('oauth_grants')
        .select(['id', 'user_id'])
        .where('client_id', '=', p('client_id'))
    )
  }),

  writes: ({ all, first, done }) => ({
    insert: done((db, p: Param<NewGrant>) =>
      db.insertInto('oauth_grants').values({
        ...p.pick('grant_id', 'user_id', 'client_id', 'client_name', 'host', 'scopes', 'asks'),
        created_at: p('now'),
        expires_at: p('expires_at')
      })
    ),

    /** It lasts until then. */
    extend: done((db, p: Param<{ grant_id: string; expires_at: number }>) =>
      db
        .updateTable('oauth_grants')
        .set({ expires_at: p('expires_at') })
        .where('grant_id', '=', p('grant_id'))
    ),

    /** Returns what it was; undefined if the user has no such grant. */
    remove: first((db, p: Param<{ id: number; user_id: number }>) =>
      db.deleteFrom('oauth_grants').where(isOwn(p)).returning(['grant_id', 'client_name', 'scopes'])
    ),

    removeOfUser: done((db, p: Param<{ user_id: number }>) =>
      db.deleteFrom('oauth_grants').where('user_id', '=', p('user_id'))
    ),

    removeExpired: all(removeOldest('oauth_grants', 'id', 'expires_at'))
  })
})
