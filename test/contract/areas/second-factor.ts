import { codeAt } from '../../support/second-factor.ts'
import type { Attempt } from '../document/attempts.ts'
import {
  type Call,
  type Everything,
  json,
  type Preparations,
  sendExample
} from '../document/service.ts'
import { becomeSomebodyElse, oldPassword } from '../document/somebody.ts'
import type { Trigger } from '../document/triggers.ts'

const known = { user_pass: oldPassword }

/** Begins a second factor as a new administrator; returns the login name and the current code. */
async function begin(service: Everything) {
  const user_id = await becomeSomebodyElse(service)
  const { body } = await sendExample(service, 'beginSecondFactor', { body: JSON.stringify(known) })
  return { user_id, code: codeAt(JSON.parse(body).Data.secret, service.clock.now) }
}

async function confirm(service: Everything) {
  const { user_id, code } = await begin(service)
  const body = JSON.stringify({ code })
  const answer = await sendExample(service, 'confirmSecondFactor', { body })
  const codes: string[] = JSON.parse(answer.body).Data.recovery_codes
  return { user_id, user_pass: oldPassword, code: codes[0] }
}

export const errors = {
  'SECOND-FACTOR-REQUIRED': '401 A second-factor code is required.'
}

export const prepare: Preparations = {
  async beginSecondFactor(call, service) {
    await becomeSomebodyElse(service)
    json(known)(call)
  },
  async confirmSecondFactor(call, service) {
    const { code } = await begin(service)
    json({ code })(call)
  },
  async endSecondFactor(call, service) {
    const { user_pass, code } = await confirm(service)
    json({ user_pass, code })(call)
  }
}

const isOn = (_call: Call, service: Everything) => confirm(service)

export const attempts: Record<string, Attempt[]> = {
  beginSecondFactor: [{ name: 'it is on', change: isOn, expected: [409] }],
  confirmSecondFactor: [{ name: 'it is on', change: isOn, expected: [409] }],
  endSecondFactor: [
    {
      name: 'it is off',
      change: (_call, service) => begin(service),
      expected: [409]
    }
  ]
}

const required: Trigger = async (service) => {
  const { ways } = service
  const { admin } = ways
  const { user_id, user_pass } = await confirm(service)
  ways.admin = admin
  const body = JSON.stringify({ user_id, user_pass })
  return sendExample(service, 'login', { body }, 'nobody')
}

export const triggers = { 'SECOND-FACTOR-REQUIRED': required }
