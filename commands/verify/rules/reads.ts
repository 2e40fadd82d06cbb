import {
  type Context,
  callOf,
  explore,
  forEach,
  knownOf,
  learn,
  refusalOf,
  sendAsAny
} from '../context.ts'

/** Reads with what the document allows, and with what it forbids. */
export async function checkReads(context: Context) {
  const { described, requests, judge, send, good } = context
  const reads = described.operations.filter(({ method }) => method === 'GET')
  // Lists come first: they tell what there is to read.
  reads.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  await forEach(context, reads, async (operation) => {
    const found = await sendAsAny(context, operation, (as) => callOf(operation, {}, as))
    if (!found) return
    const { as, answer } = found
    learn(context, operation, answer)
    if (answer.status < 300) good.set(operation, answer.call)
    const known = knownOf(context, operation)
    if (operation.parameters.length === 0) return

    await explore(context, requests.allowed(operation, known), async ({ alone, ...parts }) => {
      const whole = await send(callOf(operation, parts, as))
      if (whole.status === 200) good.set(operation, whole.call)
      const refusal = refusalOf(context, whole)
      if (!refusal || alone.length < 2) return judge('allowed', whole, refusal)
      for (const parts of alone) {
        const answer = await send(callOf(operation, parts, as))
        judge('allowed', answer, refusalOf(context, answer))
      }
      return undefined
    })
    const wrong = requests.forbidden(operation, known)
    if (!wrong) return
    await explore(context, wrong, async (parts) => {
      const answer = await send(callOf(operation, parts, as))
      judge('forbidden', answer, answer.status < 400 && `${answer.status}`)
    })
  })
}
