import { randomUUID } from 'node:crypto'
import {
  type Attributes,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  TraceFlags,
  trace
} from '@opentelemetry/api'
import { millisToHrTime, parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  type ReadableSpan,
  type SpanProcessor
} from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../../schemas/config.ts'
import {
  type Answer,
  type Part,
  place,
  runPart,
  traceDeliveries,
  type Work
} from '../../../schemas/traced.ts'
import { isInner } from '../../http/headers.ts'
import { ended, type OtlpOptions, resource, watched } from '../otlp.ts'

export type TracingOptions = OtlpOptions &
  Pick<Config, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG' | 'OTEL_BSP_SCHEDULE_DELAY'>

/**
 * Decides which traces are recorded, as the samplers of the library do: those cost as much for a request that is not
 * recorded as all the rest.
 */
function makeSampler({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: TracingOptions) {
  const isParentBased = OTEL_TRACES_SAMPLER.startsWith('parentbased_')
  const name = OTEL_TRACES_SAMPLER.replace('parentbased_', '')
  const ratio = { always_on: 1, always_off: 0 }[name] ?? Number(OTEL_TRACES_SAMPLER_ARG)
  const limit = ratio * 2 ** 32
  return (trace_id: string, parent: SpanContext | undefined) =>
    isParentBased && parent
      ? (parent.traceFlags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED
      : Number.parseInt(trace_id.slice(-8), 16) < limit
}

async function exporterOf({ OTEL_EXPORTER_OTLP_PROTOCOL }: TracingOptions) {
  const { OTLPTraceExporter } = await (OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'))
  return new OTLPTraceExporter()
}

const propagator = new W3CTraceContextPropagator()
const getter: TextMapGetter<FastifyRequest['headers']> = {
  get: (carrier, name) => carrier[name],
  keys: Object.keys
}

/** A place in a trace that is not recorded. */
export class SpanPlace implements Part {
  readonly #context: SpanContext

  constructor(context: SpanContext) {
    this.#context = context
  }

  static current() {
    const found = place.getStore()
    return found instanceof SpanPlace ? found : undefined
  }

  get ids() {
    const { traceId: trace_id, spanId: span_id } = this.#context
    return { trace_id, span_id }
  }

  get traceparent() {
    const { traceId, spanId, traceFlags } = this.#context
    return `00-${traceId}-${spanId}-0${traceFlags}`
  }

  spanContext() {
    return this.#context
  }

  begin(_what: Work): Part | null {
    return null
  }
  fail(_error: unknown) {}
  end() {}
}

/** What a span tells of its work. */
interface Shown {
  name: string
  kind: SpanKind
  attributes: Attributes
}

const scope = { name: 'gatehouse' }
const none: never[] = []
const unset = { code: SpanStatusCode.UNSET }
const failed = { code: SpanStatusCode.ERROR }

/** What exporters read. The library's own spans cost several times the time and the memory. */
export class Span extends SpanPlace implements ReadableSpan {
  readonly #spans: Spans
  readonly parentSpanContext?: SpanContext
  name: string
  readonly kind: SpanKind
  attributes: Attributes
  status: ReadableSpan['status'] = unset
  ended = false
  readonly resource: Resource
  readonly instrumentationScope = scope
  readonly links = none
  readonly events = none
  readonly droppedAttributesCount = 0
  readonly droppedEventsCount = 0
  readonly droppedLinksCount = 0
  readonly #at = Date.now()
  readonly #begun = performance.now()
  #ms = 0

  constructor(spans: Spans, shown: Shown, context: SpanContext, parent: SpanContext | undefined) {
    super(context)
    this.#spans = spans
    this.resource = spans.resource
    if (parent) this.parentSpanContext = parent
    this.name = shown.name
    this.kind = shown.kind
    this.attributes = shown.attributes
  }

  override begin(what: Work) {
    // A mail is sent after the answer. Other work that outlives its request, such as a timer, is not part of it.
    if (this.ended && what.kind !== 'mail') return null
    return this.#spans.begin(shownWork(what), this.spanContext())
  }

  set(attributes: Attributes) {
    this.attributes = { ...this.attributes, ...attributes }
  }

  failAs(type: string) {
    this.set({ 'error.type': type })
    this.status = failed
  }

  /** Says the kind of an error. Its message may have a value of a caller. */
  override fail(error: unknown) {
    const { code, name } = Object(error) as { code?: unknown; name?: unknown }
    this.failAs(String(code ?? name ?? 'error'))
  }

  /** Of a delivery. */
  showAnswer({ status, error }: Answer) {
    if (status !== null) this.set({ 'http.response.status_code': status })
    const failure = error ?? (status !== null && status >= 400 ? String(status) : null)
    if (failure !== null) this.failAs(failure)
  }

  override end() {
    this.ended = true
    this.#ms = performance.now() - this.#begun
    this.#spans.processor.onEnd(this)
  }

  get startTime() {
    return millisToHrTime(this.#at)
  }
  get endTime() {
    return millisToHrTime(this.#at + this.#ms)
  }
  get duration() {
    return millisToHrTime(this.#ms)
  }
}

const { generateSpanId } = new RandomIdGenerator()

/** Begins spans. */
class Spans {
  readonly resource: Resource
  readonly processor: SpanProcessor
  readonly #isRecorded: ReturnType<typeof makeSampler>

  constructor(options: TracingOptions, resource: Resource, processor: SpanProcessor) {
    this.#isRecorded = makeSampler(options)
    this.resource = resource
    this.processor = processor
  }

  /** Without a parent, `id` becomes that of the trace. */
  begin(shown: Shown, parent: SpanContext | undefined, id?: string): SpanPlace {
    const traceId = parent?.traceId ?? (id ?? randomUUID()).replaceAll('-', '')
    if (!this.#isRecorded(traceId, parent)) {
      return new SpanPlace({ traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.NONE })
    }
    const { traceState } = parent ?? {}
    const ids = { traceId, spanId: generateSpanId(), traceFlags: TraceFlags.SAMPLED }
    return new Span(this, shown, traceState ? { ...ids, traceState } : ids, parent)
  }
}

// Their names follow when they end.
const ofRequest = { name: '', kind: SpanKind.SERVER, attributes: {} }
const ofInnerRequest = { name: '', kind: SpanKind.INTERNAL, attributes: {} }

/** Begins the span of a request: within the caller's trace, or within the request that the service sends it for. */
function beginRequest(spans: Spans, { id, raw, headers }: FastifyRequest) {
  const outer = isInner(raw) ? SpanPlace.current() : undefined
  if (outer) return spans.begin(ofInnerRequest, outer.spanContext())
  const parent =
    headers.traceparent === undefined
      ? undefined
      : trace.getSpanContext(propagator.extract(ROOT_CONTEXT, headers, getter))
  return spans.begin(ofRequest, parent, id)
}

/**
 * Ends the span of a request. The pattern of its route says what was asked for: a path may have a token. `reply` is
 * null if the caller has left before the answer.
 */
export function endRequest(request: FastifyRequest, reply: FastifyReply | null) {
  const span = request.place
  if (!(span instanceof Span) || span.ended) return
  const { method, identity } = request
  const { url: route } = request.routeOptions
  span.name = route === undefined ? method : `${method} ${route}`
  span.set({
    'http.request.method': method,
    'gatehouse.via': identity?.via ?? 'anyone',
    ...(route !== undefined && { 'http.route': route }),
    ...(reply && { 'http.response.status_code': reply.statusCode }),
    ...(reply?.failureCode && { 'gatehouse.code': reply.failureCode })
  })
  if (!reply) span.failAs('aborted')
  else if (reply.statusCode >= 500) span.failAs(reply.failureCode ?? String(reply.statusCode))
  span.end()
}

/** What SQL does first, and to which table; no value is in it. Lists can be asked for in any number of ways. */
const shownStatements = new LRUCache<string, Shown>({ max: 1000 })
function shownStatement(system: string, sql: string): Shown {
  const known = shownStatements.get(sql)
  if (known) return known
  const operation = /\b(select|insert|update|delete)\b/i.exec(sql)?.[1]?.toUpperCase() ?? 'OTHER'
  // After FROM there may be a function.
  const [, target, source] =
    /\b(?:(?:into|update)\s+"?(\w+)|from\s+"?(\w+)\b(?!"?\s*\())/i.exec(sql) ?? []
  const table = target ?? source ?? ''
  const shown = {
    name: `${operation} ${table}`.trimEnd(),
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': system,
      'db.operation.name': operation,
      ...(table && { 'db.collection.name': table })
    }
  }
  shownStatements.set(sql, shown)
  return shown
}

function shownWork(what: Work): Shown {
  switch (what.kind) {
    case 'statement':
      return shownStatement(what.system, what.sql)
    case 'store':
      return { name: `store ${what.operation}`, kind: SpanKind.CLIENT, attributes: {} }
    case 'mail':
      return { name: 'mail', kind: SpanKind.CLIENT, attributes: {} }
    default:
      return { name: what.kind, kind: SpanKind.INTERNAL, attributes: {} }
  }
}

/** What a delivery tells of: the request that has made the change. */
function causeOf(traceparent: string | null): SpanContext | undefined {
  const cause = traceparent === null ? null : parseTraceParent(traceparent)
  return cause ? { ...cause, isRemote: true } : undefined
}

const ofDelivery = { name: 'delivery', kind: SpanKind.CLIENT, attributes: {} }

/** Begins to trace, and to send spans to the collector. */
export async function startTracing(options: TracingOptions, log: FastifyBaseLogger) {
  const exporter = watched(await exporterOf(options), 'traces', log)
  const scheduledDelayMillis = options.OTEL_BSP_SCHEDULE_DELAY
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis })
  const spans = new Spans(options, await resource(), processor)
  traceDeliveries((cause, send) => {
    const span = spans.begin(ofDelivery, causeOf(cause))
    return runPart(span, async () => {
      const answer = await send({ traceparent: span.traceparent })
      if (span instanceof Span) span.showAnswer(answer)
      return answer
    })
  })
  return {
    begin: (request: FastifyRequest) => beginRequest(spans, request),
    async end() {
      traceDeliveries(null)
      await ended(processor.shutdown())
    }
  }
}
