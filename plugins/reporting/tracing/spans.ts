import { randomUUID } from 'node:crypto'
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type TextMapGetter,
  TraceFlags,
  type Tracer,
  trace
} from '@opentelemetry/api'
import { parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
  type TracerProviderOptions
} from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../schemas/config.ts'
import { type Place, place, type Traced, work } from '../../../schemas/traced.ts'
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

/** A place in a trace, of a request or of its work. */
export class SpanPlace implements Place {
  readonly ids: Place['ids']
  /** Null if the trace is not recorded. */
  readonly span: Span | null

  constructor(ids: Place['ids'], span: Span | null) {
    this.ids = ids
    this.span = span
  }

  static current() {
    const found = place.getStore()
    return found instanceof SpanPlace ? found : undefined
  }

  get isRecorded() {
    return this.span !== null
  }

  get traceparent() {
    return `00-${this.ids.trace_id}-${this.ids.span_id}-0${this.span ? 1 : 0}`
  }

  get spanContext(): SpanContext {
    const { trace_id: traceId, span_id: spanId } = this.ids
    return this.span?.spanContext() ?? { traceId, spanId, traceFlags: TraceFlags.NONE }
  }
}

/** Begins spans. */
class Spans {
  readonly provider: TracerProvider
  readonly #isRecorded: ReturnType<typeof makeSampler>
  readonly #tracer: Tracer
  /** Of the trace that begins. */
  #traceId = ''

  constructor(
    options: TracingOptions,
    rest: Pick<TracerProviderOptions, 'resource' | 'spanProcessors'>
  ) {
    this.#isRecorded = makeSampler(options)
    const { generateSpanId } = new RandomIdGenerator()
    const idGenerator = { generateTraceId: () => this.#traceId, generateSpanId }
    this.provider = new TracerProvider({ ...rest, sampler: new AlwaysOnSampler(), idGenerator })
    this.#tracer = this.provider.getTracer('gatehouse')
  }

  /** Without a parent, `id` becomes that of the trace. */
  begin(
    name: string,
    options: SpanOptions,
    parent: SpanContext | undefined,
    id: string = randomUUID()
  ): SpanPlace {
    const trace_id = parent?.traceId ?? id.replaceAll('-', '')
    if (!this.#isRecorded(trace_id, parent)) {
      return new SpanPlace({ trace_id, span_id: trace_id.slice(16) }, null)
    }
    this.#traceId = trace_id
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    const span = this.#tracer.startSpan(name, options, context)
    return new SpanPlace({ trace_id, span_id: span.spanContext().spanId }, span)
  }
}

const ofRequest = { kind: SpanKind.SERVER }
const ofInnerRequest = { kind: SpanKind.INTERNAL }

/** Begins the span of a request: within the caller's trace, or within the request that the service sends it for. */
function beginRequest(spans: Spans, { id, method, raw, headers }: FastifyRequest) {
  const outer = isInner(raw) ? SpanPlace.current() : undefined
  if (outer) return spans.begin(method, ofInnerRequest, outer.spanContext)
  const parent =
    headers.traceparent === undefined
      ? undefined
      : trace.getSpanContext(propagator.extract(ROOT_CONTEXT, headers, getter))
  return spans.begin(method, ofRequest, parent, id)
}

/**
 * Ends the span of a request. The pattern of its route says what was asked for: a path may have a token. `reply` is
 * null if the caller has left before the answer.
 */
export function endRequest(request: FastifyRequest, reply: FastifyReply | null) {
  const span = request.place instanceof SpanPlace ? request.place.span : null
  if (!span?.isRecording()) return
  const { method, identity } = request
  const { url: route } = request.routeOptions
  span.setAttributes({
    'http.request.method': method,
    'gatehouse.via': identity?.via ?? 'anyone'
  })
  if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route)
  if (reply) {
    const { statusCode, failureCode } = reply
    span.setAttribute('http.response.status_code', statusCode)
    if (failureCode) span.setAttribute('gatehouse.code', failureCode)
    if (statusCode >= 500) fail(span, failureCode ?? String(statusCode))
  } else fail(span, 'aborted')
  span.end()
}

