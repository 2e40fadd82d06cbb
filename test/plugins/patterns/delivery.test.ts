import { Webhook } from 'standardwebhooks'
import t from 'tap'
import {
  addSecret,
  deliver,
  limitAnswers,
  signed
} from '../../../plugins/patterns/webhooks/delivery.ts'
import { isPublic, makePublicAgent } from '../../../plugins/runtime/public-fetch.ts'
import { startReceiver } from '../../support/receiver.ts'

const now = Date.now()
const { secret, kept: secrets } = addSecret(null, now)
const message = { id: '7', body: '{}', secrets }
const anywhere = await makePublicAgent({ isAllowed: () => true, onConnect: limitAnswers })
t.teardown(() => anywhere.destroy())

/** Sends to a receiver, and waits so long for its answer. */
const send = (url: string, { ms = 10_000, agent = anywhere } = {}) =>
  deliver({ ...message, url }, { agent, now, signal: AbortSignal.timeout(ms) })

t.test('a receiver that hangs, or whose answer drips, is given up in time', async (t) => {
  for (const behave of ['hangs', 'drips headers', 'drips its body'] as const) {
    const receiver = await startReceiver(t)
    const timers: NodeJS.Timeout[] = []
    t.teardown(() => timers.forEach(clearInterval))
    receiver.answer = (request, response) => {
      if (behave === 'drips headers') {
        request.socket.write('HTTP/1.1 200 OK\r\n')
        timers.push(setInterval(() => request.socket.write('x: y\r\n'), 20))
      }
      if (behave === 'drips its body') {
        response.writeHead(200)
        timers.push(setInterval(() => response.write('x'), 20))
      }
    }
    const closed = Promise.withResolvers<void>()
    const { answer } = receiver
    receiver.answer = (request, response) => {
      request.socket.on('close', () => closed.resolve())
      answer(request, response)
    }
    const { status, error, ms } = await send(receiver.url, { ms: 200 })
    t.same({ status, error }, { status: null, error: 'timeout' }, behave)
    t.ok(ms >= 190, `${ms} ms`)
    await closed.promise
  }
})

t.test('headers, interim answers and the reason phrase count towards 64 KiB', async (t) => {
  const kilobyte = 'x'.repeat(1024)
  for (const [name, begin, part] of [
    ['interim answers', '', `HTTP/1.1 103 Early Hints\r\nlink: <${kilobyte}>\r\n\r\n`],
    ['a reason phrase', 'HTTP/1.1 200 ', kilobyte],
    ['headers', 'HTTP/1.1 200 OK\r\n', `x: ${kilobyte}\r\n`]
  ] as const) {
    const receiver = await startReceiver(t)
    let written = 0
    const closed = Promise.withResolvers<void>()
    receiver.answer = ({ socket }) => {
      socket.on('close', () => closed.resolve())
      socket.on('error', () => {})
      socket.write(begin)
      const write = () => {
        while (written < 10 * 1024 ** 2 && !socket.destroyed) {
          written += part.length
          if (!socket.write(part)) return void socket.once('drain', write)
        }
      }
      write()
    }
    t.match(await send(receiver.url), { status: null, error: /^(too-long|broken)$/ }, name)
    await closed.promise
    t.ok(written < 10 * 1024 ** 2, `${name}: ${written} bytes were written`)
  }
})

t.test('each answer on a connection may have its 64 KiB', async (t) => {
  const receiver = await startReceiver(t)
  const sockets = new Set<unknown>()
  receiver.answer = ({ socket }, response) => {
    sockets.add(socket)
    response.end('x'.repeat(40_000))
  }
  for (let n = 0; n < 5; n++) t.match(await send(receiver.url), { status: 200 })
  t.ok(sockets.size < 5, 'connections are used again')
})

t.test(
  'no connection is made to a private address, also if the name was public before',
  async (t) => {
    const receiver = await startReceiver(t)
    let asked = 0
    /** Public the first time; then the address of this machine. */
    const rebinding = async () => {
      asked += 1
      return [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
    }
    const agent = await makePublicAgent({
      lookup: rebinding,
      // What is public, and for the test another address of this machine, on which nothing listens.
      isAllowed: (address) => address === '127.0.0.2' || isPublic(address)
    })
    t.teardown(() => agent.destroy())
    const url = `http://receiver.example:${receiver.port}/`
    t.match(await send(url, { agent }), { error: 'refused' })
    t.match(await send(url, { agent }), { error: 'private-address' })
    t.equal(asked, 2, 'resolved once for each connection')
    t.equal(receiver.arrived.length, 0)
  }
)

t.test(
  'addresses that are not public are not connected to, however they are written',
  async (t) => {
    const receiver = await startReceiver(t)
    const agent = await makePublicAgent()
    t.teardown(() => agent.destroy())
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost']) {
      const { error } = await send(`http://${host}:${receiver.port}/`, { agent })
      t.equal(error, 'private-address', host)
    }
    t.equal(receiver.arrived.length, 0)
  }
)

t.test('at most five secrets sign, each for a day after the next', async (t) => {
  let kept = secrets
  const made = [secret]
  for (let n = 1; n < 7; n++) {
    const added = addSecret(kept, now + n)
    kept = added.kept
    made.unshift(added.secret)
  }
  const time = now + 7
  const headers = signed({ ...message, secrets: kept }, time)
  const signatures = headers['webhook-signature'].split(' ')
  t.same(
    signatures,
    made.slice(0, 5).map((one) => new Webhook(one).sign('7', new Date(time), '{}'))
  )
  const later = signed({ ...message, secrets: kept }, now + 4 + 86_400_000)
  t.equal(later['webhook-signature'].split(' ').length, 3)
})
