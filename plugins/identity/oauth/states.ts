import { createHmac, hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Repositories } from '../../../db/repositories/index.ts'
import type { sealer } from '../../runtime/secrets.ts'

/**
 * What anybody can begin, and nobody has answered: so many are kept of each kind, and so many bytes is each,
 * as JSON. One more ends the oldest.
 */
const pendingKinds: ReadonlySet<string> = new Set(['Interaction', 'DeviceCode', 'Session'])
const maxPending = 2500
const maxPendingBytes = 4096

/** How long a program is kept that nobody has let in. */
export const clientMs = 86_400_000

/** How long a refresh token works after its first use (contract OAUTH-3). */
const refreshAgainMs = 60_000

/** The key of a row of `oauth_states`. */
export const stateHash = (kind: string, id: string) => hash('sha256', `${kind}:${id}`)

/** Dates of the library are in seconds, and by the clock of the machine. */
export const libraryTime = (inMs: number) => Math.round((Date.now() + inMs) / 1000)

/** What the library calls of an adapter; none of its models here needs the others. */
export const unused = {
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

interface Options {
  /** The names of the one resource. */
  resources: readonly string[]
  /** Encrypts what is kept. */
  kept: ReturnType<typeof sealer>
  /** Runs `work` while the grant lives. */
  duringGrant(grant_id: string, work: (repos: Repositories) => Promise<unknown>): Promise<void>
  /** Ends a grant. */
  end(grant_id: string, isReuse: boolean): Promise<void>
}

/** Keeps codes, refresh tokens, pending requests and forms: encrypted, and found by the hash of their value. */
export function statesFor(app: FastifyInstance, kind: string, options: Options): Adapter {
  const { repos } = app
  const { resources, duringGrant, end } = options
  const { seal, open, key } = options.kept
  const hashOf = (id: string) => stateHash(kind, id)
  // A user code is short, so that its plain hash could be guessed.
  const hashUserCode = (code: string) => createHmac('sha256', key).update(code).digest('hex')

  /** Whether it may not be used again. Programs refresh twice at once, and again if an answer was lost. */
  const isUsedUp = ({ consumed_at }: { consumed_at: number | null }) =>
    consumed_at !== null && (kind !== 'RefreshToken' || consumed_at + refreshAgainMs <= app.now())

  type Row = Awaited<ReturnType<typeof repos.oauthStates.find>>
  function read(row: Row): AdapterPayload | undefined {
    const text = row && open(row.id_hash, row.payload)
    if (!text) return undefined
    return {
      ...JSON.parse(text),
      exp: libraryTime(row.expires_at - app.now()),
      ...(isUsedUp(row) && { consumed: true })
    }
  }

  return {
    ...unused,
    find: async (id) => read(await repos.oauthStates.find({ id_hash: hashOf(id) })),
    async findByUserCode(code) {
      const found = read(
        await repos.oauthStates.findByUserCode({ user_code_hash: hashUserCode(code) })
      )
      // Who has confirmed it may have been interrupted, and types it again. The first answer counts (`save`).
      return found && { ...found, inFlight: undefined }
    },

    async upsert(id, payload, seconds) {
      const { grantId: grant_id = null, userCode } = payload
      // Who has signed in is said by our own session alone; the library's keeps the token of a form.
      const { uid, state, result, inFlight, error } = payload
      if (kind === 'Session' && !state) return
      const text = JSON.stringify(kind === 'Session' ? { kind, jti: id, uid, state } : payload)
      // An answer makes it longer, and must not fail for that.
      const isAnswered = grant_id !== null || result || inFlight || error
      const isPending = pendingKinds.has(kind) && !isAnswered
      if (isPending && Buffer.byteLength(text) > maxPendingBytes) {
        throw new errors.InvalidRequest('the request is too long')
      }
      const row = {
        id_hash: hashOf(id),
        kind,
        user_code_hash: userCode ? hashUserCode(userCode) : null,
        grant_id,
        payload: seal(hashOf(id), text),
        expires_at: app.now() + (seconds ?? 0) * 1000
      }
      if (grant_id === null) {
        await app.db.repos.oauthStates.save(row)
        if (isPending) await app.db.repos.oauthStates.removeBeyond({ kind, keep: maxPending })
      } else {
        await duringGrant(grant_id, async ({ oauthClients, oauthGrants, oauthStates }) => {
          if (!(await oauthStates.save(row)))
            throw new errors.InvalidGrant('it was answered before')
          if (kind !== 'RefreshToken') return
          const { expires_at } = row
          await oauthGrants.extend({ grant_id, expires_at })
          const client_id = payload.clientId ?? ''
          await oauthClients.keep({ client_id, expires_at: expires_at + clientMs })
        })
      }
    },

    async consume(id) {
      // The library checks it only afterwards: a refused request would cost the program its code, or its grant.
      // Of several, it takes the first (`defaultResource`).
      const [resource] = [Provider.ctx?.oidc.params?.resource].flat()
      if (typeof resource === 'string' && !resources.includes(resource)) {
        throw new errors.InvalidTarget()
      }
      const key = { id_hash: hashOf(id), now: app.now() }
      if (await app.db.repos.oauthStates.consume(key)) return
      const found = await repos.oauthStates.find(key)
      if (found && !isUsedUp(found)) return
      // Two requests at once: the library has let both through.
      const grantId = read(found)?.grantId
      if (grantId) await end(grantId, kind === 'RefreshToken')
      throw new errors.InvalidGrant('it was used before')
    },

    async destroy(id) {
      await app.db.repos.oauthStates.remove({ id_hash: hashOf(id) })
    }
  }
}
