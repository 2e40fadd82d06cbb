import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import encodeQR from 'qr'
import { SecondFactorCode, SecondFactorEnd } from '../../../schemas/second-factor.ts'
import { action, type Section } from './section.ts'

const Nothing = Type.Object({}, { 'x-form': true })
const Code = Type.Object(SecondFactorCode.properties, { 'x-form': true })
const End = Type.Object(SecondFactorEnd.properties, { 'x-form': true })

/** The second factor: the forms of `/account/totp` and `/account/totpoff`. */
export const secondFactor = (app: FastifyInstance): Section => ({
  name: 'factor',
  title: 'Second factor',
  labels: { code: 'The code', user_pass: 'The password' },
  actions: {
    beginfactor: action(app, Nothing, async (_form, request) => {
      await app.secondFactor.begin(request)
      return undefined
    }),
    confirmfactor: action(app, Code, async ({ code }, request) => ({
      show: { codes: await app.secondFactor.confirm(request, code) }
    })),
    endfactor: action(app, End, async (form, request) => {
      const { user_id } = request.viewer.user
      await app.verifyCredentials(request, { user_id, ...form })
      await app.secondFactor.end(request)
      return undefined
    })
  },
  done: { endfactor: 'The second factor was switched off.' },
  async load(request) {
    const { user } = request.viewer
    if (await app.secondFactor.isOn(user)) {
      return { isOn: true, left: await app.repos.recoveryCodes.count({ user_id: user.id }) }
    }
    const setup = await app.secondFactor.findSetup(request)
    return { isOn: false, setup: setup && { ...setup, qr: drawn(setup.otpauth_url) } }
  }
})

const border = 4

/** A QR code as the path of an SVG, a unit for each square, and how wide that is. */
function drawn(text: string) {
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
