import { connect } from 'node:net'
import t from 'tap'
import { outcome, signIn, startService } from '../../../support/helper.ts'
import { until } from '../../../support/hostile.ts'

t.test('a user who reads no answers gets no more of them (contract SAFE-1)', async (t) => {
  const { app } = await startService(t)
  const [demo, admin] = [await signIn(app), await signIn(app, 'admin')]
  for (const user of [demo, admin]) {
    for (let i = 0; i < 18; i++) {
      await user.send('POST', '/memo/index', { body: '\u0001'.repeat(10_000) })
    }
  }
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const request = `GET /memo/index HTTP/1.1\r\nHost: localhost\r\nCookie: ${demo.cookie}\r\n\r\n`
  // The system takes the first answers of each connection; the next waits in the process.
  const sockets = Array.from({ length: 40 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.pause().write(request.repeat(16))
    return socket
  })
  const list = async (user = demo) => outcome(await user.send('GET', '/memo/index'))

  await until('too many wait', async () => (await list()) === '503 SERVICE-OVERLOADED')
  const refused = await demo.send('POST', '/memo/index', { body: 'x' })
  t.equal(outcome(refused), '200 success', 'there is room for a small answer')
  t.equal(await list(admin), '200 success', 'another user has room')

  for (const socket of sockets) socket.destroy()
  await until('their connections are closed', async () => (await list()) === '200 success')
})
