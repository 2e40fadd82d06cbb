import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { place } from '../../../schemas/traced.ts'
import { isSent } from '../otlp.ts'
import type { TracingOptions } from './spans.ts'

/**
 * Traces to a collector (OTLP), if `OTEL_EXPORTER_OTLP_ENDPOINT` is set: a span for each request, and for the work
 * that lower layers announce (schemas/traced.ts). Without it, nothing is loaded and no hook added.
 */
export default fp<TracingOptions>(
  async (app, options) => {
    if (!isSent('TRACES', options)) return
    const { endRequest, Span, startTracing } = await import('./spans.ts')
    const tracing = await startTracing(options, app.log)

    app.addHook('onRequest', function beginSpan(request, reply, done) {
      const mine = tracing.begin(request)
      request.place = mine
      reply.header('x-trace-id', mine.spanContext().traceId)
      // A caller may leave before the answer: then there is no onResponse.
      if (mine instanceof Span) reply.raw.once('close', () => endRequest(request, null))
      place.run(mine, done)
    })
    // The events with which a body arrives are those of the connection.
    app.addHook('preValidation', function resumeSpan(request, _reply, done) {
      within(request, done)
    })
    app.addHook('onResponse', function endSpan(request, reply, done) {
      endRequest(request, reply)
      within(request, done)
    })
    app.addHook('onClose', tracing.end)
  },
  { name: 'tracing', fastify: '5.x', dependencies: ['database', 'mail'] }
)

/** Goes on in the place of the request, if the running code is not there already. */
function within({ place: mine }: FastifyRequest, done: () => void) {
  if (mine && place.getStore() !== mine) place.run(mine, done)
  else done()
}
