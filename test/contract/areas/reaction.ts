import type { Attempt } from '../document/attempts.ts'
import { operationOf } from '../document/operations.ts'
import { type Preparations, send } from '../document/service.ts'
import { call } from '../document/triggers.ts'

export const errors = {
  'REACTION-TYPE-INVALID': '400 Invalid reaction type.',
  'REACTION-NOT-FOUND': '404 Reaction not found.'
}

export const prepare: Preparations = {
  async removeReaction(call, service) {
    const toggle = () => send(service, operationOf('toggleReaction'), call, 'admin')
    const { body } = await toggle()
    if (JSON.parse(body).Data.action === 'removed') await toggle()
  }
}

export const attempts: Record<string, Attempt[]> = {
  removeReaction: [
    {
      name: 'removed already',
      change: (call, service) => send(service, operationOf('removeReaction'), call, 'admin'),
      expected: [404]
    }
  ]
}

export const triggers = {
  'REACTION-TYPE-INVALID': call('toggleReaction', { params: { reactionType: 'boo' } }),
  'REACTION-NOT-FOUND': call('removeReaction', { params: { targetId: '999999' } })
}
