import type { FastifyInstance } from 'fastify'
import { endOwnGrant, listGrants } from '../../../plugins/identity/oauth/grants.ts'
import { GrantKey, scopeWords } from '../../../schemas/grant.ts'
import { action, type Section } from './section.ts'

/** The programs that the user has let in. */
export const programs = (app: FastifyInstance): Section => ({
  name: 'programs',
  title: 'Programs',
  actions: {
    endgrant: action(app, GrantKey, async ({ id }, request) => {
      await endOwnGrant(request, id)
    })
  },
  done: { endgrant: 'The program no longer has access.' },
  async load(request) {
    const grants = await listGrants(request)
    return {
      mcpUrl: `${app.baseUrl}/mcp`,
      grants: grants.map((grant) => ({ ...grant, words: grant.scopes.map(scopeWords) }))
    }
  }
})
