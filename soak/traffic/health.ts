import type { AreaTraffic } from '../client.ts'

/** A caller who reads the state of the service. */
export default function health(): AreaTraffic {
  return { visit: ({ caller }) => [() => caller.send('getHealth')] }
}
