import { asEach, type Case, create, list } from './measure.ts'
import { furnishedPlace, reader, signIn, startService, writer } from './place.ts'

const lists = { name: 'list of 10', callers: 32, request: list, user_id: reader.user_id }
const creates = { name: 'create, 64 callers', callers: 64, request: create, ...writer }
const lone = { ...creates, name: 'create, 1 caller', callers: 1 }

/** The service with these settings: what it is asked in a case. */
async function startWith(env: Record<string, string>, server = '') {
  const target = await startService(await furnishedPlace({ server }), env)
  return async ({ request, user_id }: typeof lists) => ({
    target,
    requests: asEach(request, [await signIn(target.port, user_id)])
  })
}

/** What the documents show of these cases. */
export const settingsColumns = [
  'to `SVC_LOG_LEVEL=silent`',
  'to `SVC_ACTIVITY_DAYS=0`',
  'service, a second'
]

/** A create with the default settings, and with settings that save something. */
export async function settingsCases(): Promise<Case[]> {
  const usual = await startWith({})
  const silent = await startWith({ SVC_LOG_LEVEL: 'silent' })
  const forgetful = await startWith({ SVC_ACTIVITY_DAYS: '0' })
  return Promise.all(
    [lone, creates].map(async (one) => ({
      ...one,
      contenders: {
        service: await usual(one),
        '`SVC_LOG_LEVEL=silent`': await silent(one),
        '`SVC_ACTIVITY_DAYS=0`': await forgetful(one)
      }
    }))
  )
}

/** Two processes beside one, on SQLite and PostgreSQL. */
export async function workerCases(server: string): Promise<Case[]> {
  const cases = Object.entries({ SQLite: '', PostgreSQL: server }).map(async ([name, url]) => {
    const two = await startWith({ SVC_WORKERS: '2' }, url)
    const one = await startWith({}, url)
    return [lists, creates].map(async (asked) => ({
      ...asked,
      name: `${name}: ${asked.name}`,
      contenders: { 'two workers': await two(asked), 'one process': await one(asked) },
      isRateOnly: true
    }))
  })
  return Promise.all((await Promise.all(cases)).flat())
}
