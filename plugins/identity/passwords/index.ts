import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import fastq from 'fastq'
import { type LockoutConfig, lockoutAt } from '../../../db/lockout.ts'
import type { Repositories } from '../../../db/repositories/index.ts'
import type { Config } from '../../../schemas/config.ts'
import { addressKey } from '../../../schemas/names.ts'
import { traced } from '../../../schemas/traced.ts'
import { type Credentials, maxPasswordBytes } from '../../../schemas/user.ts'
import { fail, invalid } from '../../http/errors/index.ts'
import { retryAfter } from '../../http/pressure/index.ts'
import { takeTurns } from '../../runtime/turns.ts'
import { recordEvent } from '../audit.ts'
import { ownSession } from '../session.ts'
import { composed, hashOfNobody, hashPassword, judgePassword } from './bcrypt.ts'
import { type Owner, passwordProblem } from './policy.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** bcrypt in a bounded queue. */
    hashPassword(password: string): Promise<string>
    /**
     * Returns the hash of a new password if the policy accepts it. Otherwise fails with
     * VALIDATION-FAILED, which names the member `field` of the body.
     */
    hashNewPassword(password: string, owner: Owner, field: string): Promise<string>
    /**
     * The whole check of a sign-in: password, and the code if the user has a second factor. Returns the
     * account, or fails with LOGIN-FAILED, ACCOUNT-LOCKED or, if only the code is missing,
     * SECOND-FACTOR-REQUIRED.
     */
    verifyCredentials(request: FastifyRequest, credentials: Credentials): Promise<Account>
    /**
     * Checks the password of a sign-in. Returns the account, or fails with LOGIN-FAILED or
     * ACCOUNT-LOCKED.
     */
    verifyPassword(
      request: FastifyRequest,
      credentials: Pick<Credentials, 'user_id' | 'user_pass'>
    ): Promise<Account>
    /**
     * Checks the password of a session caller. Each session has a few guesses, which no lock of the name
     * takes away: others may have locked it. A wrong one is LOGIN-FAILED and counts for the name as well;
     * without guesses left it is ACCOUNT-LOCKED.
     */
    verifyOwnPassword(request: FastifyRequest, user_pass: string): Promise<Account>
    /**
     * The lock's part of a sign-in that proved both factors without a password: fails with ACCOUNT-LOCKED, else forgets
     * failed sign-ins.
     */
    checkLock(request: FastifyRequest, account: Account): Promise<void>
    /** Checks a code of the second factor and marks it as used. A wrong code counts like a wrong password. */
    verifyCode(request: FastifyRequest, account: Account, code: string): Promise<void>
  }
}

/** A user with the password hash. */
export type Account = NonNullable<Awaited<ReturnType<FastifyInstance['repos']['users']['find']>>>

/** How many jobs may wait for each running one: about 15 seconds of work at the default cost. */
const waitingPerRunning = 64

/**
 * How long failures of unknown login names are kept. If their lock ended much sooner than that of a
 * user, it would reveal that the user does not exist.
 */
const keepUnknownNamesMs = 30 * 86_400_000

/** At most one attempt on a locked name is recorded in this time. */
const recordRefusalMs = 3_600_000

