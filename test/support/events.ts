import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import { until } from './hostile.ts'

/** A change as an event tells it. */
export interface Told {
  id: number
  kind: string
  key: number
  action: string
  after: { title?: string } | null
}

/** Where a service listens, with a port of its own. */
export async function addressOf(app: {
  listen(options: { port: number; host: string }): Promise<string>
}) {
  return app.listen({ port: 0, host: '127.0.0.1' })
}

/** Opens a stream of changes on a connection of its own, and collects what comes. It is closed after the test. */
export async function openStream(
  t: Test,
  address: string,
  headers: Record<string, string>,
  query = ''
) {
  const request = get(`${address}/activity/stream${query}`, { headers, agent: false })
  t.teardown(() => request.destroy())
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  answer.on('error', () => {})
  const ended = new Promise<void>((resolve) => {
    answer.once('close', resolve)
  })
  const blocks = () => text.split('\n\n').slice(0, -1)
  const changes = (): Told[] =>
    blocks()
      .filter((block) => block.startsWith('event: change\n'))
      .map((block) => JSON.parse(block.split('\ndata: ')[1] ?? ''))
  return {
    status: answer.statusCode,
    headers: answer.headers,
    answer,
    request,
    /** Resolves when it has ended. */
    ended,
    /**
     * Half seconds of this process until it has ended. The service runs in it, and looks as often: on a busy machine
     * both are late.
     */
    async halfSeconds() {
      let passed = 0
      const timer = setInterval(() => {
        passed += 1
      }, 500)
      await ended
      clearInterval(timer)
      return passed
    },
    text: () => text,
    changes,
    ids: () => changes().map(({ id }) => id),
    /** The last id that was told, as a browser remembers it. */
    lastId: () => [...text.matchAll(/^id: (\d+)\n/gm)].at(-1)?.[1] ?? '',
    has: (count: number) => until(`${count} changes`, () => changes().length >= count)
  }
}
