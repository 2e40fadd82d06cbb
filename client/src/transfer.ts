import { randomHex } from './random.ts'

/** How much of a file has been sent. */
export interface Progress {
  sent: number
  total: number
}

/**
 * The form of an upload as a `Blob`, which refers to the file and copies nothing. Not a `FormData`: if it
 * is aborted while something else reads its body, Node.js ends the process.
 */
export function formOf(file: Blob, name: string): Blob {
  const boundary = `form-${randomHex()}`
  // As browsers write it (HTML, multipart/form-data encoding algorithm).
  const filename = name.replaceAll('"', '%22').replaceAll(/\r?\n|\r/g, '%0D%0A')
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${file.type || 'application/octet-stream'}\r\n\r\n`
  const type = `multipart/form-data; boundary=${boundary}`
  return new Blob([head, file, `\r\n--${boundary}--\r\n`], { type })
}

/** The part of a browser's XMLHttpRequest that is used. */
interface Xhr {
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null }
  readonly status: number
  readonly response: ArrayBuffer
  responseType: string
  withCredentials: boolean
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: Blob): void
  abort(): void
}

/** Sends a request and reports how many bytes of its body were sent. */
export type Send = (
  request: Request,
  onSent: (bytes: number) => void,
  signal?: AbortSignal
) => Promise<Response>

/** For browsers: their `fetch` does not report progress, but XMLHttpRequest does. */
const sendByXhr =
  (Xhr: new () => Xhr): Send =>
  async (request, onSent) => {
    const body = await request.blob()
    const xhr = new Xhr()
    const abort = () => xhr.abort()
    request.signal.throwIfAborted()
    request.signal.addEventListener('abort', abort)
    try {
      await new Promise<void>((resolve, reject) => {
        xhr.open(request.method, request.url)
        xhr.responseType = 'arraybuffer'
        xhr.withCredentials = request.credentials === 'include'
        request.headers.forEach((value, name) => {
          xhr.setRequestHeader(name, value)
        })
        xhr.upload.onprogress = ({ loaded }) => onSent(loaded)
        xhr.onload = () => resolve()
        xhr.onerror = () => reject(new TypeError('the request could not be sent'))
        xhr.onabort = () => reject(request.signal.reason)
        xhr.send(body)
      })
    } finally {
      request.signal.removeEventListener('abort', abort)
    }
    const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/)
    const headers = lines.map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ')
      return [name, value.join(': ')]
    })
    return new Response(xhr.response, { status: xhr.status, headers })
  }

/** Without XMLHttpRequest: counts the bytes of the body that `fetch` has read. */
const sendByStream =
  (fetch: (request: Request) => Promise<Response>): Send =>
  async (request, onSent, signal) => {
    request.signal.throwIfAborted()
    let sent = 0
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.byteLength
        onSent(sent)
        controller.enqueue(chunk)
      }
    })
    // Ends the body also if Node.js has forgotten the signal of the request.
    const body = request.body?.pipeThrough(counter, signal && { signal }) ?? null
    const init = { body, duplex: 'half' as const }
    return fetch(new Request(request, init))
  }

/** Sends with progress, in the way of this platform. */
export function sender(fetch: (request: Request) => Promise<Response>): Send {
  const { XMLHttpRequest: Xhr } = globalThis as { XMLHttpRequest?: new () => Xhr }
  return Xhr ? sendByXhr(Xhr) : sendByStream(fetch)
}

/** The name in `Content-Disposition`: `filename*` (RFC 8187) if there is one, else `filename`. */
export function fileName({ headers }: Response): string | undefined {
  const disposition = headers.get('content-disposition') ?? ''
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  if (encoded !== undefined) return decodeURIComponent(encoded)
  const [, quoted, bare] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
}
