import { type Context, callOf, forEachRead } from '../context.ts'
import { type Answer, headerOf } from '../exchange.ts'

const json = { accept: 'application/json' }

async function checkUnknownPaths({ send, judge, seed }: Context) {
  const paths = [`/verify${seed}/index`, `/verify${seed}`, `/verify${seed}/item/id_1?limit=1`]
  for (const path of paths) {
    for (const [accept, type] of [
      [json.accept, 'application/json; charset=utf-8'],
      ['text/html', 'text/html; charset=utf-8']
    ] as const) {
      const answer = await send({ method: 'GET', path, headers: { accept } })
      const found = `${answer.status} ${headerOf(answer, 'content-type')}`
      judge('not found', answer, found !== `404 ${type}` && `${found} for ${accept}`)
    }
  }
}

/** Other methods of the paths that know 405: safe ones, and if things may be changed, all. */
async function checkMethods({ described, send, judge, isWrite }: Context) {
  const paths = Map.groupBy(described.operations, ({ path }) => path)
  for (const operations of paths.values()) {
    const [operation] = operations
    if (!operation || !operations.every(({ statuses }) => statuses.has(405))) continue
    const known: string[] = operations.map(({ method }) => method)
    const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : [])].sort().join(', ')
    const tried = ['OPTIONS', 'GET', ...(isWrite ? ['POST', 'PUT', 'PATCH', 'DELETE'] : [])]
    for (const method of tried.filter((method) => !known.includes(method))) {
      const { path } = callOf(operation, {})
      const answer = await send({ method, path, headers: json })
      const found = `${answer.status}, Allow: ${headerOf(answer, 'allow')}`
      judge(
        'methods',
        answer,
        found !== `405, Allow: ${allow}` && `${found}, not 405, Allow: ${allow}`
      )
    }
  }
}

const seen = (answer: Answer) =>
  [`${answer.status}`, ...['content-type', 'etag'].map((name) => headerOf(answer, name))].join(' ')

/** HEAD, and any `Accept`, for every operation that can be read. */
async function checkForms(context: Context) {
  const { send, judge } = context
  const types = [
    'application/xml',
    'text/html',
    'image/*',
    'application/json;q=0',
    '*/*',
    'nonsense'
  ]
  await forEachRead(context, async (call, index) => {
    const get = await send(call)
    const head = await send({ ...call, method: 'HEAD' })
    judge('head', head, seen(head) !== seen(get) && `${seen(head)}, GET: ${seen(get)}`)
    const accept = types[index % types.length] ?? ''
    const other = await send({ ...call, headers: { ...call.headers, accept } })
    judge(
      'media types',
      other,
      seen(other) !== seen(get) && `${seen(other)}, without: ${seen(get)}`
    )
  })
}

/** 404, 405, HEAD and `Accept`. */
export async function checkProtocol(context: Context) {
  await checkUnknownPaths(context)
  await checkMethods(context)
  await checkForms(context)
}
