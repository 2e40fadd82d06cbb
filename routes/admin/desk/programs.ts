import { Type } from '@sinclair/typebox'
import { addClient, listClients, removeClient } from '../../../db/actions/oauth-clients.ts'
import { fail, invalid } from '../../../plugins/http/errors/index.ts'
import { recordEvent } from '../../../plugins/identity/audit.ts'
import { accessTokenName } from '../../../schemas/access-token.ts'
import { isRedirect, redirectRule } from '../../../schemas/grant.ts'
import { type Desk, formRoute, type Section, url } from './section.ts'

const name = 'programs'

const Form = Type.Object(
  {
    client_id: Type.Optional(Type.String({ maxLength: 64, pattern: '^[\\w-]*$' })),
    client_name: Type.Optional(Type.String({ pattern: accessTokenName.source })),
    redirect_uris: Type.Optional(Type.String({ maxLength: 4096 }))
  },
  { 'x-form': true }
)

/** Programs that are registered by hand, for OAuth. */
export function programs(desk: Desk): Section {
  const { app, answer } = desk

  app.post(`${url}/${name}`, { ...formRoute(desk), schema: { body: Form } }, (request, reply) =>
    answer(name, request, reply, () =>
      request.transaction(async (repos) => {
        const { client_id, client_name, redirect_uris = '' } = request.body
        if (client_id) {
          const ended = await removeClient(repos, { client_id, at: app.now() })
          if (!ended) return fail('NOT-FOUND')
          for (const subject of ended) {
            await recordEvent(repos, request, 'grant-ended', { subject, detail: client_id })
          }
          return
        }
        const uris = redirect_uris.split(/\s+/).filter(Boolean)
        if (!client_name || uris.length === 0 || !uris.every(isRedirect)) {
          throw invalid({ in: 'body', field: 'redirect_uris', message: `are ${redirectRule}` })
        }
        const at = new Date(app.now())
        const subject = await addClient(repos, { client_name, redirect_uris: uris, at })
        await recordEvent(repos, request, 'client-registered', { subject, detail: client_name })
      })
    )
  )

  return {
    name,
    title: 'Programs',
    labels: { client_name: 'Name', redirect_uris: 'The addresses' },
    load: async () => ({ clients: await listClients(app.repos) })
  }
}
