import multipart from '@fastify/multipart'
import type { FastifyPluginAsync } from 'fastify'
import { isPublicKind } from '../../../schemas/area/index.ts'
import { isPartAFile } from '../uploads/form.ts'
import { addAreaPage } from './area.ts'
import type { PageOptions } from './options.ts'
import { addReceived, type ReceiveOptions } from './received.ts'
import { addVisitorsPage } from './visitors.ts'

/** The pages of areas that draw none themselves. A scope of its own: no other page takes files. */
const areaPages: FastifyPluginAsync<PageOptions & ReceiveOptions> = async (app, options) => {
  await app.register(multipart, { throwFileSizeLimit: false, isPartAFile })
  addReceived(app)
  for (const kind of app.activity.withoutPage()) {
    addAreaPage(app, options, kind)
    if (isPublicKind(kind)) addVisitorsPage(app, kind)
  }
}

export default areaPages
