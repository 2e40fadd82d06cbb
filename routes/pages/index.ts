import { readdirSync } from 'node:fs'
import formbody from '@fastify/formbody'
import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyPluginAsync } from 'fastify'
import { ServedFile, serveFiles } from '../../lib/patterns/files.ts'
import { resource } from '../../lib/runtime/resources.ts'
import sessionPlugin from '../../plugins/identity/sign-in.ts'
import account from './account/index.ts'
import board from './board.ts'
import desk from './desk/index.ts'
import home from './home.ts'
import login from './login.ts'
import logout from './logout.ts'
import consent from './oauth/consent.ts'
import oauth from './oauth/index.ts'
import type { PageOptions } from './options.ts'
import passwordReset from './password-reset.ts'

/** The pages for people. Registers first what they share, then each page. */
const pages: FastifyPluginAsync<PageOptions> = async (app, options) => {
  const views = resource('views')
  await app.register(formbody)
  await app.register(sessionPlugin, options)
  await app.register(view, {
    engine: { eta: new Eta({ views, cache: options.SVC_ENV !== 'development' }) },
    root: views,
    layout: 'layout.eta',
    viewExt: 'eta',
    defaultContext: { csrfField: options.SVC_CSRF_FIELD }
  })
  // These files are small. Browsers ask again with every page, and get 304 if nothing has changed.
  const assets = readdirSync(`${views}/assets`).map((name): [string, ServedFile] => [
    `/assets/${name}`,
    ServedFile.read(`${views}/assets/${name}`)
  ])
  serveFiles(app, new Map(assets))

  for (const page of [home, login, board, account, desk, logout, passwordReset]) {
    await app.register(page, options)
  }
  if (app.oauth) {
    await app.register(consent, { ...options, oauth: app.oauth })
    await app.register(oauth, { oauth: app.oauth })
  }
  if (app.formFields.has(options.SVC_CSRF_FIELD)) {
    throw new Error('SVC_CSRF_FIELD must be a name that no field of a form has')
  }
}

export default pages
