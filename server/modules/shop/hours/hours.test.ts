import { detectionHours, hourTransaction } from '@vigil/contract/shop/hours.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { credit } from './index.ts'

let app: TestApp
let owner: TestUser
/** Of the month of which a new account has had its hours. */
const aFreeUser = async () => {
  const user = await aUser(app)
  await setPlan(app.ctx, { email: user.email, plan: 'free' })
  return user
}

beforeAll(async () => {
  app = await buildTestApp({ env: { IS_ENT: 'true' } })
})
afterAll(() => app.close())

const earn = (key: string, hours = 2, who = owner) =>
  credit(app.ctx, {
    userId: who.id,
    kind: 'earned',
    bucket: 'earned',
    hours,
    reason: 'focused_feedback',
    key,
  })
const get = async (path = '', who = owner, headers = {}) =>
  (await call(app, 'GET', `/ent/api/detection_hours/${path}`, { cookie: who.cookie, headers })).json
const me = async (who = owner) => (await call(app, 'GET', '/api/v1/users/me/', { cookie: who.cookie })).json

/** Of every transaction the sum of its entries, and of every user what the ledger, the balances and the user say. */
async function books() {
  const { rows: open } = await sql`
    select transaction_id from hour_transactions left join hour_entries on id = transaction_id
    group by transaction_id having count(*) <> 2 or sum(hour_entries.seconds) <> 0`.execute(app.ctx.db)
  const { rows: torn } = await sql`
    select users.id from users
    left join (select user_id, sum(seconds) as seconds from hour_transactions group by user_id) ledger
      on ledger.user_id = users.id
    left join (select user_id, sum(seconds) as seconds from hour_balances group by user_id) balances
      on balances.user_id = users.id
    where coalesce(ledger.seconds, 0) <> coalesce(balances.seconds, 0)
      or coalesce(ledger.seconds, 0)::double precision / 3600 <> users.dh_balance`.execute(app.ctx.db)
  return { open, torn }
}

test('an account sees what it has, how it came to it, and what it may still do with it', async () => {
  owner = await aFreeUser()
  const next = { hours: 10, at: expect.stringMatching(/Z$/) }
  const none = {
    balance: 0,
    included: 0,
    earned: 0,
    is_unlimited: false,
    included_expires_at: expect.stringMatching(/Z$/),
    low: true,
    next_grant: next,
  }
  const hours = await get()
  expect(hours).toEqual(none)
  // What comes each month on the Free plan is gone when the next comes.
  expect(hours.included_expires_at).toBe(hours.next_grant.at)
  // What the operator gave and took again.
  expect(await get('transactions/')).toMatchObject([
    {
      hours: -50,
      kind: 'expiry',
      bucket: 'included',
      description: 'Expired with the plan',
      balance_after: 0,
    },
    { hours: 50, kind: 'grant', bucket: 'included', description: 'Hours of the month', balance_after: 50 },
  ])
  await earn('a')
  const plan = { userId: owner.id, kind: 'grant', bucket: 'included', reason: 'opening' } as const
  await credit(app.ctx, { ...plan, hours: 9.25, key: 'b' })
  await credit(app.ctx, { ...plan, kind: 'usage', hours: -0.75, key: 'c' })
  const later = await get()
  expect(detectionHours.strict().parse(later)).toEqual({
    ...none,
    balance: 10.5,
    included: 8.5,
    earned: 2,
    low: false,
  })
  const transactions = await get('transactions/')
  expect(hourTransaction.strict().array().parse(transactions).slice(0, 3)).toMatchObject([
    { hours: -0.75, kind: 'usage', bucket: 'included', balance_after: 10.5 },
    { hours: 9.25, kind: 'grant', bucket: 'included', balance_after: 11.25 },
    {
      id: expect.any(Number),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      hours: 2,
      kind: 'earned',
      bucket: 'earned',
      description: 'Focused feedback',
      print: null,
      print_name: null,
      balance_after: 2,
    },
  ])
  expect(await get('transactions/?start=1&limit=1')).toEqual([transactions[1]])
  expect((await get('transactions/?start=2&lang=zh'))[0].description).toBe('重点反馈')
  expect(await me()).toMatchObject({ dh_balance: 10.5, is_dh_unlimited: false, subscription: null })
})

test('the whole statement is a file of seconds, and nobody else’s', async () => {
  const fetched = await fetch(`${app.url}/ent/api/detection_hours/statement/`, {
    headers: { cookie: owner.cookie },
  })
  expect(fetched.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...rows] = (await fetched.text()).trimEnd().split('\r\n')
  expect(head).toBe('time,kind,bucket,description,print,seconds,balance_seconds')
  expect(rows.map((row) => row.split(',').slice(1).join(','))).toEqual([
    'usage,included,"Balance before the ledger began",,-2700,37800',
    'grant,included,"Balance before the ledger began",,33300,40500',
    'earned,earned,"Focused feedback",,7200,7200',
    'expiry,included,"Expired with the plan",,-180000,0',
    'grant,included,"Hours of the month",,180000,180000',
  ])
  expect((await call(app, 'GET', '/ent/api/detection_hours/statement/')).status).toBe(403)
})

test('twelve credits at once each count once, and every one has its counter-entry', async () => {
  owner = await aFreeUser()
  const other = await aFreeUser()
  const keys = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']
  const given = await Promise.all([...keys, ...keys].map((key) => earn(key, 1.1)))
  expect(given.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1])
  expect(await Promise.all(keys.map((key) => earn(`other ${key}`, 0.1, other)))).toEqual(keys.map(() => 0.1))
  expect((await get()).balance).toBe(6.6)
  expect((await me()).dh_balance).toBe(6.6)
  expect((await me(other)).dh_balance).toBe(0.6)
  const after = (await get('transactions/?limit=6')).map(
    ({ balance_after }: { balance_after: number }) => balance_after,
  )
  expect(after).toEqual([6.6, 5.5, 4.4, 3.3, 2.2, 1.1])
  expect(await books()).toEqual({ open: [], torn: [] })
})

test('a credit of a transaction that fails is none', async () => {
  const before = await get('transactions/')
  await expect(
    app.ctx.db.transaction().execute(async (tx) => {
      await credit(
        { ...app.ctx, db: tx },
        {
          userId: owner.id,
          kind: 'earned',
          bucket: 'earned',
          hours: 2,
          reason: 'focused_feedback',
          key: 'undone',
        },
      )
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await get('transactions/')).toEqual(before)
  expect(await earn('undone')).toBe(2)
})

test('from a hundred million hours on there is no end', async () => {
  await earn('many', 100_000_000)
  expect(await get()).toMatchObject({ is_unlimited: true, low: false })
  expect(await me()).toMatchObject({ is_dh_unlimited: true })
})
