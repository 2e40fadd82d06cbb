import { randomBytes } from 'node:crypto'
import { endGrant } from '../db/actions/end-grant.ts'
import { recordCommand } from '../plugins/identity/audit.ts'
import { accessTokenName } from '../schemas/access-token.ts'
import { isRedirect } from '../schemas/grant.ts'
import { type Commands, checked, columns, onDatabase, UsageError } from './command.ts'

/** What is shown of a client (RFC 7591 §2). */
interface Metadata {
  client_name: string
  redirect_uris: string[]
}

export const clientCommands: Commands = {
  'client add': {
    operands: ['NAME', 'URIS'],
    about:
      'Register a program for OAuth by hand, and print its client_id: it counts as verified, and has no secret. URIS, separated by commas, are where it may have the browser sent.',
    async run({ operands: [name = '', list = ''] }, load) {
      const client_name = checked('NAME', name, accessTokenName)
      const redirect_uris = list.split(',')
      if (!redirect_uris.every(isRedirect)) {
        throw new UsageError(
          'URIS are https, http on a loopback address, or a private-use scheme with a dot'
        )
      }
      const client_id = randomBytes(16).toString('base64url')
      const metadata = {
        client_id,
        client_name,
        redirect_uris,
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none'
      }
      return onDatabase(load(), async ({ transaction }) => {
        const at = new Date()
        await transaction(async ({ oauthClients, audit }) => {
          await oauthClients.insert({
            client_id,
            metadata: JSON.stringify(metadata),
            now: at.toISOString(),
            expires_at: null
          })
          const what = { subject: client_id, detail: client_name }
          await recordCommand({ audit }, 'client-registered', at, what)
        })
        return `${client_id}\n`
      })
    }
  },
  'client list': {
    operands: [],
    about: 'List the programs that were registered by hand, oldest first.',
    run: (_words, load) =>
      onDatabase(load(), async ({ repos }) => {
        const clients = await repos.oauthClients.listByHand({})
        return columns([
          ['CLIENT_ID', 'REGISTERED', 'NAME', 'URIS'],
          ...clients.map(({ client_id, created_at, metadata }) => {
            const { client_name, redirect_uris }: Metadata = JSON.parse(metadata)
            return [client_id, created_at, client_name, redirect_uris.join(',')]
          })
        ])
      })
  },
  'client remove': {
    operands: ['CLIENT_ID'],
    about: 'Remove a program that was registered by hand. Whoever has let it in, has no longer.',
    async run({ operands: [client_id = ''] }, load) {
      return onDatabase(load(), async ({ transaction }) => {
        const at = new Date()
        const isRemoved = await transaction(async (repos) => {
          if (!(await repos.oauthClients.removeByHand({ client_id }))) return false
          for (const grant of await repos.oauthGrants.toClient({ client_id })) {
            await endGrant(repos, { ...grant, at: at.getTime() })
            const user = await repos.users.findById({ id: grant.user_id })
            const what = { subject: user?.user_id ?? '', detail: client_id }
            await recordCommand(repos, 'grant-ended', at, what)
          }
          return true
        })
        if (!isRemoved) throw new Error('no program with this client_id was registered by hand')
        return `removed ${client_id}\n`
      })
    }
  }
}
