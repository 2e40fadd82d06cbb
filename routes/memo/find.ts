import type { ReadRepositories } from '../../db/repositories/index.ts'
import { fail } from '../../plugins/http/errors.ts'

/** Finds a memo of a user. A memo of another user is not found. */
export const finder = (memos: ReadRepositories['memos']) => async (id: number, user_id: number) =>
  (await memos.find({ id, user_id })) ?? fail('MEMO-NOT-FOUND')
