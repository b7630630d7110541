import { screen, waitFor } from '@testing-library/react'
import { getPrintTotals, listPrints, type PrintTotals } from '@vigil/contract/prints/prints.ts'
import { expect, test } from 'vitest'
import { answers, aServer } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import HistoryScreen from './HistoryScreen.tsx'

const TOTALS: PrintTotals = {
  count: 38,
  print_time: 7200,
  filament_used: 4000,
  succeeded: 32,
  cancelled: 6,
  failed: 3,
  failed_cancelled: 2,
  running: 0,
  need_alert_overwrite: 0,
  months: [],
}

test('each result says how many it would show, and what is chosen stands in the address', async () => {
  const server = aServer(answers(getPrintTotals, TOTALS), answers(listPrints, []))
  const { user, router } = await show(<HistoryScreen />, { at: '/print_history/' })
  for (const words of ['All 38', 'Finished 31', 'Cancelled 4', 'Failed 3'])
    expect(await screen.findByRole('radio', { name: words })).toBeInTheDocument()
  await user.click(screen.getByRole('radio', { name: 'Failed 3' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ status: 'failed' }))
  await waitFor(() =>
    expect(server.asked.findLast(({ path }) => path === listPrints.path)?.query).toMatchObject({
      failed: 'true',
    }),
  )
})

test('an address that was kept shows what it showed', async () => {
  const server = aServer(answers(getPrintTotals, TOTALS), answers(listPrints, []))
  await show(<HistoryScreen />, { at: '/print_history/?status=cancelled' })
  await waitFor(() =>
    expect(server.asked.findLast(({ path }) => path === listPrints.path)?.query).toMatchObject({
      filter: 'cancelled',
      failed: 'false',
    }),
  )
})
