import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Config, Tuning } from '../../../schemas/config.ts'
import { isLoopback, unbracketed } from '../../../schemas/host.ts'
import { traced } from '../../../schemas/traced.ts'
import { htmlOf } from './html.ts'

interface Mail {
  to: string
  subject: string
  /** What to do stands in its first line, which clients show in their lists. Its HTML is made from it. */
  text: string
}

declare module 'fastify' {
  interface FastifyInstance {
    mail: {
      /** Sends once and waits for the server's reply. Rejects if the server refuses or does not reply. */
      send(mail: Mail): Promise<void>
      /** Sends, with retries. `signal` ends the waiting between them; one last try follows. */
      deliver(mail: Mail, signal: AbortSignal): Promise<void>
    }
  }
}

const tries = 4
/** How long a mail server may be silent, in milliseconds. */
const timeouts = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000 }
/** How long one attempt may take in all: a server that answers byte by byte is never silent. */
export const sendLimitMs = 20_000
/** Milliseconds from the beginning of a shutdown until a silent mail server is given up. */
const giveUpMs = 7000

type Options = Pick<
  Config,
  'SVC_SMTP_URL' | 'SVC_MAIL_FROM' | 'SVC_DATA_DIR' | 'SVC_ENV' | 'SVC_INSECURE_LINKS'
> &
  Pick<Tuning, 'mailRetryMs'>

/** A part of a mail, as it is. */
function unencoded(type: string, text: string) {
  const bits = /^\p{ASCII}*$/u.test(text) ? '7bit' : '8bit'
  return `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: ${bits}\n\n${text}\n`
}

/** Sends mail through `SVC_SMTP_URL`, and loads nodemailer for the first. Without it, writes .eml files to the data folder (never in production). */
export default fp<Options>(
  async (app, options) => {
    const from = options.SVC_MAIL_FROM
    const sendOut = options.SVC_SMTP_URL ? overSmtp() : toFile()
    const send = (mail: Mail) => traced({ kind: 'mail' }, () => sendOut(mail))

    function overSmtp() {
      const url = new URL(options.SVC_SMTP_URL)
      const secure = url.protocol === 'smtps:'
      const requireTLS =
        options.SVC_ENV === 'production' && !options.SVC_INSECURE_LINKS && !isLoopback(url.hostname)
      const open = async () =>
        (await import('nodemailer')).createTransport({
          host: unbracketed(url.hostname),
          port: Number(url.port || (secure ? 465 : 587)),
          secure,
          requireTLS,
          ...(url.username && {
            auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
          }),
          pool: true,
          ...timeouts
        })
      let transport: ReturnType<typeof open> | undefined
      const close = async () => (await transport)?.close({ force: true })
      let timer: NodeJS.Timeout | undefined
      // In preClose: a request that waits for its mail would delay onClose.
      app.addHook('preClose', async () => {
        timer = setTimeout(close, giveUpMs)
      })
      app.addHook('onClose', async () => {
        clearTimeout(timer)
        await close()
      })
      return async (mail: Mail) => {
        transport ??= open()
        await (await transport).sendMail({
          from,
          ...mail,
          html: htmlOf(mail),
          signal: AbortSignal.timeout(sendLimitMs)
        })
      }
    }

    function toFile() {
      const folder = join(options.SVC_DATA_DIR, 'outbox')
      return async (mail: Mail) => {
        if (options.SVC_ENV === 'production') throw new Error('SVC_SMTP_URL is not set')
        const id = randomUUID()
        // People read the file and follow its link. The library would encode long lines, and all that is not ASCII.
        const message = `From: ${from}
To: ${mail.to}
Subject: ${mail.subject}
Message-ID: <${id}@localhost>
Date: ${new Date(app.now()).toUTCString()}
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="${id}"

--${id}
${unencoded('text/plain', mail.text)}
--${id}
${unencoded('text/html', htmlOf(mail))}
--${id}--
`
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = join(folder, `${app.timestamp().replaceAll(':', '-')}-${id}.eml`)
        await writeFile(file, message.replace(/\r?\n/g, '\r\n'), { mode: 0o600 })
        app.log.info({ file }, 'an email was written')
      }
    }

    async function deliver(mail: Mail, signal: AbortSignal) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await send(mail)
        } catch (err) {
          if (attempt === tries || signal.aborted) throw err
          app.log.warn({ err, attempt }, 'an email was not sent; trying again')
          const pause = options.mailRetryMs * 4 ** (attempt - 1)
          await wait(pause, undefined, { signal }).catch(() => {})
        }
      }
    }

    app.decorate('mail', { send, deliver })
    if (options.SVC_ENV === 'production' && !options.SVC_SMTP_URL) {
      // Only when the service listens: a start that fails should print only its reason.
      app.addHook('onListen', async () => {
        app.log.warn('SVC_SMTP_URL is not set: emails cannot be sent')
      })
    }
  },
  { name: 'mail', fastify: '5.x', dependencies: ['clock'] }
)
