import { screen } from '@testing-library/react'
import {
  type DetectionHours,
  getDetectionHours,
  type HourTransaction,
  listHourTransactions,
} from '@vigil/contract/shop/hours.ts'
import { expect, test } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import HoursScreen from './HoursScreen.tsx'

const at = new Date().toISOString()
const hours = (more: Partial<DetectionHours> = {}): DetectionHours => ({
  balance: 143.2,
  included: 61.2,
  earned: 82,
  is_unlimited: false,
  included_expires_at: null,
  low: false,
  next_grant: { hours: 50, at },
  ...more,
})
const row = (id: number, more: Partial<HourTransaction> = {}): HourTransaction => ({
  id,
  created_at: at,
  hours: 2,
  kind: 'earned',
  bucket: 'earned',
  description: 'Focused feedback',
  print: null,
  print_name: null,
  balance_after: 90,
  ...more,
})

test('the balance is told by its kinds, with what comes next, and rows lead to their prints', async () => {
  aServer(
    answers(getDetectionHours, hours()),
    answers(listHourTransactions, [
      row(2),
      row(1, { hours: -1.25, kind: 'usage', bucket: 'included', print: 7, print_name: 'vase.gcode' }),
    ]),
  )
  await show(<HoursScreen />)
  await screen.findByText(/^143\W{1,3}h\W{1,3}12\W{1,3}min$/)
  expect(screen.getByText(/^82\W{1,3}h$/)).toBeVisible()
  expect(screen.getByText(/^\+ 50\W{1,3}h$/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'vase.gcode' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/prints\/7\/?$/),
  )
  expect(screen.getByText(/^\u22121\W{1,3}h\W{1,3}15\W{1,3}min$/)).toBeVisible()
  expect(screen.getByRole('link', { name: /CSV/ })).toHaveAttribute(
    'href',
    expect.stringContaining('/ent/api/detection_hours/statement/?lang=en'),
  )
})

test('who has none left is told so', async () => {
  aServer(
    answers(getDetectionHours, hours({ balance: -0.5, included: -0.5, earned: 0, low: true })),
    answers(listHourTransactions, []),
  )
  await show(<HoursScreen />)
  await screen.findByText(/You have run out of AI Detection Hours/)
  expect(screen.getByText('Nothing yet')).toBeVisible()
})

test('who has no end of them is told that', async () => {
  aServer(answers(getDetectionHours, hours({ is_unlimited: true })), answers(listHourTransactions, []))
  await show(<HoursScreen />)
  await screen.findByText('Unlimited')
})

test('a statement that does not load says so', async () => {
  aServer(answers(getDetectionHours, hours()), refuses(listHourTransactions, 500, {}))
  await show(<HoursScreen />)
  await screen.findByText('Your hours could not be loaded')
})
