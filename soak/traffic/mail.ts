import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AreaTraffic, Client, Traffic, World } from '../client.ts'
import { Once } from '../once.ts'
import { Row } from '../row.ts'

const sent = { sent: true } as const

/**
 * Administrators send mail. No mail may be sent twice, except one with a key whose answer was lost:
 * a process can die between sending it and recording that (docs/decisions.md).
 */
export default function mail({ people, outbox, report }: World): AreaTraffic {
  /** By subject. */
  const mails = new Map<string, Row<typeof sent>>()
  const repeated = new Set<string>()

  function mailTraffic({ caller, random, name }: Client): Traffic {
    const once = new Once(caller, random, report, {
      body: { user_id: 'nobody', subject: 'other', text: 'Soak' },
      fails: ['VALIDATION-FAILED']
    })
    async function send() {
      const person = random.pick(people)
      if (!person) return
      const row = new Row<typeof sent>(`mail ${name} ${mails.size + 1}`, null)
      mails.set(row.name, row)
      const request = { body: { user_id: person.user_id, subject: row.name, text: 'Soak' } }
      if (random.chance(0.5)) return row.wrote(sent, await caller.send('sendMail', request))
      await once.send('sendMail', request, (reply) => {
        row.wrote(sent, reply)
        if (reply.kind === 'unknown') repeated.add(row.name)
      })
    }
    return { actions: [send, () => once.replay()], check: () => once.finish() }
  }

  return {
    callers: ['admin', 'agent'],
    traffic: mailTraffic,
    async checkFiles() {
      const subjects = new Map<string, number>()
      for (const file of await readdir(outbox).catch(() => [])) {
        const text = await readFile(join(outbox, file), 'utf8')
        const [, subject] = /^Subject: (mail .*?)\r?$/m.exec(text) ?? []
        if (subject) subjects.set(subject, (subjects.get(subject) ?? 0) + 1)
      }
      for (const [subject, row] of mails) {
        const times = subjects.get(subject) ?? 0
        if (times > 1 && !repeated.has(subject))
          report.problem(`${subject}: was sent ${times} times`)
        row.saw(times > 0 ? sent : null, report)
      }
    }
  }
}
