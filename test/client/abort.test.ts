import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { createClient } from '../../client/src/index.ts'

// Node.js forgets the signal of a request that was collected.
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** A service whose answers begin and never end. `begun` resolves with the first, `ended` when the client has closed a connection. */
async function startEndless(t: Test, begin: (response: ServerResponse) => void) {
  const { promise: begun, resolve: start } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const server = createServer((_request, response) => {
    response.on('close', () => end())
    begin(response)
    start()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collecting = setInterval(collect, 100)
  t.teardown(() => {
    clearInterval(collecting)
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const api = (timeoutSeconds: number) =>
    createClient({ baseUrl: `http://127.0.0.1:${port}`, bearer: 'x', retries: 0, timeoutSeconds })
  return { api, begun, ended }
}

const json = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"Result":true,"Data":{')
const failure = (response: ServerResponse) =>
  response.writeHead(404, { 'content-type': 'application/json' }).write('{"Result":true,')
const stream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n')
const change = (response: ServerResponse) => {
  stream(response)
  response.write('event: change\nid: 1\ndata: {"id":1}\n\n')
}

t.test('the time limit covers a body that hangs', async (t) => {
  for (const begin of [json, failure]) {
    const { api, ended } = await startEndless(t, begin)
    await t.rejects(api(2).GET('/todo/index'), { name: 'TimeoutError' })
    await ended
  }
})

t.test('a signal ends a body that hangs', async (t) => {
  const { api, begun, ended } = await startEndless(t, json)
  const ending = new AbortController()
  const answer = api(60).GET('/todo/index', { signal: ending.signal })
  // Time for the client to be reading.
  void begun.then(() => setTimeout(() => ending.abort(), 200))
  await t.rejects(answer, { name: 'AbortError' })
  await ended
})

t.test('a signal ends the stream of changes', async (t) => {
  const { api, begun, ended } = await startEndless(t, stream)
  const ending = new AbortController()
  // Time for the client to be reading.
  void begun.then(() => setTimeout(() => ending.abort(), 200))
  const reading = async () => {
    for await (const _change of api(60).changes({ signal: ending.signal })) t.fail('no change')
  }
  await t.rejects(reading(), { name: 'AbortError' })
  await ended
})

t.test('break closes the connection of the stream', async (t) => {
  const { api, ended } = await startEndless(t, change)
  for await (const { id } of api(60).changes()) {
    t.equal(id, 1)
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      collect()
    }
    break
  }
  await ended
})

t.test(
  'a stream that does not open, or whose refusal hangs, is tried again after the time limit',
  async (t) => {
    for (const begin of [() => {}, failure]) {
      let tries = 0
      const { api } = await startEndless(t, (response) => {
        tries++
        if (tries === 1) begin(response)
        else change(response)
      })
      for await (const { id } of api(0.2).changes()) {
        t.equal(id, 1)
        break
      }
      t.ok(tries > 1, `${tries} tries`)
    }
  }
)
