import { type HrTime, ValueType } from '@opentelemetry/api'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader
} from '@opentelemetry/sdk-metrics'
import type { FastifyBaseLogger } from 'fastify'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import type { Config } from '../../../schemas/config.ts'
import { ended, type OtlpOptions, resource, watched } from '../otlp.ts'

export type MetricsOptions = OtlpOptions & Pick<Config, 'OTEL_METRIC_EXPORT_INTERVAL'>

type Value = MetricValue<string> & { metricName?: string }

const toTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

/** The samples of Prometheus that make up a histogram, by their labels: `_bucket` (cumulative), `_sum` and `_count`. */
function histogramsOf(name: string, values: Value[]) {
  const found = new Map<
    string,
    { labels: Value['labels']; upTo: [number, number][]; sum: number }
  >()
  for (const { labels, value, metricName } of values) {
    const { le, ...rest } = labels
    const key = JSON.stringify(rest)
    const one = found.get(key) ?? { labels: rest, upTo: [], sum: 0 }
    found.set(key, one)
    if (metricName === `${name}_bucket`)
      one.upTo.push([le === '+Inf' ? Infinity : Number(le), value])
    if (metricName === `${name}_sum`) one.sum = value
  }
  return [...found.values()].map(({ labels, upTo, sum }) => {
    const sorted = upTo.sort(([a], [b]) => a - b)
    const boundaries = sorted.map(([bound]) => bound).filter(Number.isFinite)
    const counts = sorted.map(([, count], index) => count - (sorted[index - 1]?.[1] ?? 0))
    const value: Histogram = {
      buckets: { boundaries, counts },
      sum,
      count: sorted.at(-1)?.[1] ?? 0
    }
    return { labels, value }
  })
}

/** A metric of Prometheus as OpenTelemetry has it, under the same name. */
function toMetric(
  { name, help, type, values }: MetricObjectWithValues<Value>,
  times: Pick<DataPoint<number>, 'startTime' | 'endTime'>
): MetricData | null {
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE
  }
  // Prometheus knows texts only.
  const texts = (labels: Value['labels']) =>
    Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, String(value)]))
  const point = <T>(labels: Value['labels'], value: T) => ({
    ...{ ...times, attributes: texts(labels), value }
  })
  const points = () => values.map(({ labels, value }) => point(labels, value))
  // prom-client names types by their texts, whatever its own types say.
  switch (String(type)) {
    case 'counter':
      return {
        ...common,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: points()
      }
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() }
    case 'histogram': {
      const found = histogramsOf(name, values)
      const dataPoints = found.map(({ labels, value }) => point(labels, value))
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }
    }
    default:
      return null
  }
}

/** Sends the metrics of this process to the collector, again and again. Returns a function that sends the last ones. */
export async function pushMetrics(
  registry: Registry,
  options: MetricsOptions,
  log: FastifyBaseLogger
) {
  const { OTLPMetricExporter } = await (options.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
    ? import('@opentelemetry/exporter-metrics-otlp-http')
    : import('@opentelemetry/exporter-metrics-otlp-proto'))
  const of = await resource()
  const startTime = toTime(Date.now())
  const provider = new MeterProvider({
    resource: of,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: watched(new OTLPMetricExporter(), 'metrics', log),
        exportIntervalMillis: options.OTEL_METRIC_EXPORT_INTERVAL,
        metricProducers: [
          {
            async collect() {
              const times = { startTime, endTime: toTime(Date.now()) }
              const found = await registry.getMetricsAsJSON()
              const metrics = found.map((one) => toMetric(one, times)).filter((one) => one !== null)
              const scopeMetrics = [{ scope: { name: 'gatehouse' }, metrics }]
              return { resourceMetrics: { resource: of, scopeMetrics }, errors: [] }
            }
          }
        ]
      })
    ]
  })
  return () => ended(provider.shutdown())
}
