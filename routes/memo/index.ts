import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addArea } from '../../plugins/patterns/area/routes.ts'
import type { Config } from '../../schemas/config.ts'
import { memo as area } from '../../schemas/memo.ts'

/** Memos of the signed-in user: conditional writes and a workflow (contract MEMO-1, MEMO-2). */
const memo: FastifyPluginAsyncTypebox<
  Pick<Config, 'SVC_BATCH_MAX' | 'SVC_USER_MEMOS_MAX'>
> = async (app, options) => {
  addArea(app, area, {
    max: options.SVC_USER_MEMOS_MAX,
    batchMax: options.SVC_BATCH_MAX,
    allow: ['session'],
    hasPage: true,
    hasRowTools: true,
    wanted: {
      createMemo: 'write a memo',
      changeMemo: 'change it',
      moveMemo: 'draft to published, then archived or draft'
    },
    words: { create: 'It is a draft at first.' }
  })
}

export default memo
