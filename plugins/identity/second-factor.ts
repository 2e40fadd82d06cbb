import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Repositories } from '../../db/repositories/index.ts'
import type { Config } from '../../schemas/config.ts'
import {
  recoveryCodesMade,
  type SecondFactorBegin,
  type SecondFactorCode,
  type SecondFactorEnd,
  totpStepSeconds
} from '../../schemas/second-factor.ts'
import { conflict, invalid } from '../http/errors/index.ts'
import { hashSecret, sealer, urlSecretOf } from '../runtime/secrets.ts'
import { recordEvent } from './audit.ts'
import { confirmUser } from './recent-sign-in.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Begins, confirms, uses and ends a user's second factor. */
    secondFactor: ReturnType<typeof secondFactorOf>
  }
}

type Options = Pick<Config, 'SVC_DATA_DIR' | 'SVC_URL_SECRET'>

/** A setup that nobody confirms is removed after a day. */
const keepUnconfirmedMs = 86_400_000

// 120 bits: too many to guess, so SHA-256 is enough to store them (ASVS 6.5.2).
const recoveryBytes = 15
const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** Makes a code that people can write down, such as `abcd-efgh-ijkl-mnop-qrst-uvwx`. */
function makeRecoveryCode() {
  const bits = [...randomBytes(recoveryBytes)].map((byte) => byte.toString(2).padStart(8, '0'))
  const text = bits.join('').replaceAll(/.{5}/g, (five) => letters[Number.parseInt(five, 2)] ?? '')
  return text.replaceAll(/(?<=.)(?=(?:.{4})+$)/g, '-')
}

/** Removes spaces and hyphens, which are there for people only. */
const plain = (code: string) => code.replaceAll(/[\s-]/g, '').toLowerCase()
const hashCode = (code: string) => hashSecret(plain(code))

function secondFactorOf(app: FastifyInstance, options: Options) {
  const { secondFactors } = app.repos
  const { seal, open } = sealer(urlSecretOf(options), 'second factor')

  /** Null if it was encrypted with another key. */
  function decrypt(user_id: number, kept: string) {
    const secret = open(String(user_id), kept)
    if (secret === null) {
      app.log.warn({ userId: user_id }, 'a second factor was encrypted with another SVC_URL_SECRET')
    }
    return secret
  }

  /** The time step of a code: this one, the previous or the next; null if it matches none. */
  function stepOf(user_id: number, kept: string, code: string) {
    const token = plain(code)
    if (!/^[0-9]{6}$/.test(token)) return null
    const secret = decrypt(user_id, kept)
    if (secret === null) return null
    const epoch = Math.floor(app.now() / 1000)
    const found = verifySync({ secret, token, epoch, epochTolerance: totpStepSeconds })
    return found.valid && 'timeStep' in found ? found.timeStep : null
  }

  return {
    /**
     * Begins a setup and returns what an authenticator app needs; the secret is shown in this answer alone.
     * Fails with CONFLICT if the caller has a second factor.
     */
    async begin(request: FastifyRequest, { user_pass }: SecondFactorBegin) {
      await confirmUser(request, user_pass)
      const { id, user_id: subject } = request.viewer.user
      const secret = generateSecret()
      await request.transaction(async (repos) => {
        const row = { user_id: id, secret: seal(String(id), secret), now: app.timestamp() }
        if (!(await repos.secondFactors.begin(row))) conflict('changed')
        await recordEvent(repos, request, 'second-factor-begun', { subject })
      })
      return { secret, otpauth_url: generateURI({ issuer: 'Gatehouse', label: subject, secret }) }
    },

    /** Whether the caller has begun a setup that is not confirmed yet. */
    async isBegun({ viewer: { user } }: FastifyRequest) {
      const found = await secondFactors.find({ user_id: user.id })
      return found !== undefined && found.confirmed_at === null
    },

    /** Confirms the setup, which switches it on. Returns the recovery codes. Fails with VALIDATION-FAILED or CONFLICT. */
    async confirm(request: FastifyRequest, { user_pass, code }: SecondFactorCode) {
      await confirmUser(request, user_pass)
      const { id, user_id: subject } = request.viewer.user
      const setup = await secondFactors.find({ user_id: id })
      if (!setup || setup.confirmed_at !== null) conflict('changed')
      const { secret } = setup
      const step = stepOf(id, secret, code)
      if (step === null) {
        const message = 'is not the code of this half minute: check the clock of the device'
        throw invalid({ in: 'body', field: 'code', message })
      }
      const codes = Array.from({ length: recoveryCodesMade }, makeRecoveryCode)
      await request.transaction(async (repos) => {
        // Fails if another request has confirmed the setup meanwhile, or has begun a new one.
        const row = { user_id: id, secret, step, now: app.now() }
        if (!(await repos.secondFactors.confirm(row))) conflict('changed')
        for (const one of codes) {
          await repos.recoveryCodes.insert({ user_id: id, code_hash: hashCode(one) })
        }
        await recordEvent(repos, request, 'second-factor-on', { subject })
      })
      return codes
    },

    /** Switches it off, by password and code. */
    async end(request: FastifyRequest, { user_pass, code }: SecondFactorEnd) {
      const account = await app.verifyOwnPassword(request, user_pass)
      if (await app.secondFactor.isOn(account)) await app.verifyCode(request, account, code)
      const { id, user_id: subject } = account
      await request.transaction(async (repos) => {
        if (!(await repos.secondFactors.remove({ user_id: id }))) conflict('changed')
        await repos.recoveryCodes.removeOfUser({ user_id: id })
        await recordEvent(repos, request, 'second-factor-off', { subject })
      })
    },

    /** Whether a user has a confirmed second factor. */
    async isOn({ id }: { id: number }) {
      const found = await secondFactors.find({ user_id: id })
      return found !== undefined && found.confirmed_at !== null
    },

    /** Marks a code as used, from the app or for recovery. False if it is wrong, or was used before. */
    async use(
      repos: Repositories,
      request: FastifyRequest,
      { id, user_id: subject }: { id: number; user_id: string },
      code: string
    ) {
      const found = await repos.secondFactors.find({ user_id: id })
      if (!found) return false
      const step = stepOf(id, found.secret, code)
      if (step !== null) {
        return repos.secondFactors.use({ user_id: id, secret: found.secret, step })
      }
      const row = { user_id: id, code_hash: hashCode(code) }
      if (!(await repos.recoveryCodes.use(row))) return false
      await recordEvent(repos, request, 'recovery-code-used', { user_id: id, subject })
      return true
    }
  }
}

/** The second factor: codes that change with time (RFC 6238), and recovery codes. */
export default fp<Options>(
  async (app, options) => {
    app.sweep.add('second factors', async (now) => {
      const before = new Date(now - keepUnconfirmedMs).toISOString()
      await app.db.repos.secondFactors.removeUnconfirmed({ before })
    })
    app.decorate('secondFactor', secondFactorOf(app, options))
  },
  { name: 'second-factor', fastify: '5.x', dependencies: ['errors', 'clock', 'database', 'sweep'] }
)
