import { type Batch, silentSeconds, untilRefused } from './changes.ts'

interface Shared {
  /** Who shares: those that may see the same changes. */
  name: string
  /** Begins after the change with this id. */
  after: number
  /** What has come after a change. */
  missed(after: number, signal: AbortSignal): Promise<Known>
  /** The stream after a change. */
  follow(after: number, signal: AbortSignal): AsyncIterable<Batch>
  signal: AbortSignal | undefined
  /** Without a message for so many seconds, the tab that reads the stream is asleep. */
  patienceSeconds?: number
}

interface Known extends Batch {
  end: number
}

/** What the tab that reads the stream tells all: what came after a change. */
interface Message extends Known {
  after: number
}

/** So many messages may wait to be taken. If there are more, the changes are asked for again. */
const most = 100

/** Whether this is a page of a browser that can share. Others, and pages without a secure context, have streams of their own. */
export const canShare = () =>
  'document' in globalThis &&
  'BroadcastChannel' in globalThis &&
  globalThis.navigator?.locks !== undefined

/**
 * Changes as `follow` gives them, by one stream for all tabs: a browser opens six connections to a host. The tab that
 * holds the lock reads the stream and tells all, itself included; when it is closed, the lock goes to the next. Each
 * tab knows the last change that it has seen, and asks for what it has missed.
 */
export async function* share({
  name,
  after,
  missed,
  follow,
  signal: given,
  patienceSeconds = silentSeconds + 5
}: Shared): AsyncGenerator<Known, void> {
  let position = after
  // Also at first: it may have begun long after the stream.
  let isBehind = true
  let isLeading = false
  let failure: { error: unknown } | undefined
  let wake = () => {}
  /** Ends this tab's turn, or its wait for one. */
  let endTurn = () => {}

  const ending = new AbortController()
  const signal = given ? AbortSignal.any([given, ending.signal]) : ending.signal
  signal.addEventListener('abort', () => wake(), { once: true })
  const messages: Message[] = []
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => {
    messages.push(data as Message)
    if (messages.length > most) {
      messages.length = 0
      isBehind = true
    }
    wake()
  }

  async function tell(turn: AbortSignal) {
    const out = new BroadcastChannel(name)
    isLeading = true
    try {
      let after = position
      for await (const { changes, end = after } of follow(after, turn)) {
        out.postMessage({ after, changes, end } satisfies Message)
        after = end
      }
    } finally {
      isLeading = false
      out.close()
    }
  }

  async function takeTurns() {
    for (let steal = false; ; ) {
      const turn = new AbortController()
      endTurn = () => turn.abort()
      const both = AbortSignal.any([signal, turn.signal])
      try {
        await navigator.locks.request(name, steal ? { steal } : { signal: both }, () => tell(both))
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
        // Either nothing was heard while it waited, or another tab has heard nothing from this one.
        steal = turn.signal.aborted
      } finally {
        turn.abort()
      }
    }
  }
  takeTurns().catch((error) => {
    failure = { error }
    wake()
  })

  /** Resolves when there is something to do. */
  async function hear() {
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(() => {
        if (!isLeading) endTurn()
        resolve()
      }, patienceSeconds * 1000)
    })
    clearTimeout(timer)
  }

  try {
    for (;;) {
      signal.throwIfAborted()
      if (failure) throw failure.error
      const message = messages.shift()
      if (isBehind || (message && message.after > position)) {
        isBehind = false
        const batch = await untilRefused(() => missed(position, signal), signal)
        position = batch.end
        yield batch
      }
      if (message) {
        const changes = message.changes.filter(({ id }) => id > position)
        position = Math.max(position, message.end)
        yield { changes, end: position }
      }
      if (messages.length === 0 && !failure && !signal.aborted) await hear()
    }
  } finally {
    ending.abort()
    channel.close()
  }
}
