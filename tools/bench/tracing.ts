import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asEach, type Case, create, list } from './measure.ts'
import { furnishedPlace, reader, signIn, startService, writer } from './place.ts'

/** A collector in this process, whose CPU time is not measured. */
async function startCollector() {
  const collector = createServer((request, response) => {
    request.resume().once('end', () => response.end())
  })
  collector.listen(0, '127.0.0.1').unref()
  await once(collector, 'listening')
  return `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
}

/** A tenth of the requests traced, and all metrics sent, beside the same service without. */
export async function tracingCases(): Promise<Case[]> {
  const plain = await startService(await furnishedPlace())
  const traced = await startService(await furnishedPlace(), {
    OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector(),
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1'
  })
  const asked = [
    { name: 'list of 10', callers: 32, request: list, user_id: reader.user_id },
    { name: 'create, 64 callers', callers: 64, request: create, user_id: writer.user_id }
  ]
  return Promise.all(
    asked.map(async ({ name, callers, request, user_id }) => {
      const of = async (target: typeof plain) => ({
        target,
        requests: asEach(request, [await signIn(target.port, user_id)])
      })
      const contenders = { traced: await of(traced), untraced: await of(plain) }
      return { name, callers, contenders, goal: { to: 'untraced', most: 1.15 } }
    })
  )
}
