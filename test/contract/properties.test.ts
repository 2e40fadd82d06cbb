import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { catalog, type ErrorCode } from '../../schemas/errors.ts'
import { slow } from '../support/selection.ts'
import { type Message, messages, mutations } from './document/arbitraries.ts'
import {
  document,
  missingHeaders,
  operationOf,
  operations,
  problems
} from './document/operations.ts'
import { type Call, type Everything, send, startEverything, validCall } from './document/service.ts'

/** Change it to try other requests; the same seed gives the same ones. */
const seed = 20261121
/** As many as in `.ci/run` take longer than other tests. */
const requestsEach = slow.skip ? 300 : 3000
const secondsEach = 9

/** Looks for a request that breaks the property; prints the smallest one it finds. */
async function hold<T>(t: Test, property: fc.IAsyncPropertyWithHooks<T>) {
  const options = { seed, numRuns: requestsEach, interruptAfterTimeLimit: secondsEach * 1000 }
  const result = await fc.check(property, options)
  t.comment(`seed ${seed}: ${result.numRuns} requests`)
  t.ok(result.numRuns > 50, 'enough requests were tried')
  if (result.counterexample) {
    t.fail(`${result.errorInstance}`, { request: fc.stringify(result.counterexample) })
  }
}

/** Fails unless the process answers the next request, and answers it well. */
async function stillAnswers({ app }: Everything) {
  const { statusCode, body } = await app.inject('/health/index')
  if (statusCode !== 200) throw new Error(`afterwards: ${statusCode} ${body}`)
}

t.test('no request of an operation gets a 5xx or an undocumented answer', async (t) => {
  const service = await startEverything(t)
  const ready = new Map<string, Call>()
  const requests = fc
    .constantFrom(...operations)
    .chain((operation) =>
      fc.record({ id: fc.constant(operation.operationId), change: mutations(operation) })
    )
  await hold(
    t,
    fc.asyncProperty(requests, async ({ id, change: { as, ...change } }) => {
      const operation = operationOf(id)
      const valid = ready.get(id) ?? (await validCall(operation, service))
      ready.set(id, valid)
      const call = {
        params: { ...valid.params, ...change.params },
        query: { ...valid.query, ...change.query },
        headers: { ...valid.headers, ...change.headers },
        body: change.body ?? valid.body
      }
      const answer = await send(service, operation, call, as)
      const found = problems(operation, answer)
      if (answer.statusCode >= 500) found.push(answer.body)
      if (found.length > 0) throw new Error(found.join('; '))
      await stillAnswers(service)
      if (answer.statusCode < 400 && operation.method !== 'GET') ready.delete(id)
      // A login ends the session that came with it.
      if (id === 'logout' || id === 'login') service.ways = await service.signInAll()
    })
  )
})

/** Sends bytes and reads all that comes back. */
async function exchange(port: number, { head, body }: Message): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', signal: AbortSignal.timeout(5000) })
  await once(socket, 'connect')
  socket.write(head, 'latin1')
  socket.write(body)
  return text(socket)
}

/** What is wrong with an answer. It must be an envelope of the catalog, or a page. */
function wrong(response: string): string[] {
  const end = response.indexOf('\r\n\r\n')
  const [head, body] = [response.slice(0, end), response.slice(end + 4)]
  const [line = '', ...fields] = head.split('\r\n')
  const statusCode = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
  if (!(statusCode < 500)) return [`status line ${line}`]
  const headers = Object.fromEntries(
    fields.map((field) => [field.split(':', 1)[0]?.toLowerCase() ?? '', field])
  )
  const found = missingHeaders({ statusCode, headers, body })
  if (statusCode < 400 || body === '' || headers['content-type']?.includes('text/html')) {
    return found
  }
  const { Data } = JSON.parse(body)
  const { status, message } = catalog[Data.errorCode as ErrorCode]
  const isWhole = status === statusCode && message === Data.errorMessage
  return isWhole ? found : [...found, body]
}

t.test('bytes in the shape of a request always get an answer, and never a 5xx', async (t) => {
  const service = await startEverything(t)
  await service.app.listen({ port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  const pages = ['', '/login/index', '/board/index', '/logout/index', '/password-reset/x']
  const paths = Object.keys(document.paths).map((path) => path.replaceAll(/\/\w*\{.*/g, ''))
  await hold(
    t,
    fc.asyncProperty(
      messages([...new Set(paths), ...pages, '/api-docs', '/assets', '/no']),
      async (message) => {
        const found = wrong(await exchange(port, message))
        if (found.length > 0) throw new Error(found.join('; '))
        await stillAnswers(service)
      }
    )
  )
})
