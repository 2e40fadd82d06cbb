import t from 'tap'
import type { App } from '../../../app.ts'
import { bucket } from '../../../plugins/patterns/feature-flags.ts'
import { startService } from '../../support/helper.ts'

/** For tests that leave nothing behind that another one sees. */
const { app } = await startService(t)

const now = '2026-11-21T09:30:00.000Z'
/** Ids of the seeded accounts. */
const admin = 1
const demo = 2

async function set(
  app: App,
  flag_name: string,
  setting: { is_enabled?: boolean; rollout_pct?: number } = {}
) {
  const { is_enabled, rollout_pct } = setting
  await app.db.repos.featureFlags.set({ flag_name, is_enabled, rollout_pct, now })
}

async function override(app: App, flag_name: string, user_id: number, is_enabled: boolean) {
  await app.db.repos.featureFlags.setOverride({ flag_name, user_id, is_enabled, now })
}

t.test('the bucket is the first 32 bits of SHA-256, mod 100 (contract FLAG-2)', async (t) => {
  // printf %s FLAG:USER | sha256sum | head -c 8, as a number, mod 100.
  const cases: [flag: string, user: number, head: number][] = [
    ['checkout.new-form', 1, 0x3a9644a5],
    ['checkout.new-form', 2, 0x2bdb1471],
    ['checkout.new-form', 3, 0x0754887a],
    ['flag', 1, 0x98213990],
    ['flag', 2, 0xf08a3e5b],
    ['a', 9007199254740991, 0xd5e79adf],
    ['x:y', 7, 0xacaa71bd]
  ]
  for (const [flag, user, head] of cases) t.equal(bucket(flag, user), head % 100, `${flag}:${user}`)
  const users = Array.from({ length: 20_000 }, (_, index) => index + 1)
  const counts = Object.values(Object.groupBy(users, (user) => bucket('spread', user)))
  t.equal(counts.length, 100, 'users are spread over every bucket')
  for (const count of counts) t.match(count?.length, /^(1[2-9]|2[0-7])\d$/, 'evenly')
})

t.test('override, then global, then rollout, then false (contract FLAG-1)', async (t) => {
  const place = bucket('flag', demo)
  const cases: [
    rule: string,
    setting: { is_enabled: boolean; rollout_pct: number },
    override: boolean | null,
    expected: { demo: boolean; nobody: boolean }
  ][] = [
    ['off', { is_enabled: false, rollout_pct: 0 }, null, { demo: false, nobody: false }],
    ['on', { is_enabled: true, rollout_pct: 0 }, null, { demo: true, nobody: true }],
    [
      'bucket below',
      { is_enabled: false, rollout_pct: place + 1 },
      null,
      { demo: true, nobody: false }
    ],
    [
      'bucket not below',
      { is_enabled: false, rollout_pct: place },
      null,
      { demo: false, nobody: false }
    ],
    ['everybody', { is_enabled: false, rollout_pct: 100 }, null, { demo: true, nobody: false }],
    ['granted', { is_enabled: false, rollout_pct: 0 }, true, { demo: true, nobody: false }],
    ['killed while on', { is_enabled: true, rollout_pct: 0 }, false, { demo: false, nobody: true }],
    [
      'killed in the rollout',
      { is_enabled: false, rollout_pct: 100 },
      false,
      { demo: false, nobody: false }
    ],
    ['granted while on', { is_enabled: true, rollout_pct: 0 }, true, { demo: true, nobody: true }]
  ]
  for (const [rule, setting, own, expected] of cases) {
    await set(app, 'flag', setting)
    if (own === null) {
      await app.db.repos.featureFlags.removeOverride({ flag_name: 'flag', user_id: demo })
    } else await override(app, 'flag', demo, own)
    const actual = {
      demo: await app.flags.isEnabled('flag', demo),
      nobody: await app.flags.isEnabled('flag')
    }
    t.same(actual, expected, rule)
    t.same(
      [await app.flags.evaluateAll(demo), await app.flags.evaluateAll()],
      [{ flag: expected.demo }, { flag: expected.nobody }],
      `${rule}: all flags say the same`
    )
  }
  t.equal(await app.flags.isEnabled('unknown'), false, 'an unknown flag is off')
  t.equal(await app.flags.isEnabled('unknown', demo), false, 'for a user too')
})

t.test("a user's override applies to nobody else", async (t) => {
  const { app } = await startService(t)
  await set(app, 'one')
  await set(app, 'other')
  await override(app, 'one', demo, true)
  t.same(await app.flags.evaluateAll(demo), { one: true, other: false })
  t.same(await app.flags.evaluateAll(admin), { one: false, other: false })
  t.equal(await app.flags.isEnabled('one', demo), true)
  t.equal(await app.flags.isEnabled('one', admin), false)
})

t.test('raising rollout_pct never takes the flag from anyone', async (t) => {
  const users = Array.from({ length: 200 }, (_, index) => index + 1)
  let had: number[] = []
  for (let rollout_pct = 0; rollout_pct <= 100; rollout_pct++) {
    await set(app, 'flag', { rollout_pct })
    const has: number[] = []
    for (const user of users) if (await app.flags.isEnabled('flag', user)) has.push(user)
    t.same(
      had.filter((user) => !has.includes(user)),
      [],
      `at ${rollout_pct} %`
    )
    had = has
  }
  t.equal(had.length, users.length, 'at 100 % everybody has it')
})
