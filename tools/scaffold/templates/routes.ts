import type { Names } from '../../../schemas/area/names.ts'

/** `routes/bookmark.ts` */
export const routes = ({
  one,
  Many
}: Names) => `import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addArea } from '../plugins/patterns/area/routes.ts'
import type { Config } from '../schemas/config.ts'
import { ${one} as area } from '../schemas/${one}.ts'

/** ${Many} of the signed-in user. Those of other users are not found. */
const ${one}: FastifyPluginAsyncTypebox<Pick<Config, 'SVC_BATCH_MAX'>> = async (app, options) => {
  addArea(app, area, { ...area, batchMax: options.SVC_BATCH_MAX })
}

export default ${one}
`
