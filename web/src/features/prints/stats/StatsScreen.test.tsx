import { screen, waitFor, within } from '@testing-library/react'
import { getStats, type Stats } from '@vigil/contract/prints/stats.ts'
import { expect, test, vi } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import * as csv from '../../../lib/csv.ts'
import StatsScreen from './StatsScreen.tsx'

const groups = (...values: number[]) =>
  values.map((value, at) => ({ key: `202${at + 5}-01-01T00:00:00+00:00`, value }))
const STATS: Stats = {
  print_count_groups: groups(2, 1),
  print_time_groups: groups(7200, 3600),
  filament_used_groups: groups(4200, 1000),
  total_print_count: 3,
  total_print_time: 10_800,
  total_filament_used: 5_200,
  total_cancelled_print_count: 0,
  total_succeeded_print_count: 2,
  longest_print_time: 7_200,
  average_print_time: 3_600,
}
const rows = (title: string) =>
  within(screen.getByRole('region', { name: `${title} as a table` }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent))

test('prints stand in figures, charts and tables; filters and grouping ask anew and are kept', async () => {
  const server = aServer(answers(getStats, STATS))
  const { user } = await show(<StatsScreen />, { at: '/stats/' })
  await screen.findByText('Total prints')
  for (const [name, value] of [
    ['Total prints', '3'],
    ['Succeeded', '2'],
    ['Cancelled', '0'],
    ['Not ended', '1'],
  ] as const) {
    const total = screen.getAllByText(name).map((one) => one.closest('dl > div'))
    expect(total.find(Boolean), name).toHaveTextContent(value)
  }
  for (const title of ['Print count', 'Print time', 'Filament used'])
    expect(screen.getAllByRole('img', { name: new RegExp(`^${title} over time`) })).toHaveLength(1)

  const asked = () => server.asked.findLast(({ path }) => path === getStats.path)?.query
  await user.click(screen.getByRole('radio', { name: 'Year' }))
  await waitFor(() => expect(asked()).toMatchObject({ group_by: 'year' }))
  await waitFor(() =>
    expect(rows('Print count')).toEqual([
      ['2025', '2'],
      ['2026', '1'],
    ]),
  )
  await user.click(screen.getByRole('radio', { name: 'Finished' }))
  await waitFor(() => expect(asked()).toMatchObject({ filter: 'finished', group_by: 'year' }))
  expect(Object.values(localStorage)).toEqual(expect.arrayContaining(['year', 'finished']))

  const saved = vi.spyOn(csv, 'saveAs').mockReturnValue()
  await user.click(screen.getByRole('button', { name: 'Download CSV' }))
  expect(saved.mock.lastCall?.[1]).toMatch(
    /^\ufeffFrom,Prints,Print time \(h\),Filament \(m\)\r\n2025-01-01,2,2,4\.2\r\n2026-01-01,1,1,1\r\n$/,
  )
})

test('what stands in the address goes before the filters, and is said', async () => {
  const server = aServer(answers(getStats, STATS))
  await show(<StatsScreen />, {
    at: '/stats/?hide_header=true&filter=cancelled&group_by=month',
    language: 'zh',
  })
  await screen.findByRole('status')
  await waitFor(() =>
    expect(server.asked.at(-1)?.query).toMatchObject({ filter: 'cancelled', group_by: 'month' }),
  )
  expect(screen.getByRole('status').querySelector('a')).toHaveAttribute(
    'href',
    expect.stringMatching(/\?hide_header=true$/),
  )
})

test('what cannot be asked for is said, in a dialog and where it would stand', async () => {
  aServer(refuses(getStats, 400, { group_by: ['No such group.'] }))
  const { user } = await show(<StatsScreen />, { at: '/stats/?group_by=never' })
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('Failed to fetch statistics')
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1)!)
  await screen.findByRole('heading', { name: 'Failed to fetch statistics' })
})
