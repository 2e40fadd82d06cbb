import {
  type Client,
  type ClientOptions,
  createClient,
  type ErrorCode,
  type Progress,
  type Schemas,
  ServiceError
} from 'gatehouse-client'

/** What a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('not refused')
}

/** What must not compile. */
export const mistakes = [
  // @ts-expect-error: no such code
  (error: ServiceError) => error.code === 'TODO-TITLE-MISSING',
  // @ts-expect-error: a body is what the document says
  (api: Client) => api.POST('/todo/index', { body: 'garbage' }),
  (api: Client) =>
    api.PATCH('/todo/item/id_{id}', {
      params: { path: { id: 1 } },
      // @ts-expect-error: the same if each member may be left out
      body: { title: 7 }
    }),
  // @ts-expect-error: no such path
  (api: Client) => api.GET('/todos'),
  // @ts-expect-error: not a list
  (api: Client) => api.pages('/session/current'),
  // @ts-expect-error: a parameter that is required
  (api: Client) => api.GET('/todo/item/id_{id}')
]

/** A day's work with the service; a line for each step. */
export async function work(options: ClientOptions): Promise<string[]> {
  const said: string[] = []
  const api = createClient(options)

  const login = await api.POST('/session/login', { body: { user_id: 'demo', user_pass: 'demo' } })
  said.push(`signed in as ${login.data.user.user_name}`)

  const items = ['one', 'two', 'three', 'four', 'five'].map((title) => ({ title }))
  const batch = await api.POST('/todo/batch', { body: { items: [...items, { title: ' ' }] } })
  const failed = batch.data.items.filter((item) => item.status === 'failure')
  const codes = failed.map((item) => (item.status === 'failure' ? item.errorCode : ''))
  said.push(`batch: ${batch.response.status}, ${batch.data.succeeded} made, not ${codes}`)

  const titles: string[] = []
  for await (const todo of api.pages('/todo/index', { query: { limit: 2 } })) {
    const { title }: Schemas['Todo'] = todo
    titles.push(title)
  }
  said.push(`todos: ${titles}`)

  const refused = await refusal(api.POST('/todo/index', { body: { title: '' } }))
  const code: ErrorCode | null = refused.code
  said.push(`refused: ${code}, ${refused.remedy}`)

  const text = `${'a line of text\n'.repeat(20_000)}`
  let last: Progress = { sent: 0, total: -1 }
  const attachment = await api.upload(new Blob([text]), {
    name: 'lines.txt',
    onProgress(progress) {
      last = progress
    }
  })
  const copy = await api.download(attachment.id)
  const isSame = (await copy.text()) === text
  said.push(`uploaded ${attachment.name}: ${last.sent} of ${last.total}, back again: ${isSame}`)

  const memo = await api.POST('/memo/index', { body: { body: 'first' } })
  const path = { id: memo.data.memo.id }
  const header = { 'if-match': memo.response.headers.get('etag') ?? '' }
  const replaced = await api.PUT('/memo/item/id_{id}', {
    params: { path, header },
    body: { body: 'second' }
  })
  said.push(`memo: ${header['if-match']} to ${replaced.response.headers.get('etag')}`)
  const late = api.PUT('/memo/item/id_{id}', { params: { path, header }, body: { body: 'third' } })
  said.push(`stale: ${(await refusal(late)).code}`)
  return said
}

/** The same caller with a new client, as on a page that was reloaded. */
export async function workAgain(options: ClientOptions): Promise<string[]> {
  const api = createClient(options)
  const before = api.csrfToken
  const current = await api.resume()
  const said = [`resumed ${before}: ${current?.user.user_name}, ${current?.via}`]
  const { data } = await api.POST('/todo/index', { body: { title: 'six' } })
  said.push(`made ${data.todo.title}`)
  await api.POST('/session/logout')
  said.push(`signed out: ${await api.resume()}`)
  return said
}
