import { EventEmitter } from 'node:events'
import t from 'tap'
import { ReadQueue } from '../../db/postgres/read-queue.ts'
import { Sessions } from '../../db/postgres/session.ts'

t.test(
  'a connection is given back once, whatever the driver calls back (contract SAFE-1)',
  async (t) => {
    const released: boolean[] = []
    /** A driver that fails each read, and again when its time is over. */
    class Client extends EventEmitter {
      connection = { stream: { cork() {}, uncork() {} } }
      query(_query: object, done: (error: Error) => void) {
        setImmediate(() => {
          done(new Error('the connection has failed'))
          setImmediate(() => done(new Error('Query read timeout')))
        })
      }
    }
    const client = new Client()
    const pool = Object.assign(new Sessions({}, {}), {
      connect(
        done: (error: undefined, client: Client, release: (failed: boolean) => void) => void
      ) {
        done(undefined, client, (failed) => released.push(failed))
      }
    })
    const queue = new ReadQueue(pool)
    const reads = [1, 2, 3].map((n) =>
      queue.add({ name: `read_${n}`, text: `select ${n}`, values: [] })
    )
    for (const one of await Promise.allSettled(reads)) t.equal(one.status, 'rejected')
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    t.same(released, [true])
    t.equal(client.listenerCount('error'), 0)
  }
)
