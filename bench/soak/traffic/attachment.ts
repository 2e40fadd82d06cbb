import { hash } from 'node:crypto'
import { listAll } from '../caller.ts'
import type { Client, Traffic } from '../client.ts'
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

export function attachmentTraffic(client: Client): Traffic {
  const { caller, random, report, name } = client
  const rows = new Rows<Value>(`file ${name}`, report)

  /** A picture, or text: no two alike. */
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
    const reply = await caller.send<{ attachment: Attachment }>('createAttachment', request)
    const id = reply.kind === 'done' ? reply.data.attachment.id : 0
    row.made(value, reply, id, report)
  }

  async function uploadMarkup() {
    const body = bodyOf(`${rows.newName()} refused.html`, Buffer.from('<html>'))
    const request = { headers: form, body, fails: ['UPLOAD-MIME-REJECTED'] }
    const reply = await caller.send('createAttachment', request)
    if (reply.kind === 'done') report.problem('an HTML file was kept')
  }

  /** Hangs up half-way; such a file must never be there, and its name is in no row. */
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
      ...[read, () => download(), () => download(), remove, list]
    ],
    async check() {
      await list()
      for (const row of rows.live) await download(row)
    }
  }
}
