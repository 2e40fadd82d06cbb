import { readdirSync } from 'node:fs'
import { parse } from 'node:querystring'
import formbody from '@fastify/formbody'
import view from '@fastify/view'
import { Eta } from 'eta'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import sessionPlugin from '../../identity/sign-in/index.ts'
import { resource } from '../../runtime/resources.ts'
import { ServedFile, serveFiles } from '../files.ts'
import { marked } from './marked.ts'
import type { PageOptions } from './options.ts'

/** Browsers send a line end in a form as two characters, whatever was typed (HTML §4.10.21.8); it is one, as in JSON. */
const parser = (text: string) => parse(text.replaceAll(/%0D(%0A)?/gi, '%0A'))

/**
 * What pages for people share: sign-in, forms, templates and assets. A template stands beside the code that
 * renders it, and is named by its path in the project, such as `routes/todo/board`.
 */
export default fp<PageOptions>(
  async (app, options) => {
    const root = resource('')
    await app.register(formbody, { parser })
    await app.register(sessionPlugin, options)
    // Templates call it by its name, also those that are included.
    const functionHeader = 'const { marked } = this'
    const eta = new Eta({ views: root, cache: options.SVC_ENV !== 'development', functionHeader })
    await app.register(view, {
      engine: { eta: Object.assign(eta, { marked }) },
      root,
      layout: 'plugins/http/errors/layout.eta',
      viewExt: 'eta',
      defaultContext: { csrfField: options.SVC_CSRF_FIELD, links: app.frame.links }
    })
    // These files are small. Browsers ask again with every page, and get 304 if nothing has changed.
    const folder = resource('plugins/patterns/pages/assets')
    const paths = [
      ...readdirSync(folder).map((name) => [name, `${folder}/${name}`] as const),
      ['idiomorph.js', resource('node_modules/idiomorph/dist/idiomorph.min.js')] as const
    ]
    const assets = paths.map(([name, path]): [string, ServedFile] => [
      `/assets/${name}`,
      ServedFile.read(path)
    ])
    const icon = ServedFile.read(`${folder}/icon.svg`)
    // Browsers ask for it by themselves, also beside a page that names another.
    serveFiles(app, new Map([...assets, ['/favicon.ico', icon]]))
    // Password managers lead their users there.
    app.get('/.well-known/change-password', { config: { allow: ['anyone'] } }, (_request, reply) =>
      reply.redirect('/account/profile', 303)
    )
    app.frame.visitor = ({ identity }) => identity?.user
    app.frame.signIn = signInFrom(options)
    app.addHook('onReady', async () => {
      if (!app.formFields.has(options.SVC_CSRF_FIELD)) return
      throw new Error('SVC_CSRF_FIELD must be a name that no field of a form has')
    })
  },
  { name: 'pages', fastify: '5.x', dependencies: ['errors', 'headers', 'validation', 'auth'] }
)

const login = '/login/index'

/** Pages that can be asked for again after the sign-in: ours, and none that leads on by itself. */
const isOwnPage = /^\/(?!login|logout|oauth|signup)[a-z][a-z0-9]*\/[a-z][a-z0-9]*$/

/** The path of a page of ours to go on with; undefined if it is not one. */
export function ownPage(path: unknown) {
  const url = typeof path === 'string' ? URL.parse(path, 'http://own.invalid') : null
  if (url?.origin !== 'http://own.invalid' || !isOwnPage.test(url.pathname)) return undefined
  return url.pathname + url.search
}

/** Shows what somebody has sent whose session had ended. */
export const unsentUrl = '/login/unsent'

/** Where a browser that wanted a page signs in: at our own login, which then leads to that page. */
const signInFrom =
  ({ SVC_LOGOUT_URI }: Pick<PageOptions, 'SVC_LOGOUT_URI'>) =>
  ({ method, headers, originalUrl }: FastifyRequest) => {
    if (SVC_LOGOUT_URI !== login || headers['sec-fetch-mode'] !== 'navigate') return undefined
    const next = ownPage(originalUrl)
    const query = next && `?${new URLSearchParams({ next })}`
    // A form with a file is not kept: it may be large.
    const isPlain = headers['content-type'] === 'application/x-www-form-urlencoded'
    if (method === 'POST' && query && isPlain && headers['sec-fetch-site'] === 'same-origin') {
      return { to: unsentUrl + query, keepsForm: true }
    }
    return method === 'GET' && query ? { to: login + query } : undefined
  }
