import type { WholeChange } from './changes.ts'
import type { Client, Item, LivePath, PagesInit } from './types.ts'

/** What a query gets from TanStack Query, as far as it is used: nothing of it is loaded here. */
interface Context {
  client: { setQueryData(queryKey: readonly unknown[], rows: unknown): unknown }
  queryKey: readonly unknown[]
  signal: AbortSignal
}

/** A change that is shown before the service has answered, or before the list tells of it. */
interface Pending<Row> {
  change: (rows: readonly Row[]) => readonly Row[]
  /** `X-Request-Id` of the answer, which the changes of the request have too. */
  requestId: string | null | undefined
}

/**
 * A live list for TanStack Query, in any framework: `useQuery(todos.queryOptions)`. The query is fetching as
 * long as it is live, and the stream is closed with its last observer. Make one list for each QueryClient.
 */
export function liveList<Path extends LivePath>(
  api: Client,
  path: Path,
  init: Pick<PagesInit<Path>, 'query'> = {}
) {
  type Row = Item<Path>
  const pending = new Set<Pending<Row>>()
  /** The requests whose changes came while something was pending: an event can be faster than its answer. */
  const told = new Set<string>()
  const idle = () => {}
  /** Shows the rows in the query, while it is live. */
  let show = idle

  /** Drops what the rows have without it. A list that was read again has all that was answered before. */
  function settle(changes: readonly WholeChange[]) {
    const isRead = changes.length === 0
    for (const { request_id } of changes) told.add(request_id)
    for (const one of pending) {
      const { requestId } = one
      if (requestId !== undefined && (isRead || told.has(requestId ?? ''))) pending.delete(one)
    }
    if (pending.size === 0) told.clear()
  }

  return {
    queryOptions: {
      queryKey: [path, init.query ?? {}] as const,
      /** The client itself tries again what may succeed. */
      retry: false as const,
      async queryFn({ client, queryKey, signal }: Context): Promise<readonly Row[]> {
        let base: readonly Row[] = []
        const showBase = () => {
          const rows = [...pending].reduce((rows, { change }) => change(rows), base)
          client.setQueryData(queryKey, rows)
        }
        try {
          for await (const { rows, changes } of api.live(path, { ...init, signal })) {
            base = rows
            show = showBase
            settle(changes)
            // Until the answer says which of these changes is its own, a row could be shown twice.
            if ([...pending].every(({ requestId }) => requestId !== undefined)) show()
          }
        } finally {
          // The next one may have begun.
          if (show === showBase) show = idle
        }
        return base
      }
    },

    /**
     * Shows a change of the rows at once, and sends it. If it is refused, or not answered, the change is taken
     * back and the error thrown. `send` makes one call of the client that changes rows of this list.
     */
    async optimistic<Answer extends { response: Response }>(
      change: (rows: readonly Row[]) => readonly Row[],
      send: () => Promise<Answer>
    ): Promise<Answer> {
      const one: Pending<Row> = { change, requestId: undefined }
      pending.add(one)
      show()
      try {
        const answer = await send()
        const { headers } = answer.response
        one.requestId = headers.get('x-request-id')
        const isKnown = told.has(one.requestId ?? '') || headers.has('idempotent-replayed')
        if (isKnown) pending.delete(one)
        return answer
      } catch (error) {
        pending.delete(one)
        throw error
      } finally {
        if (pending.size === 0) told.clear()
        show()
      }
    }
  }
}
