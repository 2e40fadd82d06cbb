import { addUser } from '../../support/helper.ts'
import { type Everything, signIn } from './service.ts'

/** The password of the users that `becomeSomebodyElse` makes. */
export const oldPassword = 'the old password'
let users = 0

/** Makes a new administrator, who is `admin` from then on. So the seeded users keep their passwords. */
export async function becomeSomebodyElse(service: Everything) {
  const { app, ways } = service
  const user_id = `somebody-${users++}`
  await addUser(app, user_id, { role: 'admin', password: oldPassword })
  ways.admin = await signIn(service, user_id, oldPassword)
  return user_id
}
