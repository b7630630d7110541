import { screen, waitFor, within } from '@testing-library/react'
import { countPrinterEvents, listPrinterEvents, type PrinterEvent } from '@vigil/contract/core/events.ts'
import { expect, test } from 'vitest'
import { answers, aServer } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import EventsScreen from './EventsScreen.tsx'

const NOON = new Date().setHours(12, 0, 0, 0)
const event = (id: number, minutesAgo: number, more: Partial<PrinterEvent>): PrinterEvent => ({
  id,
  print: null,
  printer: 1,
  event_type: 'PRINTER_ERROR',
  event_class: 'INFO',
  event_title: 'Printer error',
  event_text: null,
  image_url: null,
  info_url: null,
  created_at: new Date(NOON - minutesAgo * 60_000).toISOString(),
  ...more,
})

test('a print is one row by day, with its beginning and end, and leads to its page', async () => {
  aServer(
    answers(listPrinterEvents, [
      event(4, 0, {
        print: 7,
        event_type: 'ENDED',
        event_class: 'SUCCESS',
        event_title: 'Print job finished',
      }),
      event(3, 20, { print: 7, event_type: 'STARTED', event_title: 'Print job started' }),
      event(2, 60, { event_class: 'ERROR' }),
      event(1, 24 * 60, { event_class: 'ERROR' }),
    ]),
  )
  await show(<EventsScreen />, { at: '/printer_events/' })
  const today = await screen.findByRole('region', { name: 'Today' })
  expect(within(today).getAllByRole('article')).toHaveLength(2)
  const print = within(today).getByRole('article', { name: 'Print job finished' })
  expect(print).toHaveTextContent('11:40 to 12:00')
  expect(within(print).getByRole('link', { name: 'Print job finished' })).toHaveAttribute('href', '/prints/7')
  expect(screen.queryByText('Print job started')).toBeNull()
  expect(within(screen.getByRole('region', { name: 'Yesterday' })).getAllByRole('article')).toHaveLength(1)
})

test('an alert that is open is answered in its row; one that is over is not', async () => {
  aServer(
    answers(listPrinterEvents, [
      event(9, 0, {
        print: 12,
        printer: 2,
        event_type: 'FAILURE_ALERTED',
        event_class: 'ERROR',
        event_title: 'Alert',
      }),
      event(8, 5, {
        print: 12,
        printer: 2,
        event_type: 'FAILURE_ALERTED',
        event_class: 'ERROR',
        event_title: 'Before',
      }),
      event(7, 9, {
        print: 6,
        printer: 2,
        event_type: 'FAILURE_ALERTED',
        event_class: 'ERROR',
        event_title: 'Old',
      }),
    ]),
  )
  const { user } = await show(<EventsScreen />, { at: '/printer_events/' })
  const row = await screen.findByRole('article', { name: 'Alert' })
  await user.click(await within(row).findByRole('button', { name: 'Cancel print' }))
  expect(await screen.findByRole('dialog')).toBeInTheDocument()
  for (const name of ['Before', 'Old'])
    expect(within(screen.getByRole('article', { name, hidden: true })).queryByRole('button')).toBeNull()
})

test('the filters say how many there are of each, as the other filter stands', async () => {
  aServer(
    answers(listPrinterEvents, []),
    answers(countPrinterEvents, [
      { event_class: 'ERROR', event_type: 'FAILURE_ALERTED', count: 3 },
      { event_class: 'INFO', event_type: 'ALERT_MUTED', count: 2 },
      { event_class: 'INFO', event_type: 'PAUSED', count: 7 },
    ]),
  )
  const { user } = await show(<EventsScreen />, { at: '/printer_events/' })
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  // What unfolds is not laid out here.
  const many = (group: string) =>
    within(screen.getByRole('group', { name: group, hidden: true }))
      .getAllByRole('menuitemcheckbox', { hidden: true })
      .map(({ textContent }) => textContent)
  await screen.findByRole('group', { name: 'Classes', hidden: true })
  await waitFor(() => expect(many('Classes')).toEqual(['All12', 'Error3', 'Warning0', 'Success0', 'Info9']))
  expect(many('Types')).toContain('Failure alert5')
  await user.click(screen.getByRole('menuitemcheckbox', { name: /Failure alert/, hidden: true }))
  await waitFor(() => expect(many('Classes')).toEqual(['All5', 'Error3', 'Warning0', 'Success0', 'Info2']))
})
