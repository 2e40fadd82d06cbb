import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import {
  endOtherSessions,
  endSession,
  listSessions
} from '../../../plugins/identity/own-sessions.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import { SessionKey } from '../../../schemas/session.ts'

/** Where the user is signed in. */
export const sessions = (app: FastifyInstance): Page => ({
  url: '/account/sessions',
  title: 'Sessions',
  view: 'routes/account/pages/sessions',
  forms: {
    endsession: form(app, SessionKey, {
      done: 'That session was ended.',
      async ask({ id }, request) {
        const session = (await listSessions(request)).find((one) => one.id === id)
        if (!session) return undefined
        const device = deviceOf(session.user_agent)
        return session.current
          ? {
              title: 'Sign out here?',
              text: `This is the session you are using.`,
              button: 'Sign out'
            }
          : {
              title: `End the session on ${device}?`,
              text: 'It is signed out at once.',
              button: 'End it'
            }
      },
      run: async ({ id }, request, reply) =>
        (await endSession(request, reply, id)) ? { to: '/' } : undefined
    }),
    endothers: form(app, Type.Object({}), {
      done: 'All other sessions were ended.',
      ask: async () => ({
        title: 'End all other sessions?',
        text: 'Every other browser and device is signed out at once.',
        button: 'End all others'
      }),
      async run(_fields, request) {
        await endOtherSessions(request)
        return undefined
      }
    })
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
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown program'
  const first = (names: typeof browsers | typeof systems) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = first(browsers)
  const system = first(systems)
  return browser && system ? `${browser} on ${system}` : userAgent
}