const fail = (span: Span, type: string) =>
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })

interface Shown {
  name: string
  kind: SpanKind
  attributes: Attributes
}

/** What SQL does first, and to which table; no value is in it. */
const shownStatements = new Map<string, Shown>()
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

function shownWork(what: Traced): Shown {
  switch (what.kind) {
    case 'statement':
      return shownStatement(what.system, what.sql)
    case 'store':
      return { name: `store ${what.operation}`, kind: SpanKind.CLIENT, attributes: {} }
    case 'mail':
    case 'delivery':
      return { name: what.kind, kind: SpanKind.CLIENT, attributes: {} }
    default:
      return { name: what.kind, kind: SpanKind.INTERNAL, attributes: {} }
  }
}

/** What a delivery tells of: the request that has made the change. */
function causeOf(traceparent: string | null): SpanContext | undefined {
  const cause = traceparent === null ? null : parseTraceParent(traceparent)
  return cause ? { ...cause, isRemote: true } : undefined
}

/** Makes spans of the work that lower layers announce. Returns a function that ends that. */
function followWork(spans: Spans) {
  const open = new WeakMap<object, { what: Traced; span: Span }>()

  function begin(what: Traced, parent: SpanContext | undefined) {
    const { name, ...shown } = shownWork(what)
    const mine = spans.begin(name, shown, parent)
    if (mine.span) open.set(what, { what, span: mine.span })
    return mine
  }

  /** Where `what` runs: in a span of its own, or still where it was begun. */
  function enter(what: Traced): Place | undefined {
    if (what.kind === 'delivery') {
      const mine = begin(what, causeOf(what.cause))
      what.headers.traceparent = mine.traceparent
      return mine
    }
    const current = SpanPlace.current()
    // A mail is sent after the answer. Other work that outlives its request, such as a timer, is not part of it.
    const isPart = what.kind === 'mail' || current?.span?.isRecording()
    return isPart && current ? begin(what, current.spanContext) : current
  }

  function finish(message: unknown) {
    const begun = open.get(Object(message))
    if (!begun) return
    const { what, span } = begun
    open.delete(what)
    const { status = null, error = null } = (what.kind === 'delivery' && what.answer) || {}
    if (status !== null) span.setAttribute('http.response.status_code', status)
    const failure = 'error' in what ? typeOf(what.error) : (error ?? failedStatus(status))
    if (failure) fail(span, failure)
    span.end()
  }

  /** `end` of asynchronous work comes when it has begun: then it has neither result nor error. */
  function finishIfDone(message: unknown) {
    const what = Object(message)
    if ('result' in what || 'error' in what) finish(what)
  }

  work.start.bindStore(place, enter)
  work.end.subscribe(finishIfDone)
  work.asyncEnd.subscribe(finish)
  return () => {
    work.start.unbindStore(place)
    work.end.unsubscribe(finishIfDone)
    work.asyncEnd.unsubscribe(finish)
  }
}

const failedStatus = (status: number | null) =>
  status !== null && status >= 400 ? String(status) : null

/** The kind of an error. Its message may have a value of a caller. */
function typeOf(error: unknown) {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'error')
}

/** Begins to trace, and to send spans to the collector. */
export async function startTracing(options: TracingOptions, log: FastifyBaseLogger) {
  const exporter = watched(await exporterOf(options), 'traces', log)
  const scheduledDelayMillis = options.OTEL_BSP_SCHEDULE_DELAY
  const spans = new Spans(options, {
    resource: await resource(),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis })]
  })
  const unfollow = followWork(spans)
  return {
    begin: (request: FastifyRequest) => beginRequest(spans, request),
    async end() {
      unfollow()
      await ended(spans.provider.shutdown())
    }
  }
}
