import type { Names } from '../../../schemas/area/names.ts'

/** `routes/bookmark.ts` */
export const routes = ({
  one,
  Many
}: Names) => `import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addArea } from '../plugins/patterns/area.ts'
import { ${one} as area } from '../schemas/${one}.ts'

/** ${Many} of the signed-in user. Those of other users are not found. */
const ${one}: FastifyPluginAsyncTypebox = async (app) => {
  addArea(app, area, area)
}

export default ${one}
`
