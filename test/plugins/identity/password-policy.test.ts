import { dictionary } from '@zxcvbn-ts/language-common'
import t from 'tap'
import { passwordProblem } from '../../../plugins/identity/passwords/policy.ts'

const owner = { user_id: 'Anna.Example', e_mail: 'Anna@Example.com' }
const common = 'must not be one of the most common passwords'

t.test(
  'none of the 10,000 most common that are long enough, in any case (contract PASSWORD-1)',
  async (t) => {
    const list = dictionary['passwords-common'].filter((text) => text.length >= 8)
    t.ok(list.length > 10_000, `the list has ${list.length}`)
    const refused = await Promise.all(list.map((text) => passwordProblem(text, owner)))
    t.equal(refused.filter((problem) => problem === common).length, 10_000)
    t.ok(refused.slice(0, 10_000).every(Boolean), 'the most frequent ones')
    t.equal(refused[10_000], undefined)
    for (const text of [
      'password',
      'Password1',
      'QWERTYUIOP',
      '12345678',
      'iLoveYou',
      'superman'
    ]) {
      t.equal(await passwordProblem(text, owner), common, text)
    }
  }
)

t.test('neither login name nor mail address, in any case (contract PASSWORD-1)', async (t) => {
  for (const [text, problem] of [
    ['anna.example', 'must not be the login name'],
    ['ANNA.EXAMPLE', 'must not be the login name'],
    ['anna@example.com', 'must not be the email address'],
    ['Anna@Example.com ', 'must not be the email address'],
    ['anna.example1', undefined]
  ] as const) {
    t.equal(await passwordProblem(text, owner), problem, text)
  }
})

t.test('at least 8 characters, at most 72 bytes, not blank (contract PASSWORD-1)', async (t) => {
  const blank = 'must have a character other than white space'
  for (const [text, problem] of [
    ['', 'must have at least 8 characters'],
    ['🔑'.repeat(7), 'must have at least 8 characters'],
    ['🔑'.repeat(8), undefined],
    ['🔑'.repeat(18), undefined],
    ['🔑'.repeat(19), 'must have at most 72 bytes'],
    ['x'.repeat(73), 'must have at most 72 bytes'],
    [' '.repeat(8), blank],
    ['\u3000\t\n\u00a0    ', blank]
  ] as const) {
    t.equal(await passwordProblem(text, owner), problem, text)
  }
})
