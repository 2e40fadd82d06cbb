import { createHmac, hash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider'
import { endGrant } from '../../../db/actions/end-grant.ts'
import type { Repositories } from '../../../db/repositories/index.ts'
import { scopes as known } from '../../../schemas/access-token.ts'
import { hashSecret, type sealer } from '../../runtime/secrets.ts'
import { hintOf, tokenOf, writeScopes } from '../access-token.ts'
import { recordEvent } from '../audit.ts'

/** How many clients may have registered themselves, and how long one is kept that nobody has let in. */
const maxClients = 10_000
const clientMs = 86_400_000

/**
 * What anybody can begin, and nobody has answered: so many are kept of each kind, and so long is each, as
 * JSON. One more ends the oldest.
 */
const pendingKinds: ReadonlySet<string> = new Set(['Interaction', 'DeviceCode', 'Session'])
const maxPending = 2500
const maxPendingLength = 4096

export interface AdapterOptions {
  issuer: string
  /** The names of the one resource. */
  resources: readonly string[]
  /** Encrypts what is kept. */
  kept: ReturnType<typeof sealer>
  /** The request that the library answers. */
  here(): FastifyRequest
}

/** The key of a row of `oauth_states`. */
export const stateHash = (kind: string, id: string) => hash('sha256', `${kind}:${id}`)

/** Dates of the library are in seconds, and by the clock of the machine. */
const libraryTime = (inMs: number) => Math.round((Date.now() + inMs) / 1000)

/** What the library calls of an adapter; none of its models here needs the others. */
const unused = {
  async upsert() {
    throw new Error('not kept')
  },
  async find() {},
  async findByUid() {},
  async findByUserCode() {},
  async consume() {},
  async destroy() {},
  async revokeByGrantId() {}
} satisfies Adapter

/**
 * Keeps what the library needs between two requests, in our tables. Grants are made by the page of consent
 * (grants.ts). Access tokens are rows of `access_tokens`, so that the guard of all routes knows them. All
 * the rest is encrypted, and found by the hash of its value.
 */
export function adapterFor(app: FastifyInstance, options: AdapterOptions) {
  const { repos } = app
  const { seal, open, key } = options.kept
  const expiresIn = (seconds: number | undefined) => app.now() + (seconds ?? 0) * 1000

  /** Runs `work` while the grant lives: it cannot end meanwhile. Else fails with `invalid_grant`. */
  const duringGrant = (
    grant_id: string,
    work: (repos: Repositories, grant: { user_id: number; client_name: string }) => Promise<unknown>
  ) =>
    app.db.transaction(async (repos) => {
      const found = await repos.oauthGrants.find({ grant_id })
      if (found) await repos.users.hold({ id: found.user_id })
      const grant = found && (await repos.oauthGrants.find({ grant_id }))
      if (!grant) throw new errors.InvalidGrant('the grant has ended')
      await work(repos, grant)
    })

  /** Ends a grant, because the program asks for it or something of it was used twice. */
  async function end(grant_id: string, isReuse: boolean) {
    const request = options.here()
    await app.db.transaction(async (repos) => {
      const grant = await repos.oauthGrants.find({ grant_id })
      if (!grant) return
      const { id, user_id, client_name, scopes } = grant
      if (!(await endGrant(repos, { id, user_id, at: app.now() }))) return
      const user = await repos.users.findById({ id: user_id })
      const what = {
        ...{ user_id, subject: user?.user_id, via: 'oauth' as const },
        detail: `${client_name}: ${scopes}`
      }
      if (isReuse) await recordEvent(repos, request, 'refresh-reused', what)
      await recordEvent(repos, request, 'grant-ended', what)
    })
  }

  const clients: Adapter = {
    ...unused,
    async find(client_id) {
      const found = await repos.oauthClients.find({ client_id })
      if (!found || (found.expires_at !== null && found.expires_at <= app.now())) return
      return JSON.parse(found.metadata)
    },
    async upsert(client_id, { client_secret: secret, ...rest }) {
      const request = options.here()
      const metadata = { ...rest, ...(secret && { client_secret: hashSecret(secret) }) }
      await app.db.transaction(async (repos) => {
        const count = await repos.oauthClients.countRegistered({})
        if (count >= maxClients) {
          throw new errors.TemporarilyUnavailable('too many clients have registered')
        }
        await repos.oauthClients.insert({
          client_id,
          metadata: JSON.stringify(metadata),
          now: app.timestamp(),
          expires_at: app.now() + clientMs
        })
        const what = { subject: client_id, detail: rest.client_name ?? '', via: 'oauth' } as const
        await recordEvent(repos, request, 'client-registered', what)
      })
    }
  }

  const grants: Adapter = {
    ...unused,
    async find(grant_id) {
      const found = await repos.oauthGrants.find({ grant_id })
      if (!found) return
      const { user_id, client_id: clientId, scopes } = found
      const granted = scopes.split(' ')
      const ofResources = (scopes: string) =>
        Object.fromEntries(options.resources.map((resource) => [resource, scopes]))
      return {
        kind: 'Grant',
        jti: grant_id,
        accountId: String(user_id),
        clientId,
        exp: libraryTime(found.expires_at - app.now()),
        resources: ofResources(scopes),
        // What the user took away counts as answered: else the library would ask for it again.
        rejected: {
          resources: ofResources(known.filter((scope) => !granted.includes(scope)).join(' '))
        }
      }
    },
    destroy: (grant_id) =>
      end(grant_id, Provider.ctx?.oidc.entities.RefreshToken?.consumed !== undefined)
  }

  const accessTokens: Adapter = {
    ...unused,
    async upsert(id, { grantId = '', scope = '' }, seconds) {
      const token = tokenOf(id)
      await duringGrant(grantId, ({ accessTokens }, { user_id, client_name }) =>
        accessTokens.saveOfGrant({
          grant_id: grantId,
          user_id,
          name: client_name,
          hint: hintOf(token),
          token_hash: hashSecret(token),
          scopes: writeScopes(scope.split(' ')),
          resource: options.issuer,
          now: app.timestamp(),
          expires_at: expiresIn(seconds)
        })
      )
    },
    async find(token) {
      const found = await repos.accessTokens.findGranted({ token_hash: hashSecret(token) })
      if (!found) return
      return {
        kind: 'AccessToken',
        jti: token,
        accountId: String(found.user_id),
        clientId: found.client_id,
        grantId: found.grant_id,
        scope: found.scopes,
        exp: libraryTime(found.expires_at - app.now())
      }
    }
  }

  const states = (kind: string): Adapter => {
    const hashOf = (id: string) => stateHash(kind, id)
    // A user code is short, so that its plain hash could be guessed.
    const hashUserCode = (code: string) => createHmac('sha256', key).update(code).digest('hex')

    type Row = Awaited<ReturnType<typeof repos.oauthStates.find>>
    function read(row: Row): AdapterPayload | undefined {
      const text = row && open(row.id_hash, row.payload)
      if (!text) return undefined
      return {
        ...JSON.parse(text),
        exp: libraryTime(row.expires_at - app.now()),
        ...(row.consumed_at !== null && { consumed: true })
      }
    }

    return {
      ...unused,
      find: async (id) => read(await repos.oauthStates.find({ id_hash: hashOf(id) })),
      findByUserCode: async (code) =>
        read(await repos.oauthStates.findByUserCode({ user_code_hash: hashUserCode(code) })),

      async upsert(id, payload, seconds) {
        const { grantId: grant_id = null, userCode } = payload
        // Who has signed in is said by our own session alone; the library's keeps the token of a form.
        const { uid, state } = payload
        if (kind === 'Session' && !state) return
        const text = JSON.stringify(kind === 'Session' ? { kind, jti: id, uid, state } : payload)
        const isPending = pendingKinds.has(kind) && grant_id === null
        if (isPending && text.length > maxPendingLength) {
          throw new errors.InvalidRequest('the request is too long')
        }
        const row = {
          id_hash: hashOf(id),
          kind,
          user_code_hash: userCode ? hashUserCode(userCode) : null,
          grant_id,
          payload: seal(hashOf(id), text),
          expires_at: expiresIn(seconds)
        }
        if (grant_id === null) {
          await app.db.repos.oauthStates.save(row)
          if (isPending) await app.db.repos.oauthStates.removeBeyond({ kind, keep: maxPending })
        } else {
          await duringGrant(grant_id, async ({ oauthClients, oauthGrants, oauthStates }) => {
            await oauthStates.save(row)
            if (kind !== 'RefreshToken') return
            const { expires_at } = row
            await oauthGrants.extend({ grant_id, expires_at })
            const client_id = payload.clientId ?? ''
            await oauthClients.keep({ client_id, expires_at: expires_at + clientMs })
          })
        }
      },

      async consume(id) {
        const key = { id_hash: hashOf(id), now: app.now() }
        if (await app.db.repos.oauthStates.consume(key)) return
        // Two requests at once: the library has let both through.
        const grantId = read(await repos.oauthStates.find(key))?.grantId
        if (grantId) await end(grantId, kind === 'RefreshToken')
        throw new errors.InvalidGrant('it was used before')
      },

      async destroy(id) {
        await app.db.repos.oauthStates.remove({ id_hash: hashOf(id) })
      }
    }
  }

  return (model: string): Adapter => {
    if (model === 'Client') return clients
    if (model === 'Grant') return grants
    return model === 'AccessToken' ? accessTokens : states(model)
  }
}
