import type { Preparations } from '../document/service.ts'
import { call } from '../document/triggers.ts'

export const prepare: Preparations = {
  // Their `{id}` is the id of a user.
  setFlagOverride: (call) => Object.assign(call.params, { id: '2' }),
  removeFlagOverride: (call) => Object.assign(call.params, { id: '2' })
}

export const triggers = {
  'FLAG-NOT-FOUND': call('setFlagOverride', { json: { flag_name: 'none', is_enabled: true } })
}
