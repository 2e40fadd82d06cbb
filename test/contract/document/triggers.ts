import { type Answer, operationOf } from './operations.ts'
import { type Call, type Caller, callerOf, type Everything, send, validCall } from './service.ts'

/** A request that is answered with a certain code. */
export type Trigger = (service: Everything) => Promise<Answer>

/** What is different from a valid call. */
interface Change extends Partial<Call> {
  as?: Caller
  json?: unknown
}

/** A valid call of an operation, with these changes. */
export const call =
  (id: string, { as, json, params, query, headers, body }: Change = {}): Trigger =>
  async (service) => {
    const operation = operationOf(id)
    const valid = await validCall(operation, service)
    const changed = {
      params: { ...valid.params, ...params },
      query: { ...valid.query, ...query },
      headers: { ...valid.headers, ...headers },
      body: json === undefined ? (body ?? valid.body) : JSON.stringify(json)
    }
    return send(service, operation, changed, as ?? callerOf(operation))
  }
