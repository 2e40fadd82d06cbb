import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeLookup } from '../../../plugins/runtime/lookup.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { startNameServer } from '../../support/name-server.ts'

t.test('a name is looked up by the name server', async (t) => {
  const { servers } = await startNameServer(t, { 'host.example': '192.0.2.7' })
  const lookup = makeLookup({ servers })
  const found = [{ address: '192.0.2.7', family: 4 }]
  t.same(await lookup('host.example'), found)
  t.same(await lookup('HOST.example.'), found)
  await t.rejects(lookup('host.absent'), { code: 'ENOTFOUND' })
})

t.test('localhost and the file of hosts are not asked for', async (t) => {
  const { servers, asked } = await startNameServer(t)
  const hostsFile = join(temporaryFolder(t), 'hosts')
  await writeFile(
    hostsFile,
    '# own.test\n10.0.0.5\tOwn.test receiver # 10.0.0.6\nfd00::5 own.test\n\n'
  )
  const lookup = makeLookup({ servers, hostsFile })
  const loopback = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 }
  ]
  t.same(await lookup('localhost'), loopback)
  t.same(await lookup('app.localhost'), loopback)
  t.same(await lookup('own.test'), [
    { address: '10.0.0.5', family: 4 },
    { address: 'fd00::5', family: 6 }
  ])
  t.same(await lookup('receiver'), [{ address: '10.0.0.5', family: 4 }])
  t.same(asked, [])
})

t.test('name servers that never answer hold up nobody else', async (t) => {
  const { servers, asked } = await startNameServer(t, { 'host.example': '192.0.2.7' })
  const busy = makeLookup({ servers, atOnce: 2, waitMs: 1, answerMs: 1000 })
  const slow = Array.from({ length: 12 }, (_, n) => busy(`q${n}.slow`))
  const ends = Promise.allSettled(slow)
  const other = makeLookup({ servers })
  t.same(await other('host.example'), [{ address: '192.0.2.7', family: 4 }])
  t.match(
    (await ends).map((one) => one.status === 'rejected' && one.reason.code),
    Array(12).fill('EAI_AGAIN')
  )
  const names = new Set(asked.filter((name) => name.endsWith('.slow')))
  t.equal(names.size, 2, 'two at a time; the others have waited too long')
  t.same(await busy('host.example'), [{ address: '192.0.2.7', family: 4 }], 'then there is room')
})

t.test('whoever waits gets the next turn', async (t) => {
  const { servers } = await startNameServer(t, { 'host.example': '192.0.2.7' })
  const lookup = makeLookup({ servers, atOnce: 1, answerMs: 1000 })
  const slow = lookup('host.slow').catch(({ code }) => code)
  t.same(await lookup('host.example'), [{ address: '192.0.2.7', family: 4 }])
  t.equal(await slow, 'EAI_AGAIN')
})

t.test('a failure is remembered for a short time, and only that name', async (t) => {
  const { servers, asked } = await startNameServer(t, { 'host.example': '192.0.2.7' })
  const lookup = makeLookup({ servers, answerMs: 1000, rememberMs: 60_000 })
  for (const name of ['a.absent', 'a.slow']) {
    await t.rejects(lookup(name), name)
    const before = asked.length
    await t.rejects(lookup(name), name)
    t.equal(asked.length, before, `${name} is not asked for again`)
  }
  t.ok(await lookup('host.example'))
  const forgetful = makeLookup({ servers, rememberMs: 0 })
  await t.rejects(forgetful('b.absent'))
  const before = asked.length
  await t.rejects(forgetful('b.absent'))
  t.ok(asked.length > before)
})
