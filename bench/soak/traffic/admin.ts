import { listAll } from '../caller.ts'
import type { Client, Flag, Traffic } from '../client.ts'
import { Row, Rows } from '../row.ts'

const mostFlags = 12

/** What an administrator does: flags, overrides, mail; and reads the audit trail. */
export function adminTraffic(client: Client): Traffic {
  const { caller, random, report, world, name } = client
  const flags = new Rows<Flag>(`flag ${name}`, report)
  /** A flag has no spaces in its name. */
  const toFlagName = (row: { name: string }) => row.name.replaceAll(' ', '_')

  /** Adds a flag, or changes one; a field that is left out keeps its value. */
  async function setFlag() {
    const isNew = flags.all.size < mostFlags && random.chance(0.5)
    const row = isNew ? flags.add() : random.pick(flags.live)
    if (!row) return
    const flag_name = toFlagName(row)
    world.flags.set(flag_name, row)
    const change = {
      ...(random.chance(0.7) && { is_enabled: random.chance(0.3) }),
      ...(random.chance(0.7) && { rollout_pct: random.between(0, 100) })
    }
    const value = { is_enabled: false, rollout_pct: 0, ...row.value, ...change }
    const request = { body: { flag_name, ...change } }
    const reply = await caller.send<{ flag: { id: number } }>('setFeatureFlag', request)
    row.wrote(value, reply)
    if (reply.kind === 'done') row.id = reply.data.flag.id
  }

  /** An override of one of this client's flags, and whose. */
  function pickOverride() {
    const flag = random.pick(flags.live)
    const person = random.pick(world.people)
    if (!flag || !person) return
    const flag_name = toFlagName(flag)
    const key = `${flag_name} ${person.id}`
    const row =
      world.overrides.get(key) ?? new Row<{ is_enabled: boolean }>(`override ${key}`, null)
    world.overrides.set(key, row)
    return { row, flag_name, id: person.id }
  }

  async function setOverride() {
    const picked = pickOverride()
    if (!picked) return
    const { row, flag_name, id } = picked
    const is_enabled = random.chance(0.5)
    const request = { params: { id }, body: { flag_name, is_enabled } }
    row.wrote({ is_enabled }, await caller.send('setFlagOverride', request))
  }

  async function removeOverride() {
    const picked = pickOverride()
    if (!picked) return
    const { row, flag_name, id } = picked
    const reply = await caller.send<{ removed: boolean }>('removeFlagOverride', {
      params: { id, flag_name }
    })
    if (reply.kind === 'done') {
      const mayBeThere = row.possible.some((it) => it !== null)
      const mayBeGone = row.possible.includes(null)
      if (reply.data.removed ? !mayBeThere : !mayBeGone) {
        report.problem(`${row.name}: removed is ${reply.data.removed}`)
      }
    }
    row.wrote(null, reply)
  }

  async function setUnknownOverride() {
    const fails = ['FLAG-NOT-FOUND']
    const body = { flag_name: 'no-such-flag', is_enabled: true }
    await caller.send('setFlagOverride', { params: { id: client.person.id }, body, fails })
  }

  async function list() {
    const found = await listAll<Flag & { id: number; flag_name: string }>(
      caller,
      'listFeatureFlags',
      'flags'
    )
    if (!found) return
    flags.compare(
      found.map(({ flag_name, id, is_enabled, rollout_pct }) => ({
        name: flag_name.replaceAll('_', ' '),
        id,
        value: { is_enabled, rollout_pct }
      }))
    )
  }

  async function sendMail() {
    const person = random.pick(world.people)
    if (!person) return
    const row = new Row<{ sent: true }>(`mail ${name} ${world.mails.size + 1}`, null)
    world.mails.set(row.name, row)
    const body = { user_id: person.user_id, subject: row.name, text: 'Soak' }
    row.wrote({ sent: true }, await caller.send('sendMail', { body }))
  }

  async function readAudit() {
    const params = { limit: 20, ...(random.chance(0.5) && { event: 'login' }) }
    await caller.send('listAuditEvents', { params })
  }

  return {
    actions: [
      ...[setFlag, setFlag, setFlag, setOverride, setOverride, removeOverride],
      ...[setUnknownOverride, list, sendMail, readAudit]
    ],
    check: list
  }
}
