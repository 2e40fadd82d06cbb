import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Adapter, errors, Provider } from 'oidc-provider'
import { endGrant } from '../../../db/actions/end-grant.ts'
import type { Repositories } from '../../../db/repositories/index.ts'
import { scopes as known } from '../../../schemas/access-token.ts'
import { hashSecret, type sealer } from '../../runtime/secrets.ts'
import { findToken, hintOf, tokenOf, writeScopes } from '../access-token.ts'
import { recordEvent } from '../audit.ts'
import { clientMs, libraryTime, statesFor, unused } from './states.ts'

/** How many clients may have registered themselves. */
const maxClients = 10_000

/** How long is what one says about itself; a document may be as long (`fetchResponseBodyLimits`). */
const maxMetadataBytes = 5 * 1024

export interface AdapterOptions {
  issuer: string
  /** The names of the one resource. */
  resources: readonly string[]
  /** Encrypts what is kept. */
  kept: ReturnType<typeof sealer>
  /** The request that the library answers. */
  here(): FastifyRequest
}

/**
 * Keeps what the library needs between two requests, in our tables. Grants are made by the page of consent
 * (grants.ts). Access tokens are rows of `access_tokens`, so that the guard of all routes knows them.
 */
export function adapterFor(app: FastifyInstance, options: AdapterOptions) {
  const { repos } = app
  const { kept } = options
  const expiresIn = (seconds: number | undefined) => app.now() + (seconds ?? 0) * 1000

  /** Runs `work` while the grant lives: it cannot end meanwhile. Else fails with `invalid_grant`. */
  const duringGrant = (
    grant_id: string,
    work: (
      repos: Repositories,
      grant: { user_id: number; client_name: string; asks: boolean }
    ) => Promise<unknown>
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
      // No text with U+0000 is stored.
      const found = !client_id.includes('\0') && (await repos.oauthClients.find({ client_id }))
      if (!found || (found.expires_at !== null && found.expires_at <= app.now())) return
      return JSON.parse(found.metadata)
    },
    async upsert(client_id, { client_secret: secret, ...rest }) {
      const request = options.here()
      const metadata = JSON.stringify({
        ...rest,
        ...(secret && { client_secret: hashSecret(secret) })
      })
      if (Buffer.byteLength(metadata) > maxMetadataBytes) {
        throw new errors.InvalidClientMetadata('it is too long')
      }
      await app.db.transaction(async (repos) => {
        const count = await repos.oauthClients.countRegistered({})
        if (count >= maxClients) {
          throw new errors.TemporarilyUnavailable('too many clients have registered')
        }
        await repos.oauthClients.insert({
          client_id,
          metadata,
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
      await duringGrant(grantId, async (repos, { user_id, client_name, asks }) => {
        await repos.earlierTokens.keep({ grant_id: grantId, now: app.now() })
        await repos.accessTokens.saveOfGrant({
          grant_id: grantId,
          user_id,
          name: client_name,
          hint: hintOf(token),
          token_hash: hashSecret(token),
          scopes: writeScopes(scope.split(' ')),
          asks,
          resource: options.issuer,
          now: app.timestamp(),
          expires_at: expiresIn(seconds)
        })
      })
    },
    async find(token) {
      const found = await findToken(repos, token)
      const grantId = found?.grant_id ?? ''
      const grant = await repos.oauthGrants.find({ grant_id: grantId })
      if (!found || !grant) return
      return {
        kind: 'AccessToken',
        jti: token,
        accountId: String(grant.user_id),
        clientId: grant.client_id,
        grantId,
        scope: found.scopes,
        exp: libraryTime(found.expires_at - app.now())
      }
    }
  }

  return (model: string): Adapter => {
    if (model === 'Client') return clients
    if (model === 'Grant') return grants
    return model === 'AccessToken'
      ? accessTokens
      : statesFor(app, model, { resources: options.resources, kept, duringGrant, end })
  }
}
