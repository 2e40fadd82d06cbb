import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify from 'fastify'
import { ServedFile } from '../../patterns/files.ts'
import { resource } from '../../runtime/resources.ts'

const prefix = '/api-docs'

/** The Content-Security-Policy of the viewer. The hash allows one `style` attribute, of a hidden drawing. */
export const viewerPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-hashes' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'"
].join('; ')

/** Our own icon, among the assets of the pages. */
const icon = 'icon.svg'
const style = 'viewer.css'

// For the function below, which runs in the browser.
declare const location: { origin: string }

/**
 * Runs in the browser. Sends requests to the origin that the viewer was loaded from: the document may
 * name another address of the service, which the policy would refuse.
 */
function useOwnOrigin<T extends object>(request: T): T {
  const { pathname, search } = new URL('url' in request ? String(request.url) : '', location.origin)
  return Object.assign(request, { url: location.origin + pathname + search })
}

let made: Promise<ReadonlyMap<string, ServedFile>> | undefined

/** The files of the API viewer by their URLs. Made once for a process, as they never change. */
export function viewerFiles() {
  made ??= makeViewer()
  return made
}

/**
 * @fastify/swagger-ui would open a file for each request. So two files that it generates are requested
 * from it once, here; the others are read from its package.
 */
async function makeViewer() {
  const maker = Fastify()
  await maker.register(swagger)
  await maker.register(swaggerUi, {
    routePrefix: prefix,
    theme: {
      title: 'Gatehouse API',
      favicon: [{ filename: icon, rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: '' }],
      css: [{ filename: style, content: '' }]
    },
    uiConfig: {
      // The layout without the bar that has the library's logo.
      layout: 'BaseLayout',
      withCredentials: true,
      validatorUrl: null,
      requestInterceptor: useOwnOrigin
    }
  })
  const files = new Map<string, ServedFile>()
  const folder = resource('node_modules/@fastify/swagger-ui/static')
  for (const name of readdirSync(folder)) {
    if (name === 'index.html' || name === 'csp.json') continue
    files.set(`${prefix}/static/${name}`, ServedFile.read(join(folder, name)))
  }
  for (const name of [icon, style]) {
    files.set(
      `${prefix}/static/theme/${name}`,
      ServedFile.read(resource(`plugins/patterns/pages/assets/${name}`))
    )
  }
  for (const url of [prefix, `${prefix}/static/swagger-initializer.js`]) {
    const { body, headers, statusCode } = await maker.inject(url)
    if (statusCode !== 200) throw new Error(`@fastify/swagger-ui answers ${statusCode} for ${url}`)
    files.set(url, new ServedFile(String(headers['content-type']), () => body))
  }
  await maker.close()
  return files
}
