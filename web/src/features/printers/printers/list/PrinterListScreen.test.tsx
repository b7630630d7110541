import { screen, within } from '@testing-library/react'
import { listPrinters } from '@vigil/contract/printers/printers.ts'
import { getReach } from '@vigil/contract/tell/notifications.ts'
import { expect, test } from 'vitest'
import { answers, aServer } from '../../../../../test/server.ts'
import { show } from '../../../../../test/show.tsx'
import { printers } from '../../../../../dev/stub.ts'
import PrinterListScreen from './PrinterListScreen.tsx'

/** Two hours and a half minute ago: a page's clock goes by whole seconds, and may be one behind. */
const AWAY = {
  status: null,
  agent: { state: 'offline' as const, last_seen_at: new Date(Date.now() - 7_230_000).toISOString() },
}
const of = (id: number, more: object = {}) => ({
  ...printers()[0]!,
  current_print: null,
  id,
  name: `Printer ${id}`,
  watching_enabled: true,
  ...more,
})
const reach = (state: 'none' | 'works') => answers(getReach, { reach: state, channels: [] })

test('a printer that is away is a line, and the missing channel is said once for all', async () => {
  const all = [of(1), of(2, AWAY), of(3, AWAY)]
  aServer(answers(listPrinters, all), reach('none'))
  await show(<PrinterListScreen />, { at: '/printers/' })
  expect(await screen.findAllByText(/^Failure alerts do not reach you: no channel is set up\./)).toHaveLength(
    1,
  )
  const line = (await screen.findByRole('link', { name: 'Printer 2' })).closest('article')!
  expect(line).toHaveTextContent('Offline · Last seen 2 h ago')
  expect(within(line).queryByText('No picture')).toBeNull()
  expect(within(line).getByRole('link', { name: 'Settings of Printer 2' })).toBeInTheDocument()
})

test('nothing is said of channels where alerts reach the owner', async () => {
  aServer(answers(listPrinters, [of(1, AWAY), of(2, AWAY)]), reach('works'))
  await show(<PrinterListScreen />, { at: '/printers/' })
  await screen.findAllByText(/Last seen/)
  expect(screen.queryByText(/Failure alerts/)).toBeNull()
})

test('a printer that is shared says whose it is, and offers no more than one may do there', async () => {
  const running = { current_print: printers()[0]!.current_print }
  const all = [
    of(1, running),
    of(2, { ...running, role: 'operator', shared_by: 'Maria' }),
    of(3, { ...running, role: 'viewer', shared_by: 'Maria' }),
  ]
  aServer(answers(listPrinters, all), reach('works'))
  await show(<PrinterListScreen />, { at: '/printers/' })
  const card = async (id: number) =>
    (await screen.findByRole('link', { name: `Printer ${id}` })).closest('article')!
  const offered = async (id: number) => {
    const within1 = within(await card(id))
    return [
      within1.queryByText('Maria', { exact: false }) !== null,
      within1.queryByRole('button', { name: 'Pause' }) !== null,
      within1.queryByRole('link', { name: `Settings of Printer ${id}` }) !== null,
    ]
  }
  expect(await offered(1)).toEqual([false, true, true])
  expect(await offered(2)).toEqual([true, true, false])
  expect(await offered(3)).toEqual([true, false, false])
})
