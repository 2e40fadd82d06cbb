import type { Commands } from './command.ts'
import { send, serviceOf } from './credentials.ts'

/** A health check of a container waits no longer, so that it can say why. */
const answerMs = 4000

export const healthCommands: Commands = {
  health: {
    operands: [],
    options: { url: 'URL' },
    isRemote: true,
    about:
      'Ask a running service how it is, as the health checks of containers do. URL is http://127.0.0.1 with SVC_PORT by default. Exit code 0: it answers requests; 1: its database does not answer, or the service does not.',
    async run({ options: { url = '' } }, load) {
      const { SVC_PORT } = load()
      // No secret is sent, so http will do.
      const service = serviceOf(url || `http://127.0.0.1:${SVC_PORT}`, true)
      const { status, text } = await send(new URL('/health/index', service), {}, answerMs)
      if (status !== 200) throw new Error(`${service.origin} answered ${status}: ${text}`)
      return `${text}\n`
    }
  }
}
