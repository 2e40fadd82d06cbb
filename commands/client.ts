import { addClient, listClients, removeClient } from '../db/actions/oauth-clients.ts'
import { recordCommand } from '../plugins/identity/audit.ts'
import { accessTokenName } from '../schemas/access-token.ts'
import { isRedirect, redirectRule } from '../schemas/grant.ts'
import { type Commands, checked, columns, onDatabase, UsageError } from './command.ts'

export const clientCommands: Commands = {
  'client add': {
    operands: ['NAME', 'URIS'],
    about:
      'Register a program for OAuth by hand, and print its client_id: it counts as verified, and has no secret. URIS, separated by commas, are where the browser may be sent back to.',
    async run({ operands: [name = '', list = ''] }, load) {
      const client_name = checked('NAME', name, accessTokenName, 'a text of 1 to 64 characters')
      const redirect_uris = list.split(',')
      if (!redirect_uris.every(isRedirect)) {
        throw new UsageError(`URIS are ${redirectRule}`)
      }
      return onDatabase(load(), async ({ transaction }) => {
        const at = new Date()
        const client_id = await transaction(async (repos) => {
          const subject = await addClient(repos, { client_name, redirect_uris, at })
          await recordCommand(repos, 'client-registered', at, { subject, detail: client_name })
          return subject
        })
        return `${client_id}\n`
      })
    }
  },
  'client list': {
    operands: [],
    about: 'List the programs that were registered by hand, oldest first.',
    run: (_words, load) =>
      onDatabase(load(), async ({ repos }) =>
        columns([
          ['CLIENT_ID', 'REGISTERED', 'NAME', 'URIS'],
          ...(await listClients(repos)).map(
            ({ client_id, created_at, client_name, redirect_uris }) => {
              return [client_id, created_at, client_name, redirect_uris.join(',')]
            }
          )
        ])
      )
  },
  'client remove': {
    operands: ['CLIENT_ID'],
    about: 'Remove a program that was registered by hand. It loses the access that users gave it.',
    run: ({ operands: [client_id = ''] }, load) =>
      onDatabase(load(), async ({ transaction }) => {
        const at = new Date()
        const isRemoved = await transaction(async (repos) => {
          const ended = await removeClient(repos, { client_id, at: at.getTime() })
          for (const subject of ended ?? []) {
            await recordCommand(repos, 'grant-ended', at, { subject, detail: client_id })
          }
          return ended !== undefined
        })
        if (!isRemoved) throw new Error(`no program ${client_id} was registered by hand`)
        return `removed ${client_id}\n`
      })
  }
}
