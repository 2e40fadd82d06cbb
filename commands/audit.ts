import { auditEvents } from '../schemas/audit.ts'
import { type Commands, checked, columns, knownUser, onDatabase, UsageError } from './command.ts'

export const auditCommands: Commands = {
  audit: {
    operands: [],
    options: { user: 'LOGIN', event: 'EVENT', limit: 'NUMBER' },
    about: `Show the audit trail, newest first. EVENT is one of ${auditEvents.join(', ')}.`,
    async run({ options: { user, event: eventName, limit = '100' } }, load) {
      const event = auditEvents.find((known) => known === eventName)
      if (eventName !== undefined && !event) {
        throw new UsageError(`EVENT must be one of ${auditEvents.join(', ')}`)
      }
      checked('NUMBER', limit, /^[1-9]\d{0,5}$/, 'a number from 1 to 999999')
      return onDatabase(load(), async ({ repos }) => {
        const found = user === undefined ? undefined : await knownUser(repos, user)
        const before = Number.MAX_SAFE_INTEGER
        const page = { before, limit: Number(limit) }
        const events = await repos.audit.list({ ...page, event, user_id: found?.id })
        return columns([
          ['TIME', 'EVENT', 'USER', 'VIA', 'ADDRESS', 'SUBJECT', 'DETAIL', 'REQUEST'],
          ...events.map((e) =>
            [
              e.created_at,
              e.event,
              e.user_id,
              e.via,
              e.address,
              e.subject,
              e.detail,
              e.request_id
            ].map((cell) => `${cell ?? '-'}`)
          )
        ])
      })
    }
  }
}
