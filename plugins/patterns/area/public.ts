import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { nobody } from '../../../schemas/area/access.ts'
import type { Kind } from '../../../schemas/kinds.ts'
import { forAnyOrigin } from '../../http/cors.ts'
import { defaultAllow } from '../../identity/auth.ts'
import type { Limit } from '../../identity/rate-limit.ts'
import { isNotModified } from '../conditional.ts'

/** Who reads; `nobody` without a credential. */
export const readerOf = ({ identity }: Pick<FastifyRequest, 'identity'>) =>
  identity?.user.id ?? nobody

/** Whether a caller sees rows of a kind to which others refer. Visitors see the files of the rows that they may read. */
export const mayFollow = ({ identity, server }: FastifyRequest, kind: Kind) =>
  server.activity.readable(identity).includes(kind) || (identity === null && kind === 'attachment')

/** What an address may ask for in a minute, where no credential is needed. */
const publicLimit: Limit = {
  ...{ name: 'public', counts: 'requests', max: 600, seconds: 60 },
  ofVisitors: true
}

/** Who asked without a credential gets what any page may read and any cache may keep, if it asks each time. */
async function sendPublic(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (request.identity) return payload
  forAnyOrigin(reply)
  if (reply.statusCode !== 200) return payload
  reply.headers({ 'cache-control': 'public, max-age=0', vary: 'Authorization, Cookie' })
  if (typeof payload !== 'string' || reply.hasHeader('etag')) return payload
  const isKnown = isNotModified(request, reply, `"${hash('sha256', payload).slice(0, 32)}"`)
  if (isKnown) reply.code(304)
  return isKnown ? null : payload
}

/** What a read is declared with: one that everybody may make needs no credential. */
export const openTo = (
  isOpen: boolean,
  config: NonNullable<RouteShorthandOptions['config']>
): Pick<RouteShorthandOptions, 'config' | 'onSend'> => {
  if (!isOpen) return { config }
  const allow = [...(config.allow ?? defaultAllow), 'anyone' as const]
  return { config: { ...config, allow, addressLimit: publicLimit }, onSend: sendPublic }
}
