import type { FastifyRequest } from 'fastify'
import { ownOf } from '../../../db/repositories/index.ts'
import type { Area } from '../../../schemas/area/index.ts'
import { codesOf, type ErrorCode } from '../../../schemas/errors.ts'
import { fail } from '../../http/errors/index.ts'
import { IfMatch, versionToReplace } from '../conditional.ts'

/** What is different where each change makes a version of its row, and a write names the one that it replaces. */
export function versionsOf(area: Area) {
  if (!area.versions) return { headers: {}, fails: [], said: [], replacedBy: async () => null }
  const { absent: notFound } = codesOf(area.kind)
  return {
    headers: { headers: IfMatch },
    fails: ['PRECONDITION-REQUIRED', 'PRECONDITION-FAILED'] satisfies ErrorCode[],
    said: ['A write names the version that it replaces.'],
    /** The version of a row that a request may replace; null for any. */
    async replacedBy(request: FastifyRequest, id: number) {
      const key = { id, user_id: request.viewer.user.id }
      const { version = 1 } = (await ownOf(request.repos, area).find(key)) ?? fail(notFound)
      return versionToReplace(request, { version })
    }
  }
}
