import { readdirSync, readlinkSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { boundary, formBytes, partBytes } from '../../support/form.ts'
import { type Service, signIn, startService } from '../../support/helper.ts'

/** A service that listens, and a way to speak to it byte by byte. */
async function listen(t: Test, env: Record<string, string> = {}, uploadIdleMs = 30_000) {
  const tuning = { uploadIdleMs }
  const service = await startService(t, env, undefined, undefined, { tuning })
  const demo = await signIn(service.app)
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  const head = (...fields: string[]) =>
    [
      'POST /attachment/index HTTP/1.1',
      'Host: x',
      `Cookie: ${demo.cookie}`,
      `X-CSRF-Token: ${demo.csrfToken}`,
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      ...fields,
      '\r\n'
    ].join('\r\n')

  /** A connection that collects its answer. */
  function open() {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text
    })
    // The service may reset the connection instead of closing it.
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.on('close', resolve))
    t.teardown(() => socket.destroy())
    return { socket, closed, answer: () => answer }
  }
  return { ...service, demo, head, open }
}

/** What is left of an upload: files, and handles on them. */
function leftovers({ folder }: Service) {
  const files = readdirSync(join(folder, 'uploads'), { recursive: true, withFileTypes: true })
  const handles = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
  return [
    ...files.filter((entry) => entry.isFile()).map((entry) => entry.name),
    ...handles.filter((target) => target.startsWith(join(folder, 'uploads')))
  ]
}

/** Waits until a condition holds; the test's own time-out ends it otherwise. */
async function until(condition: () => boolean) {
  while (!condition()) await sleep(5)
}

const status = (answer: string) =>
  `${answer.split(' ', 2)[1]} ${/"errorCode":"([A-Z-]+)"/.exec(answer)?.[1] ?? 'success'}`

const file = { filename: 'a.txt', content: 'hello' }
const beginning = partBytes({ ...file, content: 'a'.repeat(100_000) }).subarray(0, -2)

t.test('a client that half-closes after its file still gets its answer', async (t) => {
  const { head, open, sql } = await listen(t)
  const form = formBytes([{ filename: 'a.txt', content: 'kept' }])
  const { socket, closed, answer } = open()
  socket.write(head(`Content-Length: ${form.length}`))
  socket.end(form)
  await closed
  t.match(answer(), /^HTTP\/1\.1 200 /)
  t.equal((await sql('SELECT id FROM attachments')).length, 1)
})

t.test('a client that hangs up in the middle leaves nothing behind', async (t) => {
  const service = await listen(t)
  for (const sent of [0, 10, 60, beginning.length]) {
    for (const end of ['destroy', 'end'] as const) {
      const { socket, closed } = service.open()
      socket.write(service.head('Content-Length: 1000000'))
      socket.write(beginning.subarray(0, sent))
      if (sent === beginning.length) await until(() => leftovers(service).length > 0)
      socket[end]()
      await closed
      await until(() => leftovers(service).length === 0)
      t.pass(`${sent} bytes, then ${end}`)
    }
  }
  t.equal((await service.demo.send('GET', '/attachment/index')).json().Data.attachments.length, 0)
})

t.test('a client that stops sending is given up in time', async (t) => {
  const service = await listen(t, {}, 1000)
  const whole = formBytes([file])
  const stalls: [string, string | Buffer][] = [
    ['before the body', ''],
    ['in the file', beginning],
    ['after the file', whole.subarray(0, -3)]
  ]
  await Promise.all(
    stalls.map(async ([name, sent]) => {
      const { socket, closed, answer } = service.open()
      socket.write(service.head('Content-Length: 1000000'))
      socket.write(sent)
      await closed
      t.equal(status(answer()), '400 UPLOAD-FILE-REQUIRED', name)
      t.match(answer(), /^connection: close\r$/im, name)
    })
  )
  await until(() => leftovers(service).length === 0)
})