/** Checks passwords, and locks an account after too many wrong ones (contract LOCK-1). */
export default fp<Pick<Config, 'SVC_BCRYPT_COST'> & LockoutConfig>(
  async (app, { SVC_BCRYPT_COST: cost, ...config }) => {
    const { SVC_LOCKOUT_FAILURES: limit } = config
    const { users } = app.repos
    app.sweep.add('failed sign-ins', async (now) => {
      const { loginFailures, unknownLoginFailures } = app.db.repos
      await loginFailures.removeDeleted({})
      const before = now - keepUnknownNamesMs
      await app.sweep.inSteps((limit) => unknownLoginFailures.removeOld({ before, limit }))
    })
    const processors = Math.max(1, availableParallelism() - 1)
    const queue = fastq.promise((work: () => Promise<void>) => work(), processors)
    const maxWaiting = processors * waitingPerRunning
    // Compared for an unknown user, or one without a password, so that it takes as long as for a known one.
    const nobody = hashOfNobody(cost)

    /**
     * Runs bcrypt on all processors except one, so that many sign-ins do not slow down other requests.
     * Work that would wait too long is refused.
     */
    const bounded = <T>(work: () => Promise<T>): Promise<T> =>
      queue.length() < maxWaiting
        ? traced({ kind: 'bcrypt' }, async () => {
            const { promise, resolve, reject } = Promise.withResolvers<T>()
            await queue.push(() => work().then(resolve, reject))
            return promise
          })
        : fail('SERVICE-OVERLOADED', { headers: retryAfter })

    const inTurn = takeTurns<string>()
    /** How many checks wait for an earlier one. */
    let waiting = 0

    /**
     * Checks the guesses at one name one after another. If many arrive at once, those above the limit
     * are refused without a check. Other processes may check one guess each meanwhile. That helps no
     * attacker: if the count has locked the name by then, even a right guess is refused.
     */
    function oneAtATime<T>(name: string, judge: () => Promise<T>): Promise<T> {
      if (waiting >= maxWaiting) fail('SERVICE-OVERLOADED', { headers: retryAfter })
      waiting++
      return inTurn(name, () => {
        waiting--
        return judge()
      })
    }

    app.decorate('hashPassword', (password) => bounded(() => hashPassword(password, cost)))

    app.decorate('hashNewPassword', async (password, owner, field) => {
      const message = await passwordProblem(password, owner)
      if (message) throw invalid({ in: 'body', field, message })
      return app.hashPassword(password)
    })

    async function refuseIfLocked(request: FastifyRequest, { counts, key, who }: Name) {
      const lock = await app.repos[counts].findLock(key)
      if (!lock) return
      const times = { now: app.now(), before: app.now() - recordRefusalMs }
      if (lock.refused_at <= times.before) {
        await request.transaction(async (repos) => {
          if (!(await repos[counts].noteRefusal({ ...key, ...times }))) return
          await recordEvent(repos, request, 'login-refused', who)
        })
      }
      fail('ACCOUNT-LOCKED')
    }

    /** Records a wrong password or code, the `count`th in a row. Returns the code to answer. */
    async function noteFailure(
      repos: Repositories,
      request: FastifyRequest,
      { who, count, ...more }: { who: Name['who']; count: number; detail?: string }
    ) {
      await recordEvent(repos, request, 'login-failed', { ...who, ...more })
      if (count === limit) await recordEvent(repos, request, 'lock', who)
      return count > limit ? 'ACCOUNT-LOCKED' : 'LOGIN-FAILED'
    }

    /** What failures are counted under: the user, whichever name was typed. */
    function nameOf(typed: string, account: Account | undefined) {
      return {
        // An unknown name is not recorded: people type passwords into the wrong field.
        who: { user_id: account?.id, subject: account?.user_id },
        // An unknown name needs the same statements, so that the time does not reveal it.
        counts: account ? ('loginFailures' as const) : ('unknownLoginFailures' as const),
        key: {
          user_id: account ? account.user_id : hash('sha256', addressKey(typed)),
          ...lockoutAt(config, app.now())
        }
      }
    }
    type Name = ReturnType<typeof nameOf>

    /** Counts and records a wrong password. Returns the code to answer. */
    const noteWrong = (request: FastifyRequest, { counts, key, who }: Name) =>
      request.transaction(async (repos) => {
        const count = await repos[counts].add({ ...key, now: app.now() })
        return noteFailure(repos, request, { who, count })
      })

    async function matches(user_pass: string, account: Account | undefined) {
      const found = await bounded(() => judgePassword(user_pass, account?.password_hash || nobody))
      const isRight =
        found !== 'wrong' && Buffer.byteLength(composed(user_pass)) <= maxPasswordBytes
      if (!account || !isRight) return false
      if (found === 'older') {
        const password_hash = await app.hashPassword(user_pass)
        await app.db.repos.users.renewHash({
          id: account.id,
          password_hash,
          old: account.password_hash
        })
      }
      return true
    }

    app.decorate('verifyPassword', async (request, { user_id, user_pass }) => {
      const account = await users.findForSignIn(user_id)
      const name = nameOf(user_id, account)
      const { key } = name
      await refuseIfLocked(request, name)
      const failure = await oneAtATime(key.user_id, async () => {
        // Again: while this guess waited, earlier ones may have locked the name.
        await refuseIfLocked(request, name)
        return (await matches(user_pass, account)) ? null : noteWrong(request, name)
      })
      if (!account || failure) fail(failure ?? 'LOGIN-FAILED')
      // With a second factor, a right password must not reset the count of wrong codes.
      const isEnough = !(await app.secondFactor.isOn(account))
      if (!isEnough || !(await request.repos.loginFailures.clearUnlocked(key))) {
        await refuseIfLocked(request, name)
      }
      return account
    })

    app.decorate('verifyOwnPassword', async (request, user_pass) => {
      const account = (await users.find(request.viewer.user)) ?? fail('SESSION-CLOSED')
      const name = nameOf(account.user_id, account)
      const id_hash = ownSession(request)
      // Counted before it is checked, so that guesses at once, in any process, are not more.
      if (!(await request.repos.sessions.addGuess({ id_hash, limit }))) {
        // Another session of the user may have ended this one since the request began.
        fail(
          (await request.repos.sessions.began({ id_hash })) ? 'ACCOUNT-LOCKED' : 'SESSION-CLOSED'
        )
      }
      if (!(await matches(user_pass, account))) {
        await noteWrong(request, name)
        fail('LOGIN-FAILED')
      }
      await request.repos.sessions.clearGuesses({ id_hash })
      // With a second factor, a right password must not reset the count of wrong codes.
      if (!(await app.secondFactor.isOn(account))) {
        await request.repos.loginFailures.clearUnlocked(name.key)
      }
      return account
    })

    app.decorate('checkLock', async (request, account) => {
      const name = nameOf(account.user_id, account)
      await refuseIfLocked(request, name)
      // Again, if there was nothing to forget: failures may have locked the name meanwhile.
      if (!(await request.repos.loginFailures.clearUnlocked(name.key))) {
        await refuseIfLocked(request, name)
      }
    })

    app.decorate('verifyCode', async (request, account, code) => {
      const name = nameOf(account.user_id, account)
      const { key, who } = name
      await refuseIfLocked(request, name)
      const failure = await request.transaction(async (repos) => {
        // Counted before it is checked: the row is then locked, so guesses at once run one after another.
        const count = await repos.loginFailures.add({ ...key, now: app.now() })
        if (count <= limit && (await app.secondFactor.use(repos, request, account, code))) {
          await repos.loginFailures.clear(key)
          return null
        }
        await repos.loginFailures.markWrongCode(key)
        return noteFailure(repos, request, { who, count, detail: 'second factor' })
      })
      // The password was right: a page says that it is the code.
      if (failure) fail(failure, failure === 'LOGIN-FAILED' ? { field: 'code' } : {})
    })

    app.decorate('verifyCredentials', async (request, { code, ...credentials }) => {
      const account = await app.verifyPassword(request, credentials)
      if (!(await app.secondFactor.isOn(account))) return account
      // Absent, or empty: a form sends an empty text.
      if (!code) fail('SECOND-FACTOR-REQUIRED')
      await app.verifyCode(request, account, code)
      return account
    })
  },
  {
    name: 'passwords',
    fastify: '5.x',
    dependencies: ['errors', 'clock', 'database', 'sweep', 'second-factor']
  }
)
