import { hashPassword } from '../../../lib/identity/password.ts'
import { type Everything, signIn } from './service.ts'

/** The password of the users that `becomeSomebodyElse` makes. */
export const oldPassword = 'the old password'
let users = 0

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
