import { type Static, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { fail } from '../../../plugins/http/errors/index.ts'
import { oneOf, pageOf, paginate } from '../../../schemas/common.ts'
import { UserKey } from '../../../schemas/user.ts'
import { NewAccount } from '../../../schemas/users.ts'
import { type Desk, formRoute, type Section, url } from './section.ts'

const name = 'users'

/** How many users a page shows. */
const page = { limit: 20 }

const toOne = ['lock', 'unlock', 'admin', 'user', 'reset', 'signout'] as const

/** What a form does: adds a user, or changes one. */
const Form = Type.Object(
  {
    action: oneOf(['add', ...toOne]),
    ...Type.Partial(Type.Object({ ...UserKey.properties, ...NewAccount.properties })).properties
  },
  {
    'x-form': true,
    if: { properties: { action: { const: 'add' } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's
    then: { required: ['user_id', 'user_name', 'e_mail'] },
    else: { required: ['id'] }
  }
)

/** Finds, adds, locks and signs out users, as `/admin/user` does. */
export function users(desk: Desk): Section {
  const { app, answer } = desk
  const { administration } = app

  async function act(request: FastifyRequest, form: Static<typeof Form>) {
    const { action, id = fail('USER-NOT-FOUND') } = form
    if (action === 'reset') return administration.sendReset(request, id)
    if (action === 'signout') return administration.endSessions(request, id)
    const isLock = action === 'lock' || action === 'unlock'
    const change = isLock
      ? { locked: action === 'lock' }
      : { role: action === 'admin' ? ('admin' as const) : ('user' as const) }
    return administration.change(request, id, change)
  }

  async function add(request: FastifyRequest, form: Static<typeof Form>) {
    const { user_id = '', user_name = '', e_mail = '', role = 'user' } = form
    const password_hash = await administration.hashRandomPassword()
    const names = { user_id, user_name, e_mail }
    const account = await administration.add(request, { ...names, role, password_hash })
    administration.invite(request, account)
    return account
  }

  app.post(`${url}/${name}`, { ...formRoute(desk), schema: { body: Form } }, (request, reply) => {
    // The page then shows the user who was changed.
    const query = new URLSearchParams()
    const work = async () => {
      const { body } = request
      const { user_id } = await (body.action === 'add' ? add : act)(request, body)
      query.set('users_q', user_id.slice(0, 100))
    }
    return answer(name, request, reply, work, query)
  })

  return {
    name,
    title: 'Users',
    fields: ['users_q', 'users_role', 'users_locked', 'users_cursor'],
    labels: {
      users_q: 'Text',
      users_role: 'Role',
      users_locked: 'Locked',
      users_cursor: 'Page',
      action: 'Action',
      id: 'User',
      user_id: 'User ID',
      user_name: 'Full name',
      e_mail: 'Email address',
      role: 'Role'
    },
    async load({ users_q = '', users_role = '', users_locked = '', users_cursor: cursor }) {
      const query = { ...page, cursor }
      const { rows, rest } = await administration.search({
        ...pageOf(query),
        q: users_q || undefined,
        role: users_role || undefined,
        locked: users_locked === '' ? undefined : users_locked === 'true'
      })
      const { items, next_cursor } = paginate(rows, query, { rest })
      const older = new URLSearchParams({
        ...{ users_q, users_role, users_locked },
        users_cursor: String(next_cursor)
      })
      return {
        ...{ users_q, users_role, users_locked },
        isFiltered: users_q + users_role + users_locked !== '' || cursor !== undefined,
        users: items,
        older: next_cursor === null ? null : String(older)
      }
    }
  }
}
