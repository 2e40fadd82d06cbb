import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowForm } from './form-action.ts'
import { ownPage } from './index.ts'
import { home } from './options.ts'

/**
 * The request of a program that is answered after the sign-in (routes/pages/oauth/). Its id is the only
 * place that a link can send a visitor to.
 */
export const Query = Type.Object({
  request: Type.Optional(Type.String({ pattern: '^[\\w-]{1,64}$' })),
  /** A page of ours to go on with. Any other is not used. */
  next: Type.Optional(Type.String())
})
export type Asked = { request?: string | undefined; next?: string | undefined }

/** What a visitor wanted, as a query for the next page of the sign-in. */
export function queryOf({ request, next }: Asked) {
  if (request !== undefined) return `?request=${request}`
  const own = ownPage(next)
  return own === undefined ? '' : `?${new URLSearchParams({ next: own })}`
}

/** Where a visitor goes on after the sign-in. */
export const after = ({ oauth }: FastifyInstance, { request, next }: Asked) =>
  oauth && request !== undefined ? `/oauth/consent/${request}` : (ownPage(next) ?? home)

/** Lets the forms of a page lead to where the program wants the visitor. */
export const allowingRequest = ({ oauth }: FastifyInstance) =>
  async function allowRequest({ query }: FastifyRequest, reply: FastifyReply) {
    const { request: uid } = query as Asked
    if (oauth && uid !== undefined) allowForm(reply, await (await oauth()).redirectOf(uid))
  }
