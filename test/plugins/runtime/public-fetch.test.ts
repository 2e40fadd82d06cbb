import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import t, { type Test } from 'tap'
import { isPublic, makePublicFetch, publicFetch } from '../../../plugins/runtime/public-fetch.ts'
import { startProxy } from '../../verify/proxy.ts'

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

/** The name `host.example`, and a service that counts what connects to it. */
async function named(t: Test, addresses: string[]) {
  let connections = 0
  const server = createServer((_request, response) => response.end('{}'))
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0)
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const lookup = async () => addresses.map((address) => ({ address, family: isIP(address) }))
  return { lookup, url: `http://host.example:${port}/`, connections: () => connections }
}

t.test('a name with any address that is not public is not connected to', async (t) => {
  for (const addresses of [
    ['127.0.0.1'],
    ['::1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['fe80::1'],
    ['fc00::1'],
    ['::ffff:127.0.0.1'],
    ['93.184.215.14', '127.0.0.1'],
    []
  ]) {
    const { lookup, url, connections } = await named(t, addresses)
    const error = await makePublicFetch({ lookup })(url).catch(({ cause }) => cause)
    t.equal(error.message, 'host.example has no public address', `${addresses}`)
    t.equal(connections(), 0)
  }
})

t.test('the address that was checked is the one that is connected to', async (t) => {
  const addresses = ['127.0.0.1']
  const { lookup, url, connections } = await named(t, addresses)
  const asked: string[] = []
  const isAllowed = (address: string) => {
    asked.push(address)
    // The next answer of a name server that lies.
    addresses[0] = '127.0.0.2'
    return address === '127.0.0.1'
  }
  const answer = await makePublicFetch({ lookup, isAllowed })(url)
  t.equal(await answer.text(), '{}')
  t.same([asked, connections()], [['127.0.0.1'], 1])
})

t.test('the certificate is checked', async (t) => {
  const { address } = await startProxy(t, [], {})
  const options = { isAllowed: () => true }
  await t.rejects(makePublicFetch(options)(address), {
    cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }
  })
})

t.test('the whole of a request has 5 s', async (t) => {
  const { timeout } = AbortSignal
  t.teardown(() => {
    AbortSignal.timeout = timeout
  })
  const times: number[] = []
  AbortSignal.timeout = (ms) => {
    times.push(ms)
    return timeout(0)
  }
  await t.rejects(publicFetch('https://host.example/'), { name: 'TimeoutError' })
  t.same(times, [5000])
})
