import { sessionFetch } from './session-fetch.ts'

const baseUrl = 'http://127.0.0.1:3000'

/** How every operation is sent: gives what orval's types say, `data`, `status` and `headers`. */
export async function send<T>(path: string, init: RequestInit): Promise<T> {
  const response = await sessionFetch(baseUrl + path, init)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const data = isJson ? await response.json() : await response.blob()
  return { data, status: response.status, headers: response.headers } as T
}
