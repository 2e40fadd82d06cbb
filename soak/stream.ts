import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '../client/index.ts'
import type { Actor, Parts } from './client.ts'
import type { Service } from './service.ts'

/** How long the last changes may take after the last restart, in milliseconds. */
const lastMs = 10_000

/** Follows the user's changes while processes are killed: each committed one is told, in order. */
export function streamActor(
  { name, caller, report }: Parts,
  { service, bearer }: { service: Service; bearer: string }
): Actor {
  const api = createClient({ baseUrl: `http://127.0.0.1:${service.port}`, bearer })
  const ending = new AbortController()
  const told: number[] = []

  async function follow() {
    try {
      for await (const { id } of api.changes({ after: 0, signal: ending.signal })) {
        if (id <= (told.at(-1) ?? 0)) report.problem(`${name}: change ${id} after ${told.at(-1)}`)
        told.push(id)
      }
    } catch (error) {
      if (!ending.signal.aborted) report.problem(`${name}: the stream of changes ended: ${error}`)
    }
  }
  const following = follow()

  async function check() {
    const changes = (await caller.list('listActivity', 'changes')) ?? []
    const ids = changes.map(({ id }) => Number(id))
    const until = Date.now() + lastMs
    while ((told.at(-1) ?? 0) < (ids[0] ?? 0) && Date.now() < until) await wait(50)
    ending.abort()
    await following
    const seen = new Set(told)
    for (const id of ids) if (!seen.has(id)) report.problem(`${name}: change ${id} was not told`)
    const { figures } = report
    figures['changes told'] = String(Number(figures['changes told'] ?? 0) + ids.length)
  }
  return { actions: [], check }
}
