import { type Connection, type Param, statement } from '../statement.ts'

type Claim = {
  scope_hash: string
  body_digest: string
  owner: string
  lease_until: number
  now: number
  /** Answers older than this are forgotten. */
  before: number
}

type Answer = {
  scope_hash: string
  owner: string
  status: number
  body: string
  etag: string | null
}

/** Idempotency keys and the answers that they stand for. */
export function idempotencyKeyRepository(connection: Connection) {
  const claim = statement(connection, (db, p: Param<Claim>) =>
    db
      .insertInto('idempotency_keys')
      .values({
        scope_hash: p('scope_hash'),
        body_digest: p('body_digest'),
        owner: p('owner'),
        lease_until: p('lease_until'),
        created_at: p('now'),
        status: null,
        body: null,
        etag: null
      })
      .onConflict((conflict) =>
        conflict
          .column('scope_hash')
          .doUpdateSet((eb) => ({
            body_digest: eb.ref('excluded.body_digest'),
            owner: eb.ref('excluded.owner'),
            lease_until: eb.ref('excluded.lease_until'),
            created_at: eb.ref('excluded.created_at'),
            status: null,
            body: null,
            etag: null
          }))
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
  )
  const find = statement(connection, (db, p: Param<{ scope_hash: string }>) =>
    db
      .selectFrom('idempotency_keys')
      .select(['body_digest', 'status', 'body', 'etag'])
      .where('scope_hash', '=', p('scope_hash'))
  )
  const complete = statement(connection, (db, p: Param<Answer>) =>
    db
      .updateTable('idempotency_keys')
      .set({ status: p('status'), body: p('body'), etag: p('etag') })
      .where('scope_hash', '=', p('scope_hash'))
      .where('owner', '=', p('owner'))
  )
  const release = statement(connection, (db, p: Param<{ scope_hash: string; owner: string }>) =>
    db
      .deleteFrom('idempotency_keys')
      .where('scope_hash', '=', p('scope_hash'))
      .where('owner', '=', p('owner'))
  )
  const removeOld = statement(connection, (db, p: Param<{ before: number }>) =>
    db.deleteFrom('idempotency_keys').where('created_at', '<', p('before'))
  )

  return {
    /** True where the key is new, forgotten, or was left by a request that never ended. */
    claim: async (key: Claim) => (await claim.run(key)) === 1,
    find: find.first,
    /** False where another request has taken the key over. */
    complete: async (answer: Answer) => (await complete.run(answer)) === 1,
    release: release.run,
    removeOld: removeOld.run
  }
}
