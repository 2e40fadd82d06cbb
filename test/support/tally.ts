import type { signInOver } from './server-process.ts'

export type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof signInOver>>>>

/** Status and code of an answer over HTTP. */
export const outcomeOf = ({ statusCode, Data }: Answer) => {
  const { errorCode, status } = Data as { errorCode?: string; status: string }
  return `${statusCode} ${errorCode ?? status}`
}

/** How many of each outcome there are. */
export function tally(answers: Answer[]) {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[outcomeOf(answer)] = (counts[outcomeOf(answer)] ?? 0) + 1
  return counts
}

export async function post(
  address: string,
  path: string,
  body: object,
  headers: Record<string, string> = {}
): Promise<Answer> {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body)
  })
  return { statusCode: answer.status, ...((await answer.json()) as { Data: never }) }
}

/** Settings for the two functions below. Others can call from another address meanwhile. */
export const limits = {
  SVC_LOGIN_RATE_MAX: '10',
  SVC_BEARER_FAIL_MAX: '10',
  SVC_AGENT_BEARER_TOKEN: 'the-right-one',
  SVC_TRUST_PROXY: '127.0.0.1'
}

const from = { 'x-forwarded-for': '192.0.2.1' }

/** At once, so that each has a connection of its own, and workers share them. */
export async function twelveLogins(addresses: string[]) {
  const logins = Array.from({ length: 12 }, (_, n) => {
    const body = { user_id: `nobody ${n}`, user_pass: 'x' }
    return post(addresses[n % addresses.length] ?? '', '/session/login', body, from)
  })
  return tally(await Promise.all(logins))
}
export const tenOfTwelve = { '401 LOGIN-FAILED': 10, '429 RATE-LIMIT-EXCEEDED': 2 }

/** Wrong Bearer credentials count together, wherever they are sent. */
export async function twelveWrongTokens(addresses: string[]) {
  const calls = Array.from({ length: 12 }, async (_, n) => {
    const headers = { ...from, authorization: `Bearer wrong ${n}` }
    const answer = await fetch(`${addresses[n % addresses.length]}/todo/index`, { headers })
    return { statusCode: answer.status, ...((await answer.json()) as { Data: never }) }
  })
  return tally(await Promise.all(calls))
}
export const tenWrongTokens = { '401 SESSION-CLOSED': 10, '429 RATE-LIMIT-EXCEEDED': 2 }
