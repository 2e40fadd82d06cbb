import type { FastifyInstance } from 'fastify'
import { isRecent } from '../../../plugins/identity/recent-sign-in.ts'
import { form } from '../../../plugins/patterns/pages/form.ts'
import type { Page } from '../../../plugins/patterns/pages/page.ts'
import {
  SecondFactorBegin,
  SecondFactorCode,
  SecondFactorEnd
} from '../../../schemas/second-factor.ts'

/** Wrong codes and passwords are refused with one code: the form does not say which it was. */
const words = { 'LOGIN-FAILED': 'The code or the password is wrong, or the code was already used.' }

/** The ways to sign in: the forms of `/account/totp` and `/account/totpoff`. */
export const signIn = (app: FastifyInstance): Page => ({
  url: '/account/signin',
  title: 'Ways to sign in',
  view: 'routes/account/pages/sign-in',
  forms: {
    beginfactor: form(app, SecondFactorBegin, {
      once: true,
      async run(fields, request) {
        const setup = await app.secondFactor.begin(request, fields)
        return { show: { setup: { ...setup, qr: await drawn(setup.otpauth_url) } } }
      },
      at: { 'LOGIN-FAILED': 'user_pass' },
      words: { 'LOGIN-FAILED': 'This is not your password.' }
    }),
    confirmfactor: form(app, SecondFactorCode, {
      run: async (fields, request) => ({
        show: { codes: await app.secondFactor.confirm(request, fields) }
      }),
      at: { 'LOGIN-FAILED': 'code' },
      words
    }),
    endfactor: form(app, SecondFactorEnd, {
      done: 'The second factor was switched off.',
      async run(fields, request) {
        await app.secondFactor.end(request, fields)
        return undefined
      },
      at: { 'LOGIN-FAILED': 'code' },
      words
    })
  },
  async load(request) {
    const { user } = request.viewer
    if (await app.secondFactor.isOn(user)) {
      return { isOn: true, left: await app.repos.recoveryCodes.count({ user_id: user.id }) }
    }
    return {
      isOn: false,
      asksPassword: !(await isRecent(request)),
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
