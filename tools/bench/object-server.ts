import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { loadPart, noParts } from '../../.ci/parts/load.ts'
import type { S3rver } from './s3rver.ts'

const bucket = 'files'
/** The package knows no others. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** What the package lacks: unfinished uploads are listed, and ended; the signature of a list is of `/files/`. */
function complete(server: S3rver, directory: string) {
  const uploads = join(directory, bucket, '._S3rver_uploads')
  server.middleware.unshift(async (context, next) => {
    const { method, path, query } = context
    if (method === 'GET' && path === `/${bucket}/` && 'uploads' in query) {
      const rows: string[] = []
      for (const id of await readdir(uploads).catch(() => [])) {
        const key = await readFile(join(uploads, id, 'key'), 'utf8')
        const { mtime } = await stat(join(uploads, id, 'key'))
        if (key.startsWith(query.prefix ?? '')) {
          rows.push(
            `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`
          )
        }
      }
      context.type = 'application/xml'
      context.body = `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${rows.join('')}</ListMultipartUploadsResult>`
    } else if (method === 'DELETE' && query.uploadId && /^\w+$/.test(query.uploadId)) {
      await rm(join(uploads, query.uploadId), { recursive: true })
      context.status = 204
    } else {
      if (path === `/${bucket}/`) {
        context.app = Object.create(context.app, { allowMismatchedSignatures: { value: true } })
      }
      await next()
    }
  })
}

/** Starts an object store of npm in this process, which keeps its objects in a folder. */
export async function startObjectServer(directory: string) {
  if (noParts) throw new Error(noParts)
  const { default: Server } = await loadPart<{ default: typeof S3rver }>('@20minutes/s3rver')
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: bucket }]
  })
  complete(server, directory)
  const { port } = await server.run()
  const endpoint = new URL(`http://127.0.0.1:${port}`)
  return {
    endpoint,
    bucket,
    credentials,
    /** The environment of a service that keeps its files here. */
    env: {
      SVC_FILES_URL: `s3://${bucket}/gatehouse?endpoint=${endpoint.origin}`,
      SVC_FILES_KEY: credentials.accessKeyId,
      SVC_FILES_SECRET: credentials.secretAccessKey
    },
    close() {
      server.httpServer.closeAllConnections()
      server.httpServer.close()
    }
  }
}
