import { hashPassword } from '../../../plugins/identity/passwords.ts'
import { type Everything, nextCaller } from './service.ts'

/** The password of the users that `becomeSomebodyElse` makes. */
export const oldPassword = 'the old password'
let users = 0

/** Signs in; returns the credentials of the new session. */
export async function signIn({ app }: Everything, user_id: string, user_pass: string) {
  const response = await app.inject({
    method: 'POST',
    url: '/session/login',
    payload: { user_id, user_pass },
    remoteAddress: nextCaller()
  })
  const cookie = `PHPSESSID=${response.cookies.at(-1)?.value}`
  return { cookie, 'x-csrf-token': String(response.json().Data.csrfToken) }
}

/** Makes a new administrator, who is `admin` from then on. So the seeded users keep their passwords. */
export async function becomeSomebodyElse(service: Everything) {
  const { app, clock, ways } = service
  const user_id = `somebody-${users++}`
  await app.db.repos.users.insert({
    user_id,
    user_name: user_id,
    e_mail: `${user_id}@example.com`,
    role: 'admin',
    password_hash: await hashPassword(oldPassword, 4),
    now: app.timestamp(),
    now_ms: clock.now
  })
  ways.admin = await signIn(service, user_id, oldPassword)
  return user_id
}
