import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Test } from 'tap'

/**
 * Starts a name server on a socket of this machine. It knows `addresses` by name, answers NXDOMAIN to names
 * that end in `.absent`, and never answers for any other. `asked` lists the names as queries arrive.
 */
export async function startNameServer(t: Test, addresses: Record<string, string> = {}) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address: from }) => {
    const labels: string[] = []
    let end = 12
    for (; query[end]; end += 1 + (query[end] ?? 0)) {
      labels.push(query.toString('latin1', end + 1, end + 1 + (query[end] ?? 0)))
    }
    const name = labels.join('.')
    asked.push(name)
    const address = addresses[name]
    if (address === undefined && !name.endsWith('.absent')) return
    const isA = query.readUInt16BE(end + 1) === 1
    const answers = address !== undefined && isA ? 1 : 0
    const head = Buffer.from([0, 0, 0x81, address === undefined ? 0x83 : 0x80, 0, 1])
    query.copy(head, 0, 0, 2)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4])
    const bytes = Buffer.from((address ?? '').split('.').map(Number))
    socket.send(
      Buffer.concat([
        ...[head, Buffer.from([0, answers, 0, 0, 0, 0]), query.subarray(12, end + 5)],
        ...(answers ? [record, bytes] : [])
      ]),
      ...[port, from]
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return { asked, servers: [`127.0.0.1:${socket.address().port}`] }
}
