import { type Static, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../../plugins/http/errors/index.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { oneOf, PageQuery, pageOf, paginate } from '../../../schemas/common.ts'
import { roles, UserKey } from '../../../schemas/user.ts'
import { NewAccount } from '../../../schemas/users.ts'

/** How many users a page shows. */
const page = { limit: 20 }

/** The filters. An empty field of the form matches all. */
const Query = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$' })),
  role: Type.Optional(oneOf(['', ...roles])),
  locked: Type.Optional(oneOf(['', 'true', 'false'])),
  cursor: PageQuery.properties.cursor
})

/** Who a user is. */
const { user_name, e_mail } = NewAccount.properties
const Edit = Type.Object({ ...UserKey.properties, user_name, e_mail })

const words = { CONFLICT: 'At least one unlocked administrator must remain.' }

/** Finds, adds, changes, locks, signs out and deletes users, as `/admin/user` does. */
export function users(app: FastifyInstance): Page<typeof Query> {
  const { administration } = app
  type Key = Static<typeof UserKey>

  /** Asks before something is done to a user: names the user. */
  const ask =
    (verb: (name: string) => string, text: string, button: string) =>
    async ({ id }: Key) => {
      const user = (await app.repos.users.findById({ id })) ?? fail('USER-NOT-FOUND')
      return { title: `${verb(user.user_id)}?`, text, button }
    }

  /** A form that changes one user. */
  const change = (
    run: (request: FastifyRequest, id: number) => Promise<unknown>,
    options: { done: string; ask?: ReturnType<typeof ask> }
  ) =>
    form(app, UserKey, {
      ...options,
      async run({ id }, request) {
        await run(request, id)
        return undefined
      },
      words
    })

  async function add(fields: Static<typeof NewAccount>, request: FastifyRequest) {
    const password_hash = await administration.hashRandomPassword()
    const account = await administration.add(request, { role: 'user', ...fields, password_hash })
    administration.invite(request, account)
    return {
      to: `/admin/users?${new URLSearchParams({ q: fields.user_id.slice(0, 100), done: 'add' })}`
    }
  }

  return {
    url: '/admin/users',
    title: 'Users',
    view: 'routes/admin/pages/users',
    query: Query,
    forms: {
      add: form(app, NewAccount, {
        run: add,
        done: 'The user was added, and gets an email with a link to set a password.',
        words: { CONFLICT: 'Another user has this user ID or email address.' }
      }),
      edit: form(app, Edit, {
        done: 'It was saved. If the address has changed, both addresses get an email.',
        async run({ id, ...fields }, request) {
          await administration.change(request, id, fields)
          return undefined
        },
        at: { CONFLICT: 'e_mail' },
        words: { CONFLICT: 'Another user has this email address.' }
      }),
      lock: change((request, id) => administration.change(request, id, { locked: true }), {
        done: 'The user was locked, and signed out everywhere.',
        ask: ask(
          (name) => `Lock ${name}`,
          'Sessions, tokens and JWTs are refused at once, until an administrator unlocks the account.',
          'Lock'
        )
      }),
      unlock: change((request, id) => administration.change(request, id, { locked: false }), {
        done: 'The user was unlocked.'
      }),
      admin: change((request, id) => administration.change(request, id, { role: 'admin' }), {
        done: 'The user is an administrator now.',
        ask: ask(
          (name) => `Make ${name} an administrator`,
          'Administrators see and change all accounts and all rows.',
          'Make an administrator'
        )
      }),
      user: change((request, id) => administration.change(request, id, { role: 'user' }), {
        done: 'The user is not an administrator any more.'
      }),
      reset: change((request, id) => administration.sendReset(request, id), {
        done: 'An email with a link to set a new password is on its way.',
        ask: ask(
          (name) => `Send ${name} a reset`,
          'An email leads to a new password. Until it is set, the password and the sessions stay as they are.',
          'Send a reset'
        )
      }),
      signout: change((request, id) => administration.endSessions(request, id), {
        done: 'The sessions of the user were ended.',
        ask: ask(
          (name) => `End all sessions of ${name}`,
          'Every browser of the user is signed out at once.',
          'End sessions'
        )
      }),
      endfactor: change(
        (request, id) => administration.change(request, id, { second_factor: false }),
        {
          done: 'The second factor of the user is off, and an email says so.',
          ask: ask(
            (name) => `Turn off the second factor of ${name}`,
            'The user then signs in without a code, and can set up another one. Make sure that it is the user who asks.',
            'Turn it off'
          )
        }
      ),
      endpasskeys: change((request, id) => administration.endPasskeys(request, id), {
        done: 'The passkeys of the user were removed.',
        ask: ask(
          (name) => `Remove all passkeys of ${name}`,
          'The user signs in with the password, and can make others. Sessions stay: end them too if a device was stolen.',
          'Remove passkeys'
        )
      }),
      remove: change((request, id) => administration.remove(request, id), {
        done: 'The user was deleted, and gets a last email.',
        ask: ask(
          (name) => `Delete ${name}`,
          'All rows, files, tokens and webhooks of the user are gone at once. This cannot be undone. To keep somebody out only, lock the account.',
          'Delete'
        )
      })
    },
    async load(_request, { q = '', role = '', locked = '', cursor }) {
      const query = { ...page, ...(cursor !== undefined && { cursor }) }
      const { rows, rest } = await administration.search({
        ...pageOf(query),
        q: q || undefined,
        role: role || undefined,
        locked: locked === '' ? undefined : locked === 'true'
      })
      const { items, next_cursor } = paginate(rows, query, { rest })
      const older = new URLSearchParams({ q, role, locked, cursor: String(next_cursor) })
      return {
        ...{ q, role, locked },
        isFiltered: q + role + locked !== '' || cursor !== undefined,
        users: items,
        older: next_cursor === null ? null : String(older)
      }
    }
  }
}
