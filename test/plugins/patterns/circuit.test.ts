import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { Failure } from '../../../plugins/http/errors/index.ts'
import { newService, startService } from '../../support/helper.ts'

const openMs = 30_000
const timeoutMs = 20_000

const shared = await newService(t)

let made = 0

/** A circuit around calls that the test answers, on clocks that the test moves. */
function startCircuit(t: Test, { app, clock } = shared, name = `sample-${++made}`) {
  const calls: PromiseWithResolvers<string>[] = []
  const answer = () => {
    const call = Promise.withResolvers<string>()
    calls.push(call)
    return call.promise
  }
  const guarded = app.circuit(name, answer, { timeoutMs })
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())

  /** What a caller gets: the result, or the code of the failure. */
  const call = () => guarded().catch((error: Failure) => error.code)
  const settle = async (succeeds: boolean) => {
    const result = call()
    if (succeeds) calls.at(-1)?.resolve('done')
    else calls.at(-1)?.reject(new Error('down'))
    return result
  }
  return {
    app,
    calls,
    call,
    succeed: () => settle(true),
    fail: () => settle(false),
    state: () => app.circuitStates()[name],
    pass(ms: number) {
      clock.now += ms
      mock.timers.tick(ms)
    },
    /** Seconds of `Retry-After`. */
    async retryAfter() {
      const error = await guarded().catch((error) => error)
      return error instanceof Failure ? error.headers['retry-after'] : undefined
    }
  }
}

type Circuit = ReturnType<typeof startCircuit>

async function open({ fail }: Circuit) {
  for (let i = 0; i < 5; i++) await fail()
}

t.test(
  'five failures in a row open the circuit, whatever their percentage (contract CIRCUIT-1)',
  async (t) => {
    // s: success, f: failure
    for (const [outcomes, state] of [
      ['ffff', 'closed'],
      ['fffff', 'open'],
      ['ffffsffff', 'closed'],
      ['ffffsfffff', 'open'],
      ['fsfsfsfsfsfsfs', 'closed'],
      [`${'s'.repeat(200)}ffff`, 'closed'],
      [`${'s'.repeat(200)}fffff`, 'open']
    ]) {
      await t.test(`${outcomes} -> ${state}`, async (t) => {
        const circuit = startCircuit(t)
        for (const outcome of outcomes ?? '') {
          const expected = outcome === 's' ? 'done' : 'DOWNSTREAM-FAILED'
          t.equal(await (outcome === 's' ? circuit.succeed() : circuit.fail()), expected)
        }
        t.equal(circuit.state(), state)
      })
    }
  }
)

t.test('five failures open the circuit, however far apart they are', async (t) => {
  const circuit = startCircuit(t)
  for (let i = 0; i < 5; i++) {
    t.equal(circuit.state(), 'closed')
    t.equal(await circuit.fail(), 'DOWNSTREAM-FAILED')
    circuit.pass(3_600_000)
  }
  t.equal(circuit.state(), 'half-open', 'opened by the fifth, and an hour has passed since')
})

t.test('while open nothing is called, and Retry-After counts down, rounded up', async (t) => {
  const circuit = startCircuit(t)
  await open(circuit)
  for (const [ms, seconds] of [
    [0, '30'],
    [1, '30'],
    [999, '29'],
    [1, '29'],
    [28_000, '1'],
    [998, '1']
  ] as const) {
    circuit.pass(ms)
    t.equal(await circuit.retryAfter(), seconds)
    t.equal(await circuit.call(), 'CIRCUIT-OPEN')
  }
  t.equal(circuit.calls.length, 5)
})

t.test('after 30 s one probe decides; meanwhile others are refused', async (t) => {
  for (const [succeeds, result, state] of [
    [true, 'done', 'closed'],
    [false, 'DOWNSTREAM-FAILED', 'open']
  ] as const) {
    await t.test(`${state} after the probe`, async (t) => {
      const circuit = startCircuit(t)
      await open(circuit)
      circuit.pass(openMs)
      t.equal(circuit.state(), 'half-open')
      const probe = circuit.call()
      t.same(await Promise.all([circuit.call(), circuit.call()]), ['CIRCUIT-OPEN', 'CIRCUIT-OPEN'])
      t.equal(await circuit.retryAfter(), '1')
      t.equal(circuit.calls.length, 6, 'only the probe was called')
      if (succeeds) circuit.calls.at(-1)?.resolve('done')
      else circuit.calls.at(-1)?.reject(new Error('down'))
      t.equal(await probe, result)
      t.equal(circuit.state(), state)
      if (succeeds) {
        for (let i = 0; i < 4; i++) await circuit.fail()
        t.equal(circuit.state(), 'closed', 'the count began again')
      } else {
        t.equal(await circuit.retryAfter(), '30', 'for as long again')
        circuit.pass(openMs)
        t.equal(await circuit.succeed(), 'done')
        t.equal(circuit.state(), 'closed')
      }
    })
  }
})

t.test('a call that does not end is a failure, even the probe', async (t) => {
  const circuit = startCircuit(t)
  const hanging = Array.from({ length: 5 }, circuit.call)
  circuit.pass(timeoutMs)
  t.same(new Set(await Promise.all(hanging)), new Set(['DOWNSTREAM-FAILED']))
  t.equal(circuit.state(), 'open')
  circuit.pass(openMs)
  const probe = circuit.call()
  circuit.pass(timeoutMs)
  t.equal(await probe, 'DOWNSTREAM-FAILED')
  t.equal(circuit.state(), 'open')
  for (const { resolve } of circuit.calls) resolve('late')
  circuit.pass(openMs)
  t.equal(circuit.state(), 'half-open', 'a result after its time closes nothing')
})

t.test('an earlier call that ends while the circuit is open changes nothing', async (t) => {
  const circuit = startCircuit(t)
  const [slow, slower] = [circuit.call(), circuit.call()]
  await open(circuit)
  circuit.pass(10_000)
  circuit.calls[0]?.resolve('done')
  t.equal(await slow, 'done')
  t.equal(circuit.state(), 'open')
  circuit.calls[1]?.reject(new Error('down'))
  t.equal(await slower, 'DOWNSTREAM-FAILED')
  t.equal(await circuit.retryAfter(), '20', 'not prolonged')
  circuit.pass(20_000)
  t.equal(await circuit.fail(), 'DOWNSTREAM-FAILED')
  t.equal(circuit.state(), 'open', 'one failed probe opens it again')
})

t.test(
  'health tells the state of each circuit, and is degraded until all are closed',
  async (t) => {
    const circuit = startCircuit(t, await startService(t), 'sample')
    const health = async () => {
      const response = await circuit.app.inject('/health/index')
      const { healthStatus, circuits } = response.json().Data
      return [response.statusCode, healthStatus, circuits]
    }
    t.same(await health(), [200, 'ok', { mail: 'closed', sample: 'closed' }])
    await open(circuit)
    t.same(await health(), [200, 'degraded', { mail: 'closed', sample: 'open' }])
    circuit.pass(openMs)
    t.same(await health(), [200, 'degraded', { mail: 'closed', sample: 'half-open' }])
    await circuit.succeed()
    t.same(await health(), [200, 'ok', { mail: 'closed', sample: 'closed' }])
  }
)

t.test('a circuit with a taken name or too long a timeout is refused', async (t) => {
  const work = async () => {}
  const { app } = shared
  t.throws(() => app.circuit('mail', work, { timeoutMs }), /mail/, 'a name that is taken')
  t.throws(() => app.circuit('slow', work, { timeoutMs: openMs }), /timeoutMs/)
})
