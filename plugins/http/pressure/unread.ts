import fp from 'fastify-plugin'
import { fail } from '../errors/index.ts'
import { changesState } from '../methods.ts'
import { retryAfter } from './index.ts'

/** Smaller answers are not counted: the limits of connections and requests bound them. */
const counted = 2 ** 16
/** How many bytes of answers one user, and all users together, may leave unread. */
const maxOfUser = 2 ** 25
const maxOfAll = 2 ** 28

/**
 * Bounds the answers that wait to be read, with SERVICE-OVERLOADED. A request whose answer could not wait
 * is refused before its work begins. If many come at once, those that only read are refused even after it.
 */
export default fp(
  async (app) => {
    const unread = new Map<number, number>()
    let all = 0
    function checkRoom(user: number, more = 0) {
      const hasRoom = all + more <= maxOfAll && (unread.get(user) ?? 0) + more <= maxOfUser
      if (!hasRoom) fail('SERVICE-OVERLOADED', { headers: retryAfter })
    }
    function add(user: number, bytes: number) {
      all += bytes
      const sum = (unread.get(user) ?? 0) + bytes
      if (sum === 0) unread.delete(user)
      else unread.set(user, sum)
    }

    app.addHook('onRequest', function refuseUnread({ identity }, _reply, done) {
      if (identity) checkRoom(identity.user.id)
      done()
    })
    app.addHook('onSend', function countUnread({ identity, method }, { raw }, payload, done) {
      if (!identity || typeof payload !== 'string' || payload.length < counted) return done()
      const user = identity.user.id
      const bytes = Buffer.byteLength(payload)
      if (!changesState(method)) checkRoom(user, bytes)
      add(user, bytes)
      function release() {
        raw.off('finish', release).off('close', release)
        add(user, -bytes)
      }
      raw.on('finish', release).on('close', release)
      done()
    })
  },
  { name: 'unread', fastify: '5.x', dependencies: ['auth', 'overload'] }
)
