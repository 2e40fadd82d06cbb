import type { AreaTraffic, Client, Traffic } from '../client.ts'

/** A caller who looks up an error code. */
function errorTraffic({ caller, random, report, name }: Client): Traffic {
  let codes: string[] = []

  async function list() {
    const reply = await caller.send<{ errors: { errorCode: string }[] }>('listErrors')
    if (reply.kind === 'done') codes = reply.data.errors.map(({ errorCode }) => errorCode)
  }

  async function read() {
    const code = random.pick(codes)
    if (code === undefined) return list()
    const reply = await caller.send<{ error: { errorCode: string } }>('getError', {
      params: { code }
    })
    if (reply.kind !== 'done' || reply.data.error.errorCode === code) return
    report.problem(`${name}: asked for ${code}, got ${reply.data.error.errorCode}`)
  }
  return { actions: [list, read], check: list }
}

export default function error(): AreaTraffic {
  return { callers: ['user'], traffic: errorTraffic }
}
