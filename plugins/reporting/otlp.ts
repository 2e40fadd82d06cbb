import type { Resource } from '@opentelemetry/resources'
import type { FastifyBaseLogger } from 'fastify'
import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../../schemas/config.ts'

/** The variables of OpenTelemetry that decide what is loaded. Its libraries read the others themselves. */
export type OtlpOptions = Pick<
  Config,
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_PROTOCOL'
  | 'OTEL_SDK_DISABLED'
  | 'OTEL_TRACES_EXPORTER'
  | 'OTEL_METRICS_EXPORTER'
>

/** Whether traces, or metrics, go to a collector. If not, nothing of OpenTelemetry is loaded. */
export const isSent = (what: 'TRACES' | 'METRICS', options: OtlpOptions) =>
  options.OTEL_EXPORTER_OTLP_ENDPOINT !== '' &&
  options.OTEL_SDK_DISABLED === 'false' &&
  options[`OTEL_${what}_EXPORTER`] === 'otlp'

/** How long a shutdown waits for a collector, twice: 8 of its 10 seconds may have passed (plugins/runtime/background.ts). */
const endMs = 700

/** Resolves when the last spans or metrics are sent, or the collector has had its time. */
export async function ended(shutdown: Promise<void>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, endMs)
  await Promise.race([shutdown.catch(() => {}), promise])
  clearTimeout(timer)
}

/**
 * What sends the data. Not the library's own detectors of the host and the process: they send the name of the
 * machine and of its user, and the command line.
 */
export async function resource(): Promise<Resource> {
  const { detectResources, envDetector, resourceFromAttributes, serviceInstanceIdDetector } =
    await import('@opentelemetry/resources')
  const { name, version } = packageJson
  return resourceFromAttributes({ 'service.name': name, 'service.version': version }).merge(
    detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })
  )
}

interface Exporter<Items> {
  export(items: Items, done: (result: { code: number; error?: Error }) => void): void
}

/** Says once in the log that a collector takes nothing, and once that it takes something again. */
export function watched<One extends Exporter<never>>(
  exporter: One,
  what: 'traces' | 'metrics',
  log: FastifyBaseLogger
): One {
  const send: Exporter<unknown>['export'] = exporter.export.bind(exporter)
  let isFailing = false
  exporter.export = (items: unknown, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== 0
      if (hasFailed && !isFailing) log.warn({ err: result.error }, `the collector takes no ${what}`)
      if (!hasFailed && isFailing) log.info(`the collector takes ${what} again`)
      isFailing = hasFailed
      done(result)
    })
  return exporter
}
