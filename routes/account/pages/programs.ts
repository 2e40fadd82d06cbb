import type { FastifyInstance } from 'fastify'
import { endOwnGrant, listGrants } from '../../../plugins/identity/oauth/grants.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { GrantKey, scopeWords } from '../../../schemas/grant.ts'

/** The programs that the user has let in. */
export const programs = (app: FastifyInstance): Page => ({
  url: '/account/programs',
  title: 'Programs',
  view: 'routes/account/pages/programs',
  forms: {
    endgrant: form(app, GrantKey, {
      done: 'The program no longer has access.',
      async ask({ id }, request) {
        const grant = (await listGrants(request)).find((one) => one.id === id)
        return (
          grant && {
            title: `End the access of “${grant.client_name}”?`,
            text: 'It has to ask you again before it can do anything.',
            button: 'End its access'
          }
        )
      },
      async run({ id }, request) {
        await endOwnGrant(request, id)
        return undefined
      }
    })
  },
  async load(request) {
    const grants = await listGrants(request)
    return {
      mcpUrl: `${app.baseUrl}/mcp`,
      grants: grants.map((grant) => ({ ...grant, words: grant.scopes.map(scopeWords) }))
    }
  }
})
