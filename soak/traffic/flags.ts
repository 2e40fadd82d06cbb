import { bucket } from '../../plugins/patterns/feature-flags.ts'
import { listAll } from '../caller.ts'
import type { AreaTraffic, Client, Traffic, World } from '../client.ts'
import { compareAll, Row, Rows } from '../row.ts'

const mostFlags = 12

interface Flag {
  is_enabled: boolean
  rollout_pct: number
}
type Override = Pick<Flag, 'is_enabled'>

/** The values that the clients of a run share. */
interface Flags {
  flags: Map<string, Row<Flag>>
  /** By `<flag> <user id>`. */
  overrides: Map<string, Row<Override>>
}

/** The actions of an administrator with flags and overrides. */
function adminTraffic(client: Client, state: Flags): Traffic {
  const { caller, random, report, world, name } = client
  const flags = new Rows<Flag>(`flag ${name}`, report)
  /** A flag has no spaces in its name. */
  const toFlagName = (row: { name: string }) => row.name.replaceAll(' ', '_')

  /** Adds or changes a flag. An absent field keeps its value. */
  async function setFlag() {
    const isNew = flags.all.size < mostFlags && random.chance(0.5)
    const row = isNew ? flags.add() : random.pick(flags.live)
    if (!row) return
    const flag_name = toFlagName(row)
    state.flags.set(flag_name, row)
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

  /** An override of one of this client's flags, and its user. */
  function pickOverride() {
    const flag = random.pick(flags.live)
    const person = random.pick(world.people)
    if (!flag || !person) return
    const flag_name = toFlagName(flag)
    const key = `${flag_name} ${person.id}`
    const row = state.overrides.get(key) ?? new Row<Override>(`override ${key}`, null)
    state.overrides.set(key, row)
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

  return {
    actions: [
      ...[setFlag, setFlag, setFlag, setOverride, setOverride, removeOverride],
      ...[setUnknownOverride, list]
    ],
    check: list
  }
}

/** Reads every flag as this client's user, and checks override, global value and rollout. */
async function checkFlags({ caller, person, report }: Client, { flags, overrides }: Flags) {
  const reply = await caller.send<{ flags: Record<string, boolean> }>('evaluateFeatureFlags')
  if (reply.kind !== 'done') return report.problem('the flags were not answered')
  for (const [name, { value: flag }] of flags) {
    const override = overrides.get(`${name} ${person.id}`)?.value
    const expected =
      flag &&
      (override?.is_enabled ?? (flag.is_enabled || bucket(name, person.id) < flag.rollout_pct))
    const is = reply.data.flags[name] ?? null
    if (is !== expected) {
      report.problem(`${name} of ${person.user_id}: should be ${expected}, is ${is}`)
    }
  }
}

export default function featureFlags({ audit, report }: World): AreaTraffic {
  audit.expect({
    setFeatureFlag: 'flag-change',
    setFlagOverride: 'override-change',
    removeFlagOverride: 'override-change'
  })
  const state: Flags = { flags: new Map(), overrides: new Map() }
  const clients: Client[] = []
  return {
    callers: ['user', 'admin', 'jwt', 'agent'],
    traffic(client) {
      clients.push(client)
      if (client.person.role === 'admin') return adminTraffic(client, state)
      return { actions: [() => client.caller.send('evaluateFeatureFlags')], async check() {} }
    },
    visit: ({ caller }) => [() => caller.send('evaluateFeatureFlags')],
    async checkDatabase(read) {
      const found = await read('SELECT flag_name, user_id, is_enabled FROM flag_overrides')
      compareAll(
        state.overrides,
        found.map((it) => [
          `${it.flag_name} ${it.user_id}`,
          { is_enabled: Boolean(it.is_enabled) }
        ]),
        report
      )
      for (const client of clients) await checkFlags(client, state)
    }
  }
}
