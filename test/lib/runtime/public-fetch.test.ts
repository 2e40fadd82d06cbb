import { once } from 'node:events'
import { createServer } from 'node:http'
import t from 'tap'
import { isPublic, publicFetch } from '../../../lib/runtime/public-fetch.ts'

t.test('only addresses of the public internet are public (RFC 6890)', async (t) => {
  for (const address of [
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.9.9.9', '169.254.169.254'],
    ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1'],
    ...['255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::7f00:1', 'fe80::1'],
    ...['fe80::1%lo', 'fc00::1', 'fd12::1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001::1'],
    ...['2001:db8::1', 'ff02::1', '', 'localhost']
  ]) {
    t.notOk(isPublic(address), address)
  }
  for (const address of ['1.1.1.1', '172.32.0.1', '193.0.0.1', '2606:4700::1111', '2a00::1']) {
    t.ok(isPublic(address), address)
  }
})

t.test('no connection is made to another address, however it is named', async (t) => {
  let connections = 0
  const server = createServer((_request, response) => response.end('{}'))
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0)
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  for (const host of [
    ...['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0', 'localhost'],
    ...['localhost.', 'LOCALHOST']
  ]) {
    const error = await publicFetch(`http://${host}:${port}/`).then(
      () => null,
      ({ cause }) => cause
    )
    t.match(error?.message, /has no public address|ENOTFOUND|EAI_AGAIN/, host)
  }
  t.equal(connections, 0)
})
