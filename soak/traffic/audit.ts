import type { AreaTraffic, World } from '../client.ts'

/** Administrators read the audit trail. At the end it must have the events of all clients' requests. */
export default function auditTrail({ audit, report }: World): AreaTraffic {
  return {
    callers: ['admin', 'agent'],
    traffic: ({ caller, random }) => ({
      actions: [
        () => {
          const params = { limit: 20, ...(random.chance(0.5) && { event: 'login' }) }
          return caller.send('listAuditEvents', { params })
        }
      ],
      async check() {}
    }),
    async checkDatabase(read) {
      const events = await read(
        'SELECT event, user_id, count(*) AS times FROM audit_events GROUP BY event, user_id'
      )
      const found = events.map(
        (it) => [`${it.event} of user ${it.user_id}`, Number(it.times)] as const
      )
      for (const problem of audit.problems(new Map(found))) report.problem(problem)
    }
  }
}
