import type { FastifyReply } from 'fastify'

/**
 * Lets a form of this page lead to where a program wants the browser to be sent: browsers apply
 * `form-action` to redirects that follow a form, too.
 */
export function allowForm(reply: FastifyReply, redirect: string | undefined) {
  const url = redirect === undefined ? null : URL.parse(redirect)
  if (!url) return
  // A scheme of an app has no origin, and browsers know no IPv6 address in a policy.
  const isOrigin = url.origin !== 'null' && !url.hostname.startsWith('[')
  const source = isOrigin ? url.origin : url.protocol
  // Anything else would be read as another directive or source.
  if (!/^[\w.:/+-]+$/.test(source)) return
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header(
    'content-security-policy',
    policy.replace(/form-action [^;]*/, (directive) => `${directive} ${source}`)
  )
}
