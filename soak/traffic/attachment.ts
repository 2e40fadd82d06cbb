import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listAll } from '../caller.ts'
import type { AreaTraffic, Client, Traffic, World } from '../client.ts'
import { type Place, readDatabase } from '../database.ts'
import { Once } from '../once.ts'
import type { Report } from '../report.ts'
import { type Row, Rows } from '../row.ts'

interface Value {
  mime: string
  size: number
  sha256: string
}
type Attachment = Value & { id: number; name: string }

const most = 15
const maxBytes = 200_000
const boundary = 'soak-c0ffee'
const form = { 'content-type': `multipart/form-data; boundary=${boundary}` }
const toValue = ({ mime, size, sha256 }: Attachment): Value => ({ mime, size, sha256 })
const nameOf = ({ name }: Attachment) => name.replace(/\.\w+$/, '')

const bodyOf = (name: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
    ),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`)
  ])

function attachmentTraffic(client: Client): Traffic {
  const { caller, random, report, name } = client
  const rows = new Rows<Value>(`file ${name}`, report)
  const once = new Once<{ attachment: Attachment }>(caller, random, report, {
    body: bodyOf('other.txt', Buffer.from('other')),
    fails: ['VALIDATION-FAILED']
  })

  /** A picture, or a text. No two are equal. */
  function newFile() {
    const size = random.between(64, maxBytes)
    const isPicture = random.chance(0.5)
    const content = isPicture
      ? Buffer.concat([Buffer.from('GIF89a\0'), Buffer.alloc(size, random.bytes(64))])
      : Buffer.alloc(size, random.bytes(32).toString('hex'))
    const mime = isPicture ? 'image/gif' : 'text/plain'
    return { content, value: { mime, size: content.length, sha256: hash('sha256', content) } }
  }

  async function upload() {
    const row = rows.add()
    const { content, value } = newFile()
    const body = bodyOf(`${row.name}.txt`, content)
    const request = { headers: form, body }
    const keep: Parameters<typeof once.send>[2] = (reply) => {
      const id = reply.kind === 'done' ? reply.data.attachment.id : 0
      row.made(value, reply, id, report)
    }
    if (random.chance(0.5)) await once.send('createAttachment', request, keep)
    else keep(await caller.send('createAttachment', request))
  }

  async function uploadMarkup() {
    const body = bodyOf(`${rows.newName()} refused.html`, Buffer.from('<html>'))
    const request = { headers: form, body, fails: ['UPLOAD-MIME-REJECTED'] }
    const reply = await caller.send('createAttachment', request)
    if (reply.kind === 'done') report.problem('an HTML file was kept')
  }

  /** Closes the connection in the middle of an upload: the file must never exist, and no row has its name. */
  async function uploadInPart() {
    const body = bodyOf(`${rows.newName()} in part.txt`, newFile().content)
    const abortAfter = body.length >> 1
    await caller.send('createAttachment', { headers: form, body, abortAfter })
  }

  async function read() {
    const row = random.pick(rows.live)
    if (!row) return
    const request = { params: { id: row.id }, fails: ['ATTACHMENT-NOT-FOUND'] }
    const reply = await caller.send<{ attachment: Attachment }>('getAttachment', request)
    if (reply.kind === 'done') row.saw(toValue(reply.data.attachment), report)
    if (reply.kind === 'refused') row.saw(null, report)
  }

  async function link(row: Row<Value>) {
    const reply = await caller.send<{ url: string }>('getAttachmentLink', {
      params: { id: row.id }
    })
    if (reply.kind !== 'done') return
    return { id: row.id, ...Object.fromEntries(new URL(reply.data.url).searchParams) }
  }

  async function download(row = random.pick(rows.live)) {
    const params = row && (await link(row))
    if (!params) return
    const reply = await caller.send('downloadAttachment', { params, isAnonymous: true })
    if (reply.kind !== 'done' || !row.value) return
    if (hash('sha256', reply.bytes) !== row.value.sha256) {
      report.problem(`${row.name}: its content is not what was uploaded`)
    }
  }

  async function remove() {
    const row = random.pick(rows.live)
    const params = row && (await link(row))
    if (!params) return
    const reply = await caller.send('deleteAttachment', { params: { id: row.id } })
    row.wrote(null, reply)
    if (reply.kind !== 'done') return
    const request = { params, isAnonymous: true, fails: ['ATTACHMENT-NOT-FOUND'] }
    const after = await caller.send('downloadAttachment', request)
    if (after.kind === 'done') report.problem(`${row.name}: can be downloaded after its end`)
  }

  async function list() {
    const found = await listAll<Attachment>(caller, 'listAttachments', 'attachments')
    if (!found) return
    for (const it of found) client.checkOwner('file', it.name)
    rows.compare(found.map((it) => ({ name: nameOf(it), id: it.id, value: toValue(it) })))
  }

  const grow = () => (rows.live.length < most ? upload() : remove())

  return {
    actions: [
      ...[grow, grow, grow, uploadMarkup, uploadInPart],
      ...[read, () => download(), () => download(), remove, list, () => once.replay()]
    ],
    async check() {
      await once.finish()
      await list()
      for (const row of rows.live) await download(row)
    }
  }
}

/** Checks that each row has its file, each file its row, and that there are no other files. */
async function checkFiles(place: Place, report: Report) {
  const uploads = join(place.folder, 'uploads')
  for (const file of await readdir(join(uploads, 'tmp'))) {
    report.problem(`a temporary file was left: ${file}`)
  }
  const rows = await readDatabase(place, 'SELECT name, file, sha256 FROM attachments')
  const names = new Set(rows.map((row) => String(row.file)))
  for (const entry of await readdir(uploads, { withFileTypes: true })) {
    if (entry.isFile() && !names.has(entry.name)) report.problem(`no row has file ${entry.name}`)
  }
  for (const { name, file, sha256 } of rows) {
    const content = await readFile(join(uploads, String(file))).catch(() => null)
    if (!content) report.problem(`${name}: its file is gone`)
    else if (hash('sha256', content) !== sha256) report.problem(`${name}: its file has changed`)
  }
}

export default function attachment({ report }: World): AreaTraffic {
  return {
    callers: ['user'],
    traffic: attachmentTraffic,
    checkFiles: (place) => checkFiles(place, report)
  }
}
