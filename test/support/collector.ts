import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

type Attribute = { key: string; value: Record<string, unknown> }
interface Sent {
  resourceSpans?: { resource: Resource; scopeSpans: { spans: SentSpan[] }[] }[]
  resourceMetrics?: { resource: Resource; scopeMetrics: { metrics: Metric[] }[] }[]
}
type Resource = { attributes: Attribute[] }
interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Attribute[]
  status: { code?: number; message?: string }
  events: unknown[]
}
type Point = { attributes: Attribute[]; asDouble?: number; count?: number; sum?: number }
type Points = { dataPoints: (Point & { bucketCounts?: number[]; explicitBounds?: number[] })[] }
export interface Metric {
  name: string
  gauge?: Points
  sum?: Points & { isMonotonic: boolean }
  histogram?: Points
}

export const plain = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/**
 * Starts a collector that reads OTLP over HTTP, as JSON, and sets the variables that the libraries of OpenTelemetry
 * read. `env` are the settings that a service needs too. `env` and `more` may also go to a process.
 */
export async function startCollector(t: Test, more: Record<string, string> = {}) {
  const sent: Sent[] = []
  const bodies: { path: string | undefined; body: string }[] = []
  const headers: NodeJS.Dict<string | string[]>[] = []
  const collector = createServer(async (request, response) => {
    headers.push(request.headers)
    const body = await text(request)
    bodies.push({ path: request.url, body })
    if (request.headers['content-type'] === 'application/json') sent.push(JSON.parse(body))
    response.end()
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { port } = collector.address() as AddressInfo
  t.teardown(() => {
    collector.closeAllConnections()
    collector.close()
  })
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...more
  }
  forLibraries(t, env)
  return {
    env,
    sent,
    bodies,
    headers,
    resources: () =>
      sent.flatMap(({ resourceSpans, resourceMetrics }) =>
        [...(resourceSpans ?? []), ...(resourceMetrics ?? [])].map(({ resource }) =>
          plain(resource.attributes)
        )
      ),
    spans: () =>
      sent
        .flatMap(({ resourceSpans = [] }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: plain(span.attributes) })),
    metrics: () =>
      new Map(
        sent
          .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
          .flatMap(({ scopeMetrics }) => scopeMetrics)
          .flatMap(({ metrics }) => metrics)
          .map((metric) => [metric.name, metric])
      )
  }
}

/** Sets variables of this process, until the end of the test. */
export function forLibraries(t: Test, env: Record<string, string>) {
  Object.assign(process.env, env)
  t.teardown(() => {
    for (const name of Object.keys(env)) delete process.env[name]
  })
}
