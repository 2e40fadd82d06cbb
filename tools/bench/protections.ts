import { asEach, type Case, read } from './measure.ts'
import { furnishedPlace, reader, signIn, startService } from './place.ts'

/** What a read passes that protects or reports, by the names of its hooks (app.ts). */
const hooks = {
  'nothing (how exact this is)': '',
  'Host of another machine': 'checkHost',
  overload: 'refuseOverload',
  'limit of a user': 'limitUser',
  'answers that wait to be read': 'refuseUnread,countUnread',
  metrics: 'observe'
}

/** The service as it is, beside one that lacks a part of what each read passes. */
export async function protectionCases(): Promise<Case[]> {
  const askOf = async (without: string) => {
    const target = await startService(await furnishedPlace(), {
      ...(without && { NODE_OPTIONS: `--import=./tools/bench/without.ts?hooks=${without}` }),
      // A limit that nobody meets: each request is counted.
      SVC_RATE_MAX: '1000000000'
    })
    return { target, requests: asEach(read, [await signIn(target.port, reader.user_id)]) }
  }
  return Promise.all(
    Object.entries(hooks).map(async ([name, without]) => ({
      ...{ name, callers: 32 },
      // Of each case its own: who is asked more is compiled better.
      contenders: { service: await askOf(''), 'without it': await askOf(without) }
    }))
  )
}
