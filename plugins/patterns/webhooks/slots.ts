interface Slot {
  user_id: number
  ending: AbortController
}

/**
 * What a process sends at a time, by the id of the subscription. A user may begin as many as half of the slots that are free,
 * so a few users whose receivers are slow leave room for all others.
 */
export function makeSlots(max: number) {
  const slots = new Map<number, Slot>()
  /** With what follows when a slot is free again. */
  const works = new Set<Promise<void>>()
  const free = () => max - slots.size

  function isFull(user_id: number) {
    const own = [...slots.values()].filter((slot) => slot.user_id === user_id).length
    return own >= free() / 2
  }

  return {
    free,
    isFull,
    has: (id: number) => slots.has(id),
    ids: () => [...slots.keys()],
    /** The users who may begin no more. */
    fullUsers: () => [...new Set([...slots.values()].map(({ user_id }) => user_id))].filter(isFull),
    begin(id: number, user_id: number, work: (ending: AbortSignal) => Promise<void>) {
      const ending = new AbortController()
      slots.set(id, { user_id, ending })
      const done = work(ending.signal).finally(() => works.delete(done))
      works.add(done)
    },
    end: (id: number) => slots.delete(id),
    /** Aborts what is being sent to a subscription. */
    stop: (id: number) => slots.get(id)?.ending.abort(),
    /** Resolves when nothing is being sent. */
    async idle() {
      while (works.size > 0) await Promise.all(works)
    }
  }
}
