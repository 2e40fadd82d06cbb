import { connect, type Socket } from 'node:net'

export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** The bytes of a request. */
export function serialize({ method, path, headers = {}, body = '' }: Request): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/** A file as the body of a form, with its header. */
export async function formOf(content: Buffer, name: string) {
  const form = new FormData()
  form.set('file', new Blob([Buffer.from(content)]), name)
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return { headers, body: Buffer.from(await encoded.arrayBuffer()) }
}

/**
 * Sends requests from `callers` keep-alive connections, each one the same again and again, the next when the
 * answer is in, until `seconds` have passed. Several requests are shared out among the callers.
 * @throws Error at the first answer that is not a 200.
 *
 * autocannon needs 14 µs for a request, this generator 10. On two cores, the generator takes this time
 * from the server.
 */
export function load(port: number, requests: Request[], callers: number, seconds: number) {
  const sent = requests.map(serialize)
  return new Promise<{ answers: number; perSecond: number }>((resolve, reject) => {
    const sockets: Socket[] = []
    const start = performance.now()
    const end = start + seconds * 1000
    let answers = 0
    let open = callers

    const fail = (error: Error) => {
      open = 0
      for (const socket of sockets) socket.destroy()
      reject(error)
    }
    // Never sleeps: in a virtual machine, the server would need time to wake a sleeping process.
    const spin = () => {
      if (open > 0) setImmediate(spin)
    }
    spin()
    for (let i = 0; i < callers; i++) {
      const socket = connect(port, '127.0.0.1').setNoDelay(true)
      const bytes = sent[i % sent.length] as Buffer
      sockets.push(socket)
      let missing = 0
      socket.on('error', fail)
      socket.on('connect', () => socket.write(bytes))
      socket.on('data', (data) => {
        // Answers are small: their head comes in one piece.
        if (missing === 0) {
          const head = data.toString('latin1', 0, data.indexOf('\r\n\r\n'))
          const length = /content-length: (\d+)/i.exec(head)?.[1]
          if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) {
            return fail(new Error(`${bytes}: ${data}`))
          }
          missing = head.length + 4 + Number(length)
        }
        missing -= data.length
        if (missing > 0) return
        answers++
        if (performance.now() < end) return void socket.write(bytes)
        socket.destroy()
        open--
        if (open === 0) {
          resolve({ answers, perSecond: (answers / (performance.now() - start)) * 1000 })
        }
      })
    }
  })
}
