import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listGrants } from '../../plugins/identity/oauth/grants.ts'
import { listAccessTokens } from '../../plugins/identity/own-access-tokens.ts'
import { listSessions } from '../../plugins/identity/own-sessions.ts'
import type { Row } from '../../plugins/patterns/area/formats.ts'
import { rowsPart } from '../../plugins/patterns/data-export.ts'

/** What a user's export says of the account itself: nothing that lets anybody in. */
export function exportAccount(app: FastifyInstance) {
  const add = (
    name: string,
    about: string,
    list: (request: FastifyRequest) => Promise<readonly Row[]>
  ) =>
    app.dataExport.add(
      rowsPart(name, about, async function* pages(request) {
        yield await list(request)
      })
    )

  add('account.json', 'Your account, and the address that waits for its link.', async (request) => {
    const { user } = request.viewer
    const account = await app.administration.find(user.id)
    return [{ ...account, pending_e_mail: await app.profile.pending(user) }]
  })
  add('sessions.json', 'Where you are signed in.', listSessions)
  add(
    'access-tokens.json',
    'The access tokens of your programs, without the tokens.',
    listAccessTokens
  )
  add('passkeys.json', 'Your passkeys, without their keys.', (request) =>
    app.passkeys.list(request)
  )
  add('sign-in-services.json', 'Other services with which you sign in.', (request) =>
    app.providers.list(request)
  )
  if (app.oauth) add('programs.json', 'The programs that you have let in.', listGrants)
}
