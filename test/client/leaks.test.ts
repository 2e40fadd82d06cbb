import { getEventListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { createClient } from '../../client/src/index.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** A service that answers each list, and each stream with a change after it. Remembers what it was asked, weakly. */
function fake() {
  const requests: WeakRef<Request>[] = []
  let streams = 0
  const fetch = async (request: Request) => {
    requests.push(new WeakRef(request))
    if (!request.url.endsWith('/stream')) {
      const Data = { status: 'success', todos: [{ id: 1, title: 'a' }], next_cursor: null }
      return Response.json({ Result: true, Data }, { headers: { 'x-next-after': '1' } })
    }
    streams += 1
    const change = { id: 2, kind: 'todo', key: 1, action: 'update', after: { id: 1, title: 'b' } }
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const text = `event: change\nid: 2\ndata: ${JSON.stringify(change)}\n\n`
        controller.enqueue(new TextEncoder().encode(text))
        request.signal.addEventListener('abort', () => {
          streams -= 1
          controller.error(request.signal.reason)
        })
      }
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { fetch, requests, streams: () => streams }
}

/** Collects until a condition holds: what waits for a turn of the event loop is still held before it. */
async function collected(isDone: () => boolean) {
  for (let turn = 0; turn < 100 && !isDone(); turn++) {
    await wait(10)
    collect()
  }
  return isDone()
}

const times = 50

t.test('what is followed and left leaves nothing behind', async (t) => {
  const { fetch, requests, streams } = fake()
  const api = createClient({ baseUrl: 'http://service.test', bearer: 'x', fetch })
  // A page has one signal for all that it does.
  const { signal } = new AbortController()
  const rows: WeakRef<object>[] = []
  // A function of its own, whose variables end with it.
  async function followAndLeave() {
    for await (const live of api.live('/todo/index', { signal })) {
      rows.push(new WeakRef(live.rows))
      if (live.changes.length > 0) break
    }
    for await (const change of api.changes({ after: 1, signal })) {
      rows.push(new WeakRef(change))
      break
    }
  }
  for (let time = 0; time < times; time++) await followAndLeave()
  t.same([requests.length, rows.length], [3 * times, 3 * times])
  t.equal(streams(), 0, 'every stream was closed')
  t.same(getEventListeners(signal, 'abort'), [])
  t.ok(await collected(() => rows.every((ref) => !ref.deref())), 'rows and changes')
  t.ok(await collected(() => requests.every((ref) => !ref.deref())), 'requests')
})
