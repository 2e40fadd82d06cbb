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
