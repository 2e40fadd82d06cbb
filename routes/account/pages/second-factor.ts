import type { FastifyInstance } from 'fastify'
import {
  SecondFactorBegin,
  SecondFactorCode,
  SecondFactorEnd
} from '../../../schemas/second-factor.ts'
import { action, type Section } from './section.ts'

/** The second factor: the forms of `/account/totp` and `/account/totpoff`. */
export const secondFactor = (app: FastifyInstance): Section => ({
  name: 'factor',
  title: 'Second factor',
  labels: { code: 'The code', user_pass: 'The password' },
  actions: {
    beginfactor: action(app, SecondFactorBegin, async (form, request) => {
      const setup = await app.secondFactor.begin(request, form)
      return { show: { setup: { ...setup, qr: await drawn(setup.otpauth_url) } } }
    }),
    confirmfactor: action(app, SecondFactorCode, async (form, request) => ({
      show: { codes: await app.secondFactor.confirm(request, form) }
    })),
    endfactor: action(app, SecondFactorEnd, async (form, request) => {
      await app.secondFactor.end(request, form)
      return undefined
    })
  },
  done: { endfactor: 'The second factor was switched off.' },
  async load(request) {
    const { user } = request.viewer
    if (await app.secondFactor.isOn(user)) {
      return { isOn: true, left: await app.repos.recoveryCodes.count({ user_id: user.id }) }
    }
    return {
      isOn: false,
      asksPassword: !(await app.secondFactor.isFresh(request)),
      isBegun: await app.secondFactor.isBegun(request)
    }
  }
})

const border = 4

/** A QR code as the path of an SVG, a unit for each square, and how wide that is. */
async function drawn(text: string) {
  const { default: encodeQR } = await import('qr')
  const rows = encodeQR(text, 'raw', { border, ecc: 'medium' })
  const runs = rows.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g)
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
  )
  return { size: rows.length, path: runs.join('') }
}
