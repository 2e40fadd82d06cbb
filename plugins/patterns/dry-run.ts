import type { FastifyRequest } from 'fastify'
import type { Repositories } from '../../db/repositories/index.ts'

/** Does work in a transaction that is then rolled back, to see what would happen. Call it outside any other. */
export async function rolledBack<T>(
  { server }: FastifyRequest,
  work: (repos: Repositories) => Promise<T>
): Promise<T> {
  const end = new Error('a dry run ends here')
  const { promise, resolve } = Promise.withResolvers<T>()
  await server.db
    .transaction(async (repos) => {
      resolve(await work(repos))
      throw end
    })
    .catch((error) => {
      if (error !== end) throw error
    })
  return promise
}

/** Does what a request asks for; in a dry run only to see whether it can be done. */
export const doneUnlessDry = <T>(
  request: FastifyRequest<{ Querystring: { dry_run?: boolean } }>,
  work: (repos: Repositories) => Promise<T>
): Promise<T> => (request.query.dry_run ? rolledBack(request, work) : work(request.repos))