t.test('a slow client that goes on sending is waited for', async (t) => {
  const service = await listen(t, {}, 5000)
  const { socket, closed, answer } = service.open()
  const whole = formBytes([file])
  socket.write(service.head(`Content-Length: ${whole.length}`, 'Connection: close'))
  const step = Math.ceil(whole.length / 12)
  for (let at = 0; at < whole.length; at += step) {
    socket.write(whole.subarray(at, at + step))
    // Time itself is what is tested: in all longer than the limit, each pause much shorter, so that
    // a busy machine does not make one too long.
    await sleep(450)
  }
  await closed
  t.equal(status(answer()), '200 success')
})

t.test(
  'reading stops at the limit, and the connection is closed (contract UPLOAD-1)',
  async (t) => {
    const limit = 1024 ** 2
    const service = await listen(t, { SVC_UPLOAD_MAX_BYTES: String(limit) })
    const endless: [string, Buffer][] = [
      ['a file', beginning],
      ['a file in another field', partBytes({ ...file, name: 'other' }).subarray(0, -2)],
      ['a text part', partBytes({ name: 'note', content: 'x' }).subarray(0, -2)],
      ['what is before the form', Buffer.from('x')],
      ['a part header', Buffer.from(`--${boundary}\r\nX-Long: a`)]
    ]
    for (const [name, start] of endless) {
      const { socket, closed, answer } = service.open()
      socket.write(service.head('Transfer-Encoding: chunked'))
      const chunk = (data: Buffer) =>
        socket.write(
          Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')])
        )
      chunk(start)
      while (!socket.closed) {
        if (chunk(Buffer.alloc(65_536, 'a'))) await sleep(0)
        else await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
      }
      t.equal(status(answer()), '413 UPLOAD-TOO-LARGE', name)
      t.match(answer(), /^connection: close\r$/im, name)
      // Some of it was sent, but never read: it is in the buffers of the system.
      t.ok(socket.bytesWritten < 16 * limit, `${name}: ${socket.bytesWritten} bytes`)
      await until(() => leftovers(service).length === 0)
    }
  }
)

t.test('part headers of 1 MB are not taken for a file', async (t) => {
  const service = await listen(t)
  const { socket, closed, answer } = service.open()
  const long = `--${boundary}\r\nX-Long: ${'a'.repeat(1_000_000)}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--${boundary}--\r\n`
  socket.write(service.head(`Content-Length: ${long.length}`, 'Connection: close'))
  socket.write(long)
  await closed
  t.equal(status(answer()), '400 UPLOAD-FILE-REQUIRED')
  await until(() => leftovers(service).length === 0)
})

t.test('a connection can be used again after an upload, whatever follows the form', async (t) => {
  const service = await listen(t)
  const { socket, answer } = service.open()
  const bodies = [
    formBytes([file]),
    Buffer.concat([formBytes([file]), Buffer.from('\r\nepilogue')]),
    formBytes([{ content: 'text' }]),
    formBytes([{ ...file, content: '<html>' }])
  ]
  const expected = ['200', '200', '400', '415']
  const answers = () => [...answer().matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => code)
  for (const [index, body] of bodies.entries()) {
    socket.write(service.head('Transfer-Encoding: chunked'))
    // The last chunk comes on its own, after the form has been read.
    socket.write(
      Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')])
    )
    await sleep(20)
    socket.write('0\r\n\r\n')
    await until(() => answers().length > index)
    t.equal(answers().at(-1), expected[index])
    if (/^connection: close\r$/im.test(answer())) break
  }
  t.same(answers(), expected)
})

t.test('fifty uploads at once are fifty attachments', async (t) => {
  const service = await listen(t)
  const { port } = service.app.server.address() as AddressInfo
  const statuses = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const form = new FormData()
      form.append('file', new Blob([`${n}`.repeat(200_000)]), `${n}.txt`)
      const response = await fetch(`http://127.0.0.1:${port}/attachment/index`, {
        method: 'POST',
        headers: { cookie: service.demo.cookie, 'x-csrf-token': service.demo.csrfToken },
        body: form
      })
      return response.status
    })
  )
  t.same(statuses, Array(50).fill(200))
  const { attachments } = (await service.demo.send('GET', '/attachment/index')).json().Data
  t.equal(new Set(attachments.map(({ sha256 }: { sha256: string }) => sha256)).size, 50)
})
