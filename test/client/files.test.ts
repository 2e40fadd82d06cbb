import t from 'tap'
import type { Progress } from '../../client/src/index.ts'
import { demo, refusal, startClient } from '../support/client.ts'

const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64'
)

const { client } = await startClient(t)

t.test('files are sent and received unchanged; a 304 has no content', async (t) => {
  const { api } = client()
  await api.POST('/session/login', { body: demo })
  const file = new File([image], 'dot.png')
  const { data } = await api.POST('/attachment/index', { body: { file } })
  t.match(data.attachment, { name: 'dot.png', mime: 'image/png', size: image.length })
  const path = { id: data.attachment.id }
  const link = await api.GET('/attachment/link/id_{id}', { params: { path } })
  const { searchParams } = new URL(link.data.url)
  const query = {
    expires: Number(searchParams.get('expires')),
    signature: searchParams.get('signature') ?? ''
  }
  const download = await api.GET('/attachment/download/id_{id}', { params: { path, query } })
  t.same(Buffer.from((await download.data?.arrayBuffer()) ?? new ArrayBuffer()), image)
  const again = await api.GET('/attachment/download/id_{id}', {
    params: {
      path,
      query,
      header: { 'if-none-match': download.response.headers.get('etag') ?? '' }
    }
  })
  t.same([again.response.status, again.data], [304, undefined])
})

t.test('`upload` reports its progress; `download` uses a signed link', async (t) => {
  const { api } = client()
  await api.POST('/session/login', { body: demo })
  const text = new Blob(['a line of text\n'.repeat(50_000)])
  const seen: Progress[] = []
  const onProgress = (progress: Progress) => seen.push(progress)
  const made = await api.upload(text, { name: 'lines.txt', onProgress })
  t.match(made, { name: 'lines.txt', mime: 'text/plain', size: text.size })
  const sent = seen.map((progress) => progress.sent)
  t.ok(sent.length > 1)
  t.same(
    sent,
    sent.toSorted((a, b) => a - b),
    'it never falls'
  )
  t.same(seen.at(-1), { sent: text.size, total: text.size })
  const again = await api.download(made.id)
  t.same(
    [again.name, again.type, await again.text()],
    ['lines.txt', 'text/plain;charset=utf-8', await text.text()]
  )
  const named = await api.upload(new File([image], 'größe "1".png'))
  t.equal((await api.download(named.id)).name, 'größe "1".png')

  const plain = await api.upload(new File([image], 'dot.png'))
  t.match(plain, { name: 'dot.png', mime: 'image/png' })
  const markup = api.upload(new Blob(['<svg/>']), { name: 'x.svg', onProgress })
  t.equal((await refusal(markup)).code, 'UPLOAD-MIME-REJECTED')
  t.equal((await refusal(api.download(99))).code, 'ATTACHMENT-NOT-FOUND')
  const signal = AbortSignal.abort(new Error('enough'))
  await t.rejects(api.upload(text, { onProgress, signal }), { message: 'enough' })
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('stopped'))
  const stopped = api.upload(text, { onProgress: stop, signal: controller.signal })
  await t.rejects(stopped, { message: 'stopped' })
})
