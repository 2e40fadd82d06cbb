import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { ChangeStream } from '../../../plugins/patterns/change-streams/stream.ts'

t.test('for a reader who takes nothing, nothing more is read and kept', async (t) => {
  /** What the system has not taken yet. */
  const waiting: (() => void)[] = []
  const system = new Writable({
    write: (_part, _encoding, taken) => void waiting.push(taken),
    writev: (_parts, taken) => void waiting.push(taken)
  })
  const raw = new ServerResponse(new IncomingMessage(new Socket()))
  raw.assignSocket(system as Socket)
  const chunk = (end: number, size: number) => ({ events: Buffer.alloc(size), end, more: true })
  let ended = 0
  const stream = new ChangeStream(raw, [], () => {
    ended += 1
  })
  let reads = 0
  void stream.run(7, chunk(8, 10_000), async (cursor) => {
    reads += 1
    return chunk(cursor + 1, 100_000)
  })
  const pass = async () => {
    for (let n = 0; n < 10; n++) {
      stream.wake()
      stream.comment()
      await setImmediate()
    }
  }
  await pass()
  t.equal(reads, 0)
  while (reads === 0) {
    waiting.pop()?.()
    await setImmediate()
  }
  await pass()
  t.equal(reads, 1)
  stream.end()
  stream.end()
  t.ok(system.destroyed, 'what it has not taken does not hold up the end')
  t.equal(ended, 1)
})
