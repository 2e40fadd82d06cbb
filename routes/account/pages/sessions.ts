import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import {
  endOtherSessions,
  endSession,
  listSessions
} from '../../../plugins/identity/own-sessions.ts'
import { SessionKey } from '../../../schemas/session.ts'
import { action, type Section } from './section.ts'

/** Where the user is signed in. */
export const sessions = (app: FastifyInstance): Section => ({
  name: 'sessions',
  title: 'Sessions',
  actions: {
    endsession: action(app, SessionKey, async ({ id }, request, reply) =>
      (await endSession(request, reply, id)) ? { to: '/' } : undefined
    ),
    endothers: action(app, Type.Object({}), async (_form, request) => {
      await endOtherSessions(request)
    })
  },
  done: {
    endsession: 'That session was ended.',
    endothers: 'All other sessions were ended.'
  },
  async load(request) {
    const all = await listSessions(request)
    const shown = all.map((session) => ({ ...session, device: deviceOf(session.user_agent) }))
    // The session of this request comes first.
    return { sessions: shown.sort((a, b) => Number(b.current) - Number(a.current)) }
  }
})

/** The order matters: most browsers also name other browsers. */
const browsers = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari']
] as const

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux']
] as const

/** A name for people, from a `User-Agent`. */
function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown program'
  const first = (names: typeof browsers | typeof systems) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = first(browsers)
  const system = first(systems)
  return browser && system ? `${browser} on ${system}` : userAgent
}
