import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { IdempotencyKey, idempotentEffect } from '../../plugins/patterns/idempotency/index.ts'
import {
  deleted,
  NextCursor,
  newestFirst,
  ok,
  oneOf,
  pageOf,
  paginate,
  ref,
  success
} from '../../schemas/common.ts'
import { failureFields } from '../../schemas/failures.ts'
import { UserKey } from '../../schemas/user.ts'
import { Account, AccountChange, AccountQuery, NewAccount } from '../../schemas/users.ts'

const reads = { role: 'admin', scope: 'admin:read' } as const
const writes = { role: 'admin', scope: 'admin:write' } as const

const takenFields = {
  failureFields: {
    CONFLICT: {
      ...failureFields.CONFLICT,
      taken: Type.Optional(
        oneOf(['user_id', 'e_mail'], {
          description: 'What another user already has.',
          examples: ['user_id']
        })
      )
    }
  }
}

/** Users, as administrators see, add, change, lock and delete them (contract ADMIN-1 to ADMIN-4, ADMIN-7). */
const users: FastifyPluginAsyncTypebox = async (app) => {
  const { administration } = app
  app.tag('user', 'Add, find and lock users, and change their roles. For administrators.')

  app.get(
    '/admin/user/index',
    {
      config: reads,
      schema: {
        operationId: 'listUsers',
        summary: 'List users',
        description: 'Newest first.',
        querystring: AccountQuery,
        response: {
          200: success({
            users: newestFirst(Account),
            next_cursor: NextCursor
          })
        }
      }
    },
    async ({ query }) => {
      const { q, role, locked } = query
      const { rows, rest } = await administration.search({ ...pageOf(query), q, role, locked })
      const { items, next_cursor } = paginate(rows, query, { rest })
      return ok({ users: items, next_cursor })
    }
  )

  app.post(
    '/admin/user/index',
    {
      config: {
        ...writes,
        fails: ['CONFLICT'],
        ...takenFields
      },
      schema: {
        operationId: 'createUser',
        summary: 'Add a user',
        description:
          'Takes no password: the user gets an email with a link to set one. `CONFLICT` if another user has the login name or the email address, in any case; `taken` says which.',
        headers: IdempotencyKey,
        body: ref(NewAccount),
        response: { 200: success({ user: ref(Account) }, { name: 'Account' }) }
      }
    },
    (request, reply) =>
      idempotentEffect(request, reply, async () => {
        const account = {
          ...request.body,
          password_hash: await administration.hashRandomPassword()
        }
        const done = await request.complete(async () =>
          ok({ user: await administration.add(request, account) })
        )
        administration.invite(request, done.Data.user)
        return done
      })
  )

  app.get(
    '/admin/user/item/id_:id',
    {
      config: { ...reads, fails: ['USER-NOT-FOUND'] },
      schema: {
        operationId: 'getUser',
        summary: 'Read a user',
        description: 'Includes whether the user is locked, and by what.',
        params: UserKey,
        response: { 200: success({ user: ref(Account) }, { name: 'Account' }) }
      }
    },
    async ({ params }) => ok({ user: await administration.find(params.id) })
  )

  app.patch(
    '/admin/user/item/id_:id',
    {
      config: {
        ...writes,
        fails: ['USER-NOT-FOUND', 'CONFLICT'],
        ...takenFields,
        mcp: { destructive: true }
      },
      schema: {
        operationId: 'changeUser',
        summary: 'Change, lock or unlock a user',
        description:
          'Name and address count at once, and both addresses are told. `locked: true` ends sessions, JWTs and access tokens of the user and prevents signing in until an administrator sends `locked: false`, which also lifts a lock after failed sign-ins. `second_factor: false` removes the recovery codes too; a mail tells the user. `CONFLICT` if it would leave no unlocked administrator, or another user has the address.',
        params: UserKey,
        body: ref(AccountChange),
        response: { 200: success({ user: ref(Account) }, { name: 'Account' }) }
      }
    },
    async (request) =>
      ok({ user: await administration.change(request, request.params.id, request.body) })
  )

  app.delete(
    '/admin/user/item/id_:id',
    {
      // No tool: nothing could undo it.
      config: { ...writes, fails: ['USER-NOT-FOUND', 'CONFLICT'], mcp: false },
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete a user',
        description:
          'For good, at once, with all that is theirs; their reactions stay counted. They are told by mail. `CONFLICT` if it would leave no unlocked administrator.',
        params: UserKey,
        response: { 200: deleted }
      }
    },
    async (request) => {
      const { id } = request.params
      await administration.remove(request, id)
      return ok({ id })
    }
  )

  app.post(
    '/admin/user/endsessions/id_:id',
    {
      config: {
        ...writes,
        fails: ['USER-NOT-FOUND'],
        mcp: { idempotent: true, destructive: true }
      },
      schema: {
        operationId: 'endUserSessions',
        summary: 'Sign a user out everywhere',
        description:
          'Ends every session and JWT of the user. Access tokens stay valid: the user can revoke them, and `locked: true` ends them.',
        params: UserKey,
        response: { 200: success({ user: ref(Account) }, { name: 'Account' }) }
      }
    },
    async (request) => ok({ user: await administration.endSessions(request, request.params.id) })
  )

  app.post(
    '/admin/user/endpasskeys/id_:id',
    {
      config: {
        ...writes,
        fails: ['USER-NOT-FOUND'],
        mcp: { idempotent: true, destructive: true }
      },
      schema: {
        operationId: 'endUserPasskeys',
        summary: 'Remove the passkeys of a user',
        description:
          'For a device that was lost or stolen. The user signs in with the password, and can make others. Sessions stay.',
        params: UserKey,
        response: { 200: success({ user: ref(Account) }, { name: 'Account' }) }
      }
    },
    async (request) => ok({ user: await administration.endPasskeys(request, request.params.id) })
  )
}

export default users
