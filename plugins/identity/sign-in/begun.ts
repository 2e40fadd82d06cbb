import { randomBytes } from 'node:crypto'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How many sign-ins can be under way in one browser, each in its tab. The next one ends the oldest. */
const maxTabs = 4

/** Cookies of sign-ins under way, one for each: their names begin with `name`, and sort by age. */
export function begunCookies(name: string, attributes: CookieSerializeOptions) {
  const all = ({ cookies }: FastifyRequest) =>
    Object.keys(cookies)
      .filter((one) => one.startsWith(`${name}_`))
      .sort()
      .slice(-2 * maxTabs)

  return {
    /** The names of those that a browser has sent, oldest first. */
    all,

    /** Adds one, with attributes of its own besides those of all. */
    add(
      request: FastifyRequest,
      reply: FastifyReply,
      value: string,
      { now, ...more }: CookieSerializeOptions & { now: number }
    ) {
      for (const old of all(request).slice(0, 1 - maxTabs)) reply.clearCookie(old, attributes)
      const id = `${now.toString(36)}${randomBytes(4).toString('hex')}`
      reply.setCookie(`${name}_${id}`, value, { ...attributes, ...more })
    },

    remove: (reply: FastifyReply, one: string) => reply.clearCookie(one, attributes)
  }
}
