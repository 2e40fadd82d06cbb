import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { addClient, listClients, removeClient } from '../../../db/actions/oauth-clients.ts'
import { fail, invalid } from '../../../plugins/http/errors/index.ts'
import { recordEvent } from '../../../plugins/identity/audit.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { accessTokenName } from '../../../schemas/access-token.ts'
import { isRedirect, redirectRule } from '../../../schemas/grant.ts'

const Registration = Type.Object({
  client_name: Type.String({ pattern: accessTokenName.source }),
  redirect_uris: Type.String({ minLength: 1, maxLength: 4096 })
})
const Removal = Type.Object({ client_id: Type.String({ maxLength: 64, pattern: '^[\\w-]*$' }) })

/** Programs that are registered by hand, for OAuth. */
export const programs = (app: FastifyInstance): Page => ({
  url: '/admin/programs',
  title: 'Registered programs',
  view: 'routes/admin/pages/programs',
  forms: {
    register: form(app, Registration, {
      once: true,
      done: 'The program was registered.',
      async run({ client_name, redirect_uris }, request) {
        const uris = redirect_uris.split(/\s+/).filter(Boolean)
        if (uris.length === 0 || !uris.every(isRedirect)) {
          throw invalid({ in: 'body', field: 'redirect_uris', message: `are ${redirectRule}` })
        }
        const at = new Date(app.now())
        await request.transaction(async (repos) => {
          const subject = await addClient(repos, { client_name, redirect_uris: uris, at })
          await recordEvent(repos, request, 'client-registered', { subject, detail: client_name })
        })
        return undefined
      },
      words: {
        client_name: 'Give it a name of at most 64 characters, in one line.',
        redirect_uris: `Each address must be ${redirectRule}.`
      }
    }),
    remove: form(app, Removal, {
      done: 'The program was removed.',
      async ask({ client_id }) {
        const client = (await listClients(app.repos)).find((one) => one.client_id === client_id)
        return (
          client && {
            title: `Remove “${client.client_name}”?`,
            text: 'This ends its access for everybody who has let it in.',
            button: 'Remove'
          }
        )
      },
      async run({ client_id }, request) {
        await request.transaction(async (repos) => {
          const ended = await removeClient(repos, { client_id, at: app.now() })
          for (const subject of ended ?? fail('NOT-FOUND')) {
            await recordEvent(repos, request, 'grant-ended', { subject, detail: client_id })
          }
        })
        return undefined
      }
    })
  },
  load: async () => ({ clients: await listClients(app.repos) })
})
