import { readdirSync } from 'node:fs'
import formbody from '@fastify/formbody'
import view from '@fastify/view'
import { Eta } from 'eta'
import fp from 'fastify-plugin'
import sessionPlugin from '../../identity/sign-in/index.ts'
import { resource } from '../../runtime/resources.ts'
import { ServedFile, serveFiles } from '../files.ts'
import type { PageOptions } from './options.ts'

/**
 * What pages for people share: sign-in, forms, templates and assets. A template stands beside the code that
 * renders it, and is named by its path in the project, such as `routes/todo/board`.
 */
export default fp<PageOptions>(
  async (app, options) => {
    const root = resource('')
    await app.register(formbody)
    await app.register(sessionPlugin, options)
    await app.register(view, {
      engine: { eta: new Eta({ views: root, cache: options.SVC_ENV !== 'development' }) },
      root,
      layout: 'plugins/http/errors/layout.eta',
      viewExt: 'eta',
      defaultContext: { csrfField: options.SVC_CSRF_FIELD }
    })
    // These files are small. Browsers ask again with every page, and get 304 if nothing has changed.
    const folder = resource('plugins/patterns/pages/assets')
    const assets = readdirSync(folder).map((name): [string, ServedFile] => [
      `/assets/${name}`,
      ServedFile.read(`${folder}/${name}`)
    ])
    serveFiles(app, new Map(assets))
    app.addHook('onReady', async () => {
      if (!app.formFields.has(options.SVC_CSRF_FIELD)) return
      throw new Error('SVC_CSRF_FIELD must be a name that no field of a form has')
    })
  },
  { name: 'pages', fastify: '5.x', dependencies: ['errors', 'headers', 'validation', 'auth'] }
)
