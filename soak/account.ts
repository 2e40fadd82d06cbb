import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client, Traffic } from './client.ts'
import { signIn } from './sign-in.ts'

const mailTries = 60
const mailEveryMs = 50

/**
 * A user who signs in and out, types wrong passwords, and forgets passwords. Sessions and JWTs that
 * were ended must stay ended; the others must still work.
 */
export function accountTraffic(client: Client): Traffic {
  const { caller, random, report, person, world, name } = client
  let session: Record<string, string> | null = null
  let token: Record<string, string> | null = null
  const ended: { operation: string; headers: Record<string, string>; fails: string[] }[] = []
  const endSession = (headers: Record<string, string> | null) => {
    if (headers) ended.push({ operation: 'listTodos', headers, fails: ['SESSION-CLOSED'] })
  }

  async function logIn() {
    // Without the cookie of the last login, a new login does not end the old session.
    session ??= await signIn.session(client, person.password)
    if (!session) report.problem(`${name}: could not sign in with its password`)
  }

  async function logInWrongly() {
    const wrong = await signIn[random.chance(0.5) ? 'session' : 'jwt'](client, 'a wrong one')
    if (wrong) report.problem(`${name}: signed in with a wrong password`)
    // Resets the count, so that wrong ones do not lock the name.
    await getToken()
  }

  async function logOut() {
    if (!session) return
    const headers = session
    const reply = await caller.send('logout', { headers })
    session = null
    if (reply.kind === 'done') endSession(headers)
  }

  async function getToken() {
    token = await signIn.jwt(client, person.password)
    if (!token) report.problem(`${name}: got no token for its password`)
  }

  async function readClaims() {
    if (!token) return
    const reply = await caller.send<{ claims: { sub: string } }>('getTokenClaims', {
      headers: token
    })
    if (reply.kind === 'done' && reply.data.claims.sub !== String(person.id)) {
      report.problem(`${name}: has a token of user ${reply.data.claims.sub}`)
    }
  }

  /** The token of a mail to this person that was written after `since`. */
  async function findToken(since: string) {
    for (let tries = 0; tries < mailTries; tries++) {
      const files = await readdir(world.outbox).catch(() => [])
      for (const file of files.filter((it) => it > since)) {
        const text = await readFile(join(world.outbox, file), 'utf8').catch(() => '')
        if (!text.includes(`To: ${person.e_mail}`)) continue
        const [found] = /^[0-9a-f]{64}(?=\r?$)/m.exec(text) ?? []
        if (found) return found
      }
      await wait(mailEveryMs)
    }
  }

  async function resetPassword() {
    // Names of mails begin with the time.
    const since = new Date().toISOString().replaceAll(':', '-')
    const headers = randomAddress()
    const body = { email: person.e_mail }
    await caller.send('requestPasswordReset', { body, headers, isAnonymous: true })
    // A mail that was not sent yet dies with the process; it is asked for again later.
    const reset = await findToken(since)
    if (reset) await usePasswordToken(reset)
  }

  async function usePasswordToken(reset: string) {
    const old = person.password
    const password = random.bytes(8).toString('hex')
    const request = {
      params: { token: reset },
      body: { password },
      isAnonymous: true,
      // Also of a late mail, whose token a later request has ended.
      fails: ['TOKEN-ALREADY-USED']
    }
    const complete = () => caller.send('resetPassword', { ...request, headers: randomAddress() })
    let reply = await complete()
    const wasLost = reply.kind === 'unknown'
    while (reply.kind === 'unknown') reply = await complete()
    if (reply.kind === 'refused' && !(wasLost && (await signIn.jwt(client, password)))) return

    person.password = password
    endSession(session)
    if (token) ended.push({ operation: 'getTokenClaims', headers: token, fails: ['JWT-INVALID'] })
    session = null
    token = null
    const again = await complete()
    if (again.kind === 'done') report.problem(`${name}: a reset token was good twice`)
    if (await signIn.jwt(client, old)) report.problem(`${name}: signed in with its old password`)
    await logIn()
    await checkEnded(ended.slice(-2))
  }

  async function changePassword() {
    if (!session) return
    const headers = session
    const old = person.password
    const password = random.bytes(8).toString('hex')
    const body = { user_pass: old, new_pass: password }
    const reply = await caller.send('changePassword', { headers, body })
    const isDone =
      reply.kind === 'done' || (reply.kind === 'unknown' && (await signIn.jwt(client, password)))
    if (!isDone) return
    person.password = password
    if (token) ended.push({ operation: 'getTokenClaims', headers: token, fails: ['JWT-INVALID'] })
    token = null
    await caller.send('listTodos', { headers })
    if (await signIn.jwt(client, old)) report.problem(`${name}: signed in with its old password`)
    // Resets the count, so that wrong ones do not lock the name.
    await getToken()
    await checkEnded(ended.slice(-1))
  }

  /** Every caller has few tries; a proxy that is believed gives us another address for each. */
  const randomAddress = () => ({
    'x-forwarded-for': `10.${random.bytes(3).join('.')}`
  })

  async function checkEnded(some: typeof ended) {
    for (const { operation, headers, fails } of some) {
      const from = randomAddress()
      const reply = await caller.send(operation, { headers: { ...headers, ...from }, fails })
      if (reply.kind === 'done') report.problem(`${name}: ${operation} with what had ended`)
    }
  }

  async function checkLive() {
    if (session) await caller.send('listTodos', { headers: session })
    if (token) await caller.send('listTodos', { headers: token })
  }

  return {
    actions: [
      ...[logIn, logInWrongly, logOut, logIn, getToken, readClaims],
      ...[resetPassword, logIn, changePassword],
      ...[checkLive, checkLive, () => checkEnded(random.shuffle(ended).slice(0, 1))]
    ],
    async check() {
      await logIn()
      await checkLive()
      await checkEnded(ended)
    }
  }
}
