import { removeOldest } from '../query.ts'
import { type Param, repository } from '../statement.ts'
import { tokenColumns, userColumns } from './access-tokens.ts'

declare module '../types.ts' {
  interface Tables {
    /**
     * Access tokens of a grant that a refresh has replaced, until their own end (RFC 6749 §6 ends none). All else of
     * them is in the row of the grant's token.
     */
    earlier_tokens: {
      token_hash: string
      token_id: number
      scopes: string
      expires_at: EpochMs
    }
  }
}

/** They open nothing any more once the token of their grant has been revoked. */
export const earlierTokens = repository({
  reads: ({ first }) => ({
    /** As `accessTokens.find`; `token_hash` is that of the grant's token. */
    find: first((db, p: Param<{ token_hash: string }>) =>
      db
        .selectFrom('earlier_tokens as e')
        .innerJoin('access_tokens', 'access_tokens.id', 'e.token_id')
        .innerJoin('users', 'users.id', 'access_tokens.user_id')
        .select(userColumns)
        .select(tokenColumns)
        .select(['e.scopes', 'e.expires_at'])
        .where('e.token_hash', '=', p('token_hash'))
        .where('access_tokens.token_hash', 'is not', null)
        .where('users.locked_at', 'is', null)
    )
  }),

  writes: ({ all, done }) => ({
    /** Keeps the token that a grant has now. Call it before the next one takes its place. */
    keep: done((db, p: Param<{ grant_id: string; now: number }>) =>
      db
        .insertInto('earlier_tokens')
        .columns(['token_hash', 'token_id', 'scopes', 'expires_at'])
        .expression((eb) =>
          eb
            .selectFrom('access_tokens')
            .select((own) => [
              own.ref('token_hash').$notNull().as('token_hash'),
              'id',
              'scopes',
              'expires_at'
            ])
            .where('grant_id', '=', p('grant_id'))
            .where('token_hash', 'is not', null)
            .where('expires_at', '>', p('now'))
        )
    ),

    removeExpired: all(removeOldest('earlier_tokens', 'token_hash', 'expires_at'))
  })
})
