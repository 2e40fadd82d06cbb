import type { Test } from 'tap'
import { signIn, startService } from './helper.ts'

export type Sent = Awaited<ReturnType<Awaited<ReturnType<typeof signIn>>['send']>>

/** A service and a signed-in user who works in runs. */
export async function startRuns(t: Test, env?: Record<string, string>) {
  const service = await startService(t, env)
  const { app } = service
  const demo = await signIn(app)
  /** Sends a request as part of a run. */
  const inRun = async (
    run: string,
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body: unknown = {},
    headers = {}
  ): Promise<Sent> =>
    app.inject({
      method,
      url,
      headers: { cookie: demo.cookie, 'x-csrf-token': demo.csrfToken, 'x-run-id': run, ...headers },
      payload: JSON.stringify(body)
    })
  const undo = (body: object) => demo.send('POST', '/activity/undo', body)
  const todos = async () =>
    (await demo.send('GET', '/todo/index'))
      .json()
      .Data.todos.map(({ id, title, is_completed }: Record<string, unknown>) => [
        id,
        title,
        is_completed
      ])
  const changes = async (query = '') =>
    (await demo.send('GET', `/activity/index?${query}`)).json().Data.changes
  const runs = async () => (await demo.send('GET', '/activity/runs')).json().Data.runs
  return { ...service, demo, inRun, undo, todos, changes, runs }
}
