import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { AnyReads } from '../../db/own/index.ts'
import { isShared } from '../../schemas/area/access.ts'
import type { Area } from '../../schemas/area/index.ts'
import { fail } from '../http/errors/index.ts'
import { endedAmong } from '../identity/ended.ts'
import type { Identity } from '../identity/identity.ts'
import { pagesFor, written } from './area/export.ts'
import { type Row, writerOf } from './area/formats.ts'

/** A file in an export. */
export interface ExportedFile {
  /** Its path there. */
  name: string
  /** When it was made, if that is known. */
  at?: string
  content: AsyncIterable<string | Uint8Array>
}

/** What an area gives to the export of a user. */
export interface ExportPart {
  /** The file or folder that it is in, and what that is, in a sentence. */
  name: string
  about: string
  files(request: FastifyRequest): AsyncIterable<ExportedFile>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** All that is a user's, in one zip. */
    dataExport: {
      add(part: ExportPart): void
      /** The zip of the caller, made while it is read. RATE-LIMIT-EXCEEDED if the user reads others already. */
      open(request: FastifyRequest): Promise<Readable>
    }
  }
}

/** How many exports of a user run in a process. */
const maxOfUser = 2
/** How often an export looks whether its caller is still signed in, in milliseconds. */
const lookMs = 250

const ignore = () => undefined

/** One file, with JSON. `pages`: its rows. */
export const rowsPart = (
  name: string,
  about: string,
  pages: (request: FastifyRequest) => AsyncIterable<readonly Row[]>
): ExportPart => ({
  name,
  about,
  async *files(request) {
    yield { name, content: jsonOf(pages(request)) }
  }
})

/** Rows as the JSON of one list. */
export const jsonOf = (pages: AsyncIterable<readonly Row[]>) => written(writerOf('json', []), pages)

/** The rows of a list, page by page, with no more than one page in memory. */
export async function* pagesOf<One>(
  list: (page: { cursor?: number }) => Promise<{ rows: One[]; next_cursor: number | null }>
) {
  for (let cursor: number | null | undefined; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof list>> = await list(
      cursor === undefined ? {} : { cursor }
    )
    yield page.rows
    cursor = page.next_cursor
  }
}

/** The user's rows of an area, without those that others share. */
async function* ownRows(own: AnyReads, area: Area, user: Identity['user']) {
  const isOwn = (row: object) => Object(row).owner === user.user_id
  for await (const rows of pagesFor(own, area, user.id)) {
    yield isShared(area.access) ? rows.filter(isOwn) : rows
  }
}

/** The rows of an area. */
export const areaPart = (own: AnyReads, area: Area): ExportPart =>
  rowsPart(`${area.many}.json`, `Your ${area.many}.`, ({ viewer }) =>
    ownRows(own, area, viewer.user)
  )

const readme = (
  parts: readonly ExportPart[],
  baseUrl: string,
  at: string
) => `Your data at ${baseUrl}
Exported ${at}

All times are UTC. The files whose names end in .json are JSON (RFC 8259) in UTF-8.
It took a while to write this: what was changed meanwhile may be missing, or only partly here.

${parts.map(({ name, about }) => `${name}\n    ${about}\n`).join('\n')}`

/** Exports of all that is a user's (contract ACCOUNT-3). */
export default fp(
  async (app) => {
    const parts: ExportPart[] = []
    const running = new Map<number, number>()

    async function checkCaller(request: FastifyRequest) {
      if ((await endedAmong(app, [request])).length > 0) fail('SESSION-CLOSED')
    }

    /** The same bytes, as long as the caller is signed in: an export must not look whole after that. */
    async function* watched(request: FastifyRequest, content: ExportedFile['content']) {
      let looked = performance.now()
      for await (const chunk of content) {
        if (performance.now() - looked > lookMs) {
          await checkCaller(request)
          looked = performance.now()
        }
        // SQLite answers at once, and a fast reader takes at once: without this, nobody else would have a turn.
        await setImmediate()
        // An empty chunk would end the file for the library.
        if (chunk.length > 0) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      }
      await checkCaller(request)
    }

    async function* filesOf(request: FastifyRequest): AsyncGenerator<ExportedFile> {
      const text = readme(parts, app.baseUrl, app.timestamp())
      yield { name: 'README.txt', content: Readable.from([text]) }
      for (const part of parts) yield* part.files(request)
    }

    app.decorate('dataExport', {
      add: (part) => void parts.push(part),
      async open(request) {
        const { makeZip } = await import('client-zip')
        const { id } = request.viewer.user
        const count = running.get(id) ?? 0
        if (count >= maxOfUser) fail('RATE-LIMIT-EXCEEDED', { headers: { 'retry-after': '60' } })
        running.set(id, count + 1)
        const files = filesOf(request)
        let content: AsyncGenerator<Uint8Array> | undefined
        const entries = {
          async next() {
            const { done, value } = await files.next()
            if (done) return { done: true as const, value: undefined }
            content = watched(request, value.content)
            const lastModified = value.at ? new Date(value.at) : new Date(app.now())
            return { value: { name: value.name, lastModified, input: content } }
          }
        }
        const zip = makeZip({ [Symbol.asyncIterator]: () => entries })
        const stream = Readable.fromWeb(zip)
        // The library does not end what it reads if its reader goes away.
        stream.once('close', () => {
          content?.return(undefined).catch(ignore)
          files.return(undefined).catch(ignore)
          const others = (running.get(id) ?? 1) - 1
          if (others > 0) running.set(id, others)
          else running.delete(id)
        })
        return stream
      }
    })
  },
  {
    name: 'data-export',
    fastify: '5.x',
    dependencies: ['errors', 'base-url', 'clock', 'database', 'auth']
  }
)
