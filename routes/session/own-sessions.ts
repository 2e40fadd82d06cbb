import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { endOtherSessions, endSession, listSessions } from '../../plugins/identity/own-sessions.ts'
import { newestFirst, ok, success } from '../../schemas/common.ts'
import { Session, SessionKey } from '../../schemas/session.ts'

const expiredCookie = {
  type: 'string',
  'x-sometimes': true,
  description: 'Empty and expired, if the session of this request was ended.',
  example: 'PHPSESSID=; Path=/; HttpOnly; SameSite=Lax'
}

/** Where the user is signed in. Needs a session. Registered in the scope of @fastify/session, which ends sessions. */
const ownSessions: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/session/index',
    {
      config: { allow: ['session'] },
      schema: {
        operationId: 'listSessions',
        summary: 'List your sessions',
        description: 'Where you are signed in, newest first.',
        response: {
          200: success({ sessions: newestFirst(Session) })
        }
      }
    },
    async (request) => ok({ sessions: await listSessions(request) })
  )

  app.delete(
    '/session/item/id_:id',
    {
      config: { allow: ['session'], fails: ['SESSION-NOT-FOUND', 'VALIDATION-FAILED'] },
      schema: {
        operationId: 'endSession',
        summary: 'End one of your sessions',
        description: 'It ends at once. Ending the session of this request signs you out.',
        params: SessionKey,
        response: {
          200: success(
            {
              id: Type.Integer({ description: 'Key of the session that was ended.', examples: [1] })
            },
            { headers: { 'Set-Cookie': expiredCookie } }
          )
        }
      }
    },
    async (request, reply) => {
      const { id } = request.params
      await endSession(request, reply, id)
      return ok({ id })
    }
  )

  app.post(
    '/session/endothers',
    {
      config: { allow: ['session'] },
      schema: {
        operationId: 'endOtherSessions',
        summary: 'End all your other sessions',
        description:
          'The session of this request stays valid, as do JWTs and access tokens. No body is required.',
        response: {
          200: success({
            ended: Type.Integer({ description: 'How many were ended.', examples: [2] })
          })
        }
      }
    },
    async (request) => ok({ ended: await endOtherSessions(request) })
  )
}

export default ownSessions
