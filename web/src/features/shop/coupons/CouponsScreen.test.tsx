import { screen, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { type HourCoupon, listHourCoupons, redeemHourCoupon } from '@vigil/contract/shop/coupons.ts'
import { expect, test } from 'vitest'
import { answers, aServer, booted, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import CouponsScreen from './CouponsScreen.tsx'

const boot = booted()
const enterprise = answers(bootstrap, { ...boot, settings: { ...boot.settings, IS_ENT: true } })
const coupon = (id: number, more: Partial<HourCoupon> = {}): HourCoupon => ({
  id,
  code: `CODE${id}`,
  hours: 20,
  description: 'Fair',
  redeemed_at: '2026-11-01T10:00:00Z',
  ...more,
})
const box = () => screen.getByRole('textbox', { name: 'Coupon code' })

test('the last redeemed code and all of them stand in two tables, what waits is marked', async () => {
  aServer(enterprise, answers(listHourCoupons, [coupon(3, { redeemed_at: null }), coupon(2), coupon(1)]))
  await show(<CouponsScreen />)
  await screen.findByText('Last redeemed code')
  const [last, all] = screen.getAllByRole('table')
  expect(within(last!).getByText('CODE2')).toBeVisible()
  expect(within(last!).queryByText('CODE1')).toBeNull()
  expect(
    within(all!)
      .getAllByText(/^CODE/)
      .map(({ textContent }) => textContent),
  ).toEqual(['CODE3', 'CODE2', 'CODE1'])
  expect(within(all!).getByText('Available')).toBeVisible()
})

test('a code is redeemed, and then stands there', async () => {
  const server = aServer(enterprise, answers(listHourCoupons, []))
  const { user } = await show(<CouponsScreen />)
  await screen.findByText('No codes yet')
  server.now(
    answers(redeemHourCoupon, { coupon: coupon(7), dh_balance: 30.5 }),
    answers(listHourCoupons, [coupon(7)]),
  )
  await user.type(box(), ' CODE7 ')
  await user.click(screen.getByRole('button', { name: 'Redeem' }))
  await screen.findByText(/^20 h were added\. 30\W{1,3}h\W{1,3}30\W{1,3}min are left\.$/)
  expect(server.written()).toMatchObject([{ path: redeemHourCoupon.path, body: { code: 'CODE7' } }])
  expect(await screen.findAllByText('CODE7')).toHaveLength(2)
  expect(box()).toHaveValue('')
})

test.each([
  [404, { error: 'This code is not valid.', reason: 'invalid_code' }, 'This code is not valid.'],
  [412, { error: 'You have already redeemed this coupon.', reason: 'already_redeemed' }, /already redeemed/],
  [410, { error: 'This code has expired.', reason: 'expired' }, 'This code has expired.'],
])('what is refused is said at the field: %s', async (status, body, said) => {
  aServer(enterprise, answers(listHourCoupons, []), refuses(redeemHourCoupon, status, body))
  const { user } = await show(<CouponsScreen />)
  await user.type(await screen.findByRole('textbox', { name: 'Coupon code' }), 'X')
  await user.click(screen.getByRole('button', { name: 'Redeem' }))
  await screen.findByText(said)
  expect(box()).toBeInvalid()
})
