import type { MemoState } from '../../schemas/memo.ts'
import { listAll } from '../caller.ts'
import type { AreaTraffic, Client, Traffic } from '../client.ts'
import { Once } from '../once.ts'
import type { Reply } from '../reply.ts'
import { type Row, Rows } from '../row.ts'

interface Value {
  version: number
  state: MemoState
  body: string
}
type Memo = Value & { id: number }

const most = 30
const next: Readonly<Record<MemoState, readonly MemoState[]>> = {
  draft: ['published'],
  published: ['archived', 'draft'],
  archived: []
}
const toValue = ({ version, state, body }: Memo): Value => ({ version, state, body })
const nameOf = (body: string) => body.split('\n')[0] ?? ''
const tag = ({ version }: Value) => ({ 'if-match': `"v${version}"` })

function memoTraffic(client: Client): Traffic {
  const { caller, random, report, name } = client
  const rows = new Rows<Value>(`memo ${name}`, report)
  const once = new Once<{ memo: Memo }>(caller, random, report, {
    body: { body: 'other' },
    fails: ['VALIDATION-FAILED']
  })

  const bodyOf = (row: { name: string }) =>
    `${row.name}\n${random.bytes(8).toString('hex').repeat(random.between(1, 200))}`

  async function create() {
    const row = rows.add()
    const body = bodyOf(row)
    const keep = (reply: Reply<{ memo: Memo }>) => {
      const id = reply.kind === 'done' ? reply.data.memo.id : 0
      row.made({ version: 1, state: 'draft', body }, reply, id, report)
    }
    if (random.chance(0.5)) await once.send('createMemo', { body: { body } }, keep)
    else keep(await caller.send('createMemo', { body: { body } }))
  }

  /** Does something with an existing memo and its value; does nothing if there is none. */
  const onSome =
    (action: (row: Row<Value>, value: Value) => Promise<unknown>, among = () => rows.live) =>
    async () => {
      const row = random.pick(among())
      if (row?.value) await action(row, row.value)
    }

  const put = (row: Row<Value>, value: Value, fails: string[] = []) => {
    const body = bodyOf(row)
    return caller
      .send<{ memo: Memo }>('replaceMemo', {
        params: { id: row.id },
        headers: tag(value),
        body: { body },
        fails
      })
      .then((reply) => ({ reply, value: { ...value, body, version: value.version + 1 } }))
  }

  const replace = onSome(async (row, value) => {
    const put1 = await put(row, value)
    row.wrote(put1.value, put1.reply)
  })

  /** Two writes at once on the same version: only one of them may be kept. */
  const race = onSome(async (row, value) => {
    const fails = ['PRECONDITION-FAILED']
    const puts = await Promise.all([put(row, value, fails), put(row, value, fails)])
    const done = puts.filter(({ reply }) => reply.kind === 'done')
    const unknown = puts.filter(({ reply }) => reply.kind === 'unknown')
    if (done.length === 2) report.problem(`${row.name}: two writes of one version were kept`)
    if (done.length + unknown.length === 0) report.problem(`${row.name}: both writes were refused`)
    const [first] = done
    if (first) row.possible = [first.value]
    else row.possible = [value, ...unknown.map((it) => it.value)]
  })

  const replaceStale = onSome(async (row, value) => {
    const stale = { ...value, version: value.version + 1 }
    const { reply } = await put(row, stale, ['PRECONDITION-FAILED'])
    if (reply.kind === 'done') report.problem(`${row.name}: a write of another version was kept`)
  })

  const replaceBlindly = onSome(async (row) => {
    const fails = ['PRECONDITION-REQUIRED']
    const request = { params: { id: row.id }, body: { body: bodyOf(row) }, fails }
    const reply = await caller.send('replaceMemo', request)
    if (reply.kind === 'done') report.problem(`${row.name}: a write without a version was kept`)
  })

  const move = onSome(async (row, value) => {
    const to_state = random.pick(['draft', 'published', 'archived'] as const) ?? 'draft'
    const isAllowed = next[value.state].includes(to_state)
    const fails = isAllowed ? [] : ['INVALID-TRANSITION']
    const request = { params: { id: row.id }, body: { to_state }, fails }
    const reply = await caller.send('moveMemo', request)
    if (isAllowed) row.wrote({ ...value, state: to_state, version: value.version + 1 }, reply)
    else if (reply.kind === 'done') report.problem(`${row.name}: ${value.state} to ${to_state}`)
  })

  const remove = onSome(async (row, value) => {
    const request = { params: { id: row.id }, headers: tag(value) }
    row.wrote(null, await caller.send('deleteMemo', request))
  })

  const read = onSome(async (row, value) => {
    const isKnown = random.chance(0.5)
    const reply = await caller.send<{ memo: Memo }>('getMemo', {
      params: { id: row.id },
      headers: isKnown ? { 'if-none-match': tag(value)['if-match'] } : {},
      fails: ['MEMO-NOT-FOUND']
    })
    if (reply.kind === 'done')
      row.saw(reply.status === 304 ? value : toValue(reply.data.memo), report)
    if (reply.kind === 'refused') row.saw(null, report)
  })

  async function list() {
    const memos = await listAll<Memo>(caller, 'listMemos', 'memos')
    if (!memos) return
    for (const { body } of memos) client.checkOwner('memo', nameOf(body))
    rows.compare(
      memos.map((memo) => ({ name: nameOf(memo.body), id: memo.id, value: toValue(memo) }))
    )
  }

  const grow = () => (rows.live.length < most ? create() : remove())

  return {
    actions: [
      ...[grow, grow, replace, replace, race, replaceStale, replaceBlindly],
      ...[move, move, move, remove, read, read, list],
      () => once.replay()
    ],
    async check() {
      await once.finish()
      await list()
    }
  }
}

export default function memo(): AreaTraffic {
  return { callers: ['user', 'admin'], traffic: memoTraffic }
}
