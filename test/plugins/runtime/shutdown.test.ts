import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { startService } from '../../support/helper.ts'

t.test(
  'close() waits for the answer under way, not for its connection (contract DATA-3)',
  async (t) => {
    const started = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const { app } = await startService(t, {}, (app) => {
      app.get('/slow/index', { config: { allow: ['anyone'] } }, async () => {
        started.resolve()
        await gate.promise
        return { done: true }
      })
    })
    await app.listen({ port: 0 })
    const { port } = app.server.address() as AddressInfo
    const agent = new Agent({ keepAlive: true })
    t.teardown(() => agent.destroy())
    const answer = new Promise<string>((resolve, reject) => {
      request({ port, path: '/slow/index', agent }, (response) => resolve(text(response)))
        .on('error', reject)
        .end()
    })
    await started.promise
    const closing = app.close()
    while (app.server.listening) await new Promise(setImmediate)
    gate.resolve()
    t.equal(await answer, '{"done":true}')
    await closing
  }
)
