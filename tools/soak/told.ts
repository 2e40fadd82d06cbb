import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '../../client/src/index.ts'
import { verifyDelivery } from '../../client/src/webhook.ts'
import type { Actor, Parts } from './client.ts'

/** How long nothing may be told after the last restart: a killed process holds its lease for 40 s. A host gets 50 a second. */
const lastMs = 60_000

/** What a client was told of its user's changes. */
function ledger(how: string, { name, caller, report }: Parts) {
  const told = new Set<number>()
  let last = 0
  return {
    /** A change that was told: in order, once, or again if nobody knows whether it has arrived. */
    note(id: number, mayRepeat: boolean) {
      if (id < last || (id === last && !mayRepeat)) {
        report.problem(`${name}: ${how}: change ${id} after ${last}`)
      }
      last = id
      told.add(id)
    },
    /** Compares it with the record. */
    async check() {
      const changes = (await caller.list('listActivity', 'changes')) ?? []
      const ids = changes.map(({ id }) => Number(id))
      let until = Date.now() + lastMs
      for (let before = last; last < (ids[0] ?? 0) && Date.now() < until; before = last) {
        await wait(50)
        if (last > before) until = Date.now() + lastMs
      }
      const missing = ids.filter((id) => !told.has(id))
      if (missing.length > 0) report.problem(`${name}: ${how}: was not told of ${missing}`)
      const figure = `changes told by ${how}`
      report.figures[figure] = Number(report.figures[figure] ?? 0) + told.size
    }
  }
}

/** Follows the user's changes by a stream, which goes on after each kill. */
export function streamActor(parts: Parts, baseUrl: string, bearer: string): Actor {
  const { note, check } = ledger('stream', parts)
  const api = createClient({ baseUrl, bearer })
  const ending = new AbortController()
  async function follow() {
    try {
      for await (const { id } of api.changes({ after: 0, signal: ending.signal })) note(id, false)
    } catch (error) {
      if (!ending.signal.aborted) parts.report.problem(`${parts.name}: stream: ended: ${error}`)
    }
  }
  const following = follow()
  return {
    actions: [],
    async check() {
      await check()
      ending.abort()
      await following
    }
  }
}

/** Receives the user's changes by a subscription, and refuses some at first. */
export async function receivingActor(parts: Parts): Promise<Actor> {
  const { name, caller, random, report } = parts
  const { note, check } = ledger('webhook', parts)
  const refused = new Set<number>()
  let secret = ''
  const server = createServer(async (request, response) => {
    try {
      // A kill can cut off a delivery.
      const body = await text(request).catch(() => null)
      if (body === null) return
      const { data } = verifyDelivery(secret, body, request.headers)
      const id = 'id' in data ? data.id : 0
      const isRefused = !refused.has(id) && random.chance(0.005)
      if (isRefused) refused.add(id)
      else note(id, true)
      response.writeHead(isRefused ? 500 : 204).end()
    } catch (error) {
      report.problem(`${name}: webhook: ${error}`)
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  ;({ secret } = (await caller.obtain('createSubscription', { body: { url } })) as {
    secret: string
  })
  return { actions: [], check }
}
