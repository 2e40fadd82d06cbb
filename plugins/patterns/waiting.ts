import fp from 'fastify-plugin'
import { everyone } from '../../db/connection.ts'
import { fail } from '../http/errors/index.ts'
import { endedAmong } from '../identity/ended.ts'
import { tellInTurns } from '../runtime/turns.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Asks `isDone` until it says so, again whenever a change or a decision of the caller was committed, for at most so many
     * seconds. Returns earlier if the caller leaves, the credential ends, or the service closes. Fails with
     * RATE-LIMIT-EXCEEDED if too many requests of the user wait.
     */
    waitUntil(
      request: FastifyRequest,
      seconds: number,
      isDone: () => Promise<boolean>
    ): Promise<void>
  }
  interface FastifyRequest {
    /** Whether it has waited for a change, so that the time of its answer says nothing. */
    hasWaited: boolean
  }
}

/** How many requests of one user may wait in this process. */
const maxOfUser = 10
/** Milliseconds between two looks, for changes that no message told of. */
const lookMs = 2000

/** Requests whose answer waits for something that the user, or the user's programs, do. */
export default fp(
  async (app) => {
    const waiting = new Map<number, Set<() => void>>()
    let isClosing = false
    /** Ends listening to changes, as long as a request waits. */
    let stopListening: (() => void) | undefined
    app.decorateRequest('hasWaited', false)

    app.decorate('waitUntil', async (request, seconds, isDone) => {
      // It waits for nothing, so others that wait do not matter.
      if (seconds === 0) {
        await isDone()
        return
      }
      const user_id = request.viewer.user.id
      const own = waiting.get(user_id) ?? new Set()
      if (own.size >= maxOfUser) fail('RATE-LIMIT-EXCEEDED', { headers: { 'retry-after': '15' } })
      let woken = Promise.withResolvers<void>()
      const wake = () => woken.resolve()
      const { socket } = request.raw
      const end = performance.now() + seconds * 1000
      // Before the first look: what is committed from here on wakes it.
      waiting.set(user_id, own.add(wake))
      stopListening ??= app.changes.onCommitted(wakeAll)
      socket.once('close', wake)
      try {
        while (!(await isDone())) {
          const left = end - performance.now()
          if (left <= 0 || isClosing || socket.destroyed) return
          request.hasWaited = true
          const timer = setTimeout(wake, Math.min(left, lookMs))
          await woken.promise
          clearTimeout(timer)
          woken = Promise.withResolvers()
          if ((await endedAmong(app, [request])).length > 0) return
        }
      } finally {
        socket.off('close', wake)
        own.delete(wake)
        if (own.size === 0) waiting.delete(user_id)
        if (waiting.size === 0) {
          stopListening?.()
          stopListening = undefined
        }
      }
    })

    const wakeInTurns = tellInTurns((wake: () => void) => wake())
    function wakeAll(user_id: number) {
      const own = waiting.get(user_id) ?? []
      if (user_id === everyone) wakeInTurns([...waiting.values()].flatMap((own) => [...own]))
      else for (const wake of own) wake()
    }
    app.planEvents.onEvent(({ user_id }) => wakeAll(user_id))
    app.addHook('preClose', async () => {
      isClosing = true
      for (const wake of [...waiting.values()].flatMap((own) => [...own])) wake()
    })
  },
  { name: 'waiting', fastify: '5.x', dependencies: ['auth', 'changes', 'errors', 'plan-events'] }
)
