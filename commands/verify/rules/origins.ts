import { connect } from 'node:tls'
import { request } from 'undici'
import { unbracketed } from '../../../schemas/host.ts'
import { type Context, forEachRead } from '../context.ts'

const foreign = 'verify.invalid'

/** Pages of other origins learn nothing. */
async function checkCors(context: Context) {
  const { send, judge } = context
  await forEachRead(context, async (call, index) => {
    const origin = index % 2 === 0 ? `https://${foreign}` : 'null'
    const preflight = { method: 'OPTIONS', operation: undefined, as: 'nobody' } as const
    const asks = { 'access-control-request-method': 'GET' }
    for (const answer of [
      await send({ ...call, headers: { ...call.headers, origin } }),
      await send({ ...call, ...preflight, headers: { origin, ...asks } })
    ]) {
      const given = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))
      judge('cors', answer, given.length > 0 && `${origin} gets ${given.join(', ')}`)
    }
  })
}

/** What a request says of the name of the service is not believed. */
async function checkHost({ send, judge, good, described, base, document }: Context) {
  const reads = [...good.values()].filter(({ as }) => as === 'nobody')
  const pages = ['/', '/api-docs/json', '/.well-known/api-catalog', '/llms.txt']
  const spoofs = [
    { host: foreign },
    { 'x-forwarded-host': foreign, forwarded: `host=${foreign}`, 'x-forwarded-proto': 'gopher' }
  ]
  for (const call of [...reads, ...pages.map((path) => ({ method: 'GET', path }))]) {
    for (const headers of spoofs) {
      const answer = await send({ ...call, headers })
      const isNamed = (answer.body + JSON.stringify(answer.headers)).includes(foreign)
      judge('host', answer, answer.status < 400 && isNamed && `the answer names ${foreign}`)
    }
  }
  const named = URL.parse(described.document.servers?.[0]?.url ?? '')?.origin
  // On one machine a service has several names.
  if (base.protocol === 'https:') {
    judge(
      'host',
      document,
      named !== base.origin && `the document names ${named}, not ${base.origin}`
    )
  }
}

/** Whether a connection by TLS 1.1 is accepted. */
const acceptsOldTls = ({ hostname, port }: URL) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({
      host: unbracketed(hostname),
      port: Number(port || 443),
      servername: hostname,
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      // Or this side would refuse.
      ciphers: 'DEFAULT@SECLEVEL=0',
      timeout: 5000
    })
    const end = (accepted: boolean) => () => {
      socket.destroy()
      resolve(accepted)
    }
    socket.on('secureConnect', end(true)).on('error', end(false)).on('timeout', end(false))
  })

async function checkTls({ judge, base, document }: Context) {
  if (base.protocol !== 'https:') return
  judge('tls', document, (await acceptsOldTls(base)) && 'TLS 1.1 is accepted')
  if (base.port !== '') return
  const { statusCode = 0 } = await request(`http://${base.host}/health/index`, {
    headersTimeout: 5000
  }).catch(() => ({ statusCode: 0 }))
  judge('tls', document, statusCode >= 200 && statusCode < 300 && 'plain HTTP is answered')
}

/** Other origins, other names, and TLS. */
export async function checkOrigins(context: Context) {
  await checkCors(context)
  await checkHost(context)
  await checkTls(context)
}
