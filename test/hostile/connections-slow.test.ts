import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { openUnread, pipelined, startLimited, until } from '../support/hostile.ts'
import { slow } from '../support/selection.ts'

/** Memory that an attack may cost at most, in MB (contract SAFE-1). */
const allowance = 200

t.test('readers that stopped reading are closed after 60 to 120 s', slow, async (t) => {
  const service = await startLimited(t)
  const before = service.descriptors()
  const path = '/api-docs/static/swagger-ui-bundle.js'
  const attack = openUnread(t, service.port, 100, pipelined(path, 20))
  await Promise.all(attack.sockets.map((socket) => once(socket, 'connect')))
  await until('answers are under way', () => service.descriptors() >= before + 100)
  const began = Date.now()
  await until('they are closed', () => service.descriptors() <= before + 1, 240)
  t.ok(Date.now() - began > 50_000, 'not before their time was up')
  const more = Math.round(service.memory() - service.rest)
  t.ok(more < allowance, `${more} MB more`)
})

t.test('8,192 connections with half a head of 15 kB each cost 200 MB at most', slow, async (t) => {
  const service = await startLimited(t, { descriptors: 20_000 })
  const head = `GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(7000)}\r\nX-B: ${'b'.repeat(7000)}\r\n`

  const attack = openUnread(t, service.port, 8300, head)
  await until('they are connected', () => service.descriptors() > 8000, 60)
  await wait(3000)
  const more = Math.round(service.memory() - service.rest)
  t.ok(more < allowance, `${more} MB more`)
  t.ok(service.isRunning())
  attack.close()
})
