import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import type { App } from '../../app.ts'
import { folderStore } from '../../routes/attachment/stores/folder.ts'
import { FileSweep } from '../../routes/attachment/sweep.ts'
import type { signIn } from './helper.ts'

export const boundary = 'X-BOUNDARY'

export interface Part {
  name?: string
  /** Absent: a text field. */
  filename?: string
  type?: string
  content?: string | Buffer
}

/** A part of a form as bytes. `filename` is written between the quotes unchanged. */
export function partBytes({ name = 'file', filename, type, content = '' }: Part): Buffer {
  const file = filename === undefined ? '' : `; filename="${filename}"`
  const contentType = type ? `\r\nContent-Type: ${type}` : ''
  return Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${contentType}\r\n\r\n`
    ),
    Buffer.from(content),
    Buffer.from('\r\n')
  ])
}

/** A whole multipart form. */
export const formBytes = (parts: Part[]) =>
  Buffer.concat([...parts.map(partBytes), Buffer.from(`--${boundary}--\r\n`)])

type Browser = Awaited<ReturnType<typeof signIn>>

/** Sends a body to the upload endpoint. */
export function post(
  app: App,
  { cookie, csrfToken }: Browser,
  payload: InjectOptions['payload'],
  headers: Record<string, string> = {}
) {
  return app.inject({
    method: 'POST',
    url: '/attachment/index',
    headers: {
      cookie,
      'x-csrf-token': csrfToken,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers
    },
    ...(payload !== undefined && { payload })
  })
}

export const upload = (
  app: App,
  browser: Browser,
  content: string | Buffer,
  filename = 'a.txt',
  headers: Record<string, string> = {}
) => post(app, browser, formBytes([{ filename, content }]), headers)

/** The first bytes of files, enough to recognise their types. */
export const samples = {
  png: Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from('00000001000000010806000000', 'hex'),
    Buffer.from(
      '1f15c4890000000a49444154789c6360000000020001e221bc330000000049454e44ae426082',
      'hex'
    )
  ]),
  jpeg: Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  gif: Buffer.from('47494638396101000100800000000000ffffff2c00000000010001000002024401003b', 'hex'),
  webp: Buffer.from('524946461a000000574542505650384c0d0000002f00000010071011118888fe0700', 'hex'),
  pdf: Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n', 'latin1'),
  zip: Buffer.from('504b0304140000000000000000000000000000000000000000000000', 'hex')
}

/** Makes every file in a folder, or in a folder in it, look as if nobody had written to it for so long. */
export function ageFiles(folder: string, minutes = 11) {
  const then = new Date(Date.now() - minutes * 60_000)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then)
  }
}

/** A sweep of the folder of uploads. */
export const sweepOf = (app: App, folder: string) =>
  new FileSweep(app, { store: folderStore(folder), temporary: join(folder, 'tmp') })

/** Sweeps uploads as a service does that starts long after the files were written. */
export async function sweepFiles(app: App, dataFolder: string) {
  const folder = join(dataFolder, 'uploads')
  ageFiles(folder)
  await sweepOf(app, folder).all()
}
