import { ServedFile } from '../../patterns/files.ts'
import { resource } from '../../runtime/resources.ts'

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

const prefix = '/api-docs'
const own = 'plugins/reporting/openapi'
/** Of @fastify/swagger-ui only these two files are used: its own page has parts that we leave out. */
const library = 'node_modules/@fastify/swagger-ui/static'

/** The files of the API viewer by their URLs. */
export const viewerFiles = () =>
  new Map(
    Object.entries({
      [prefix]: `${own}/viewer.html`,
      [`${prefix}/static/viewer.css`]: `${own}/viewer.css`,
      [`${prefix}/static/viewer.js`]: `${own}/viewer.js`,
      [`${prefix}/static/swagger-ui.css`]: `${library}/swagger-ui.css`,
      [`${prefix}/static/swagger-ui-bundle.js`]: `${library}/swagger-ui-bundle.js`
    }).map(([url, path]) => [url, ServedFile.read(resource(path))])
  )
