import { screen, waitFor, within } from '@testing-library/react'
import {
  deletePrints,
  getPrintTotals,
  listPrints,
  type Print,
  type PrintTotals,
  updatePrint,
} from '@vigil/contract/prints/prints.ts'
import { expect, test } from 'vitest'
import { print } from '../../../../dev/stub.ts'
import { answers, type Asked, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { HistoryScreen } from './History.tsx'

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
  expect(await screen.findByRole('link', { name: 'Upload a time-lapse' })).toHaveAttribute(
    'href',
    '/ent/timelapse_upload',
  )
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

const AT = '2026-11-20T10:00:00Z'
const aPrint = (id: number, filename: string, more: Partial<Print>): Print => ({
  ...print(id, filename),
  started_at: '2026-11-20T09:00:00Z',
  ended_at: AT,
  finished_at: AT,
  print_time: 3600,
  need_alert_overwrite: true,
  prediction_json_url: '',
  printshotfeedback_set: [],
  firstlayerinspection_set: [],
  watched: { seconds: 3600, of: 3600, unseen: [] },
  score_curve: [0.1, 0.2, 0.1],
  ...more,
})

test('filters hide prints, say how many, and are cleared together', async () => {
  const isFiltered = ({ query }: Asked) => query['filter'] === 'cancelled'
  aServer(
    answers(getPrintTotals, (asked) => ({ ...TOTALS, count: isFiltered(asked) ? 6 : 38 })),
    answers(listPrints, (asked) => (isFiltered(asked) ? [] : [aPrint(1, 'sound.gcode', {})])),
  )
  const { user } = await show(<HistoryScreen />, { at: '/print_history/' })
  await user.click(await screen.findByRole('radio', { name: 'Cancelled 4' }))
  expect(await screen.findByText('32 prints are hidden by the filters.')).toBeInTheDocument()
  await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!)
  expect(await screen.findByText('sound.gcode')).toBeInTheDocument()
})

test('days that stand in the address are asked for, and named', async () => {
  const server = aServer(answers(getPrintTotals, TOTALS), answers(listPrints, []))
  await show(<HistoryScreen />, { at: '/print_history/?period=custom&from=2026-10-02&to=2026-10-05' })
  await waitFor(() =>
    expect(server.asked.findLast(({ path }) => path === listPrints.path)?.query).toMatchObject({
      from_date: expect.any(String),
      to_date: expect.any(String),
    }),
  )
  expect(screen.getByRole('button', { name: /^Time: .*2/ })).toBeInTheDocument()
})

test('a list that can’t be had is said, and tried again', async () => {
  const server = aServer(answers(getPrintTotals, TOTALS), refuses(listPrints, 503, { detail: 'Away.' }))
  const { user } = await show(<HistoryScreen />, { at: '/timelapses/' })
  const dialog = await screen.findByRole('dialog', { name: 'Error' })
  expect(within(dialog).getByText('Your prints could not be loaded')).toBeInTheDocument()
  await user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1)!)
  server.now(answers(listPrints, [aPrint(1, 'sound.gcode', {})]))
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('sound.gcode')).toBeInTheDocument()
})

test('a row says what was seen, and asks only where an alert has no answer yet', async () => {
  let alerted = aPrint(4, 'alerted.gcode', { alerted_at: AT, score_curve: [0.1, null, 0.9] })
  aServer(
    answers(getPrintTotals, TOTALS),
    answers(listPrints, () => [
      alerted,
      aPrint(3, 'sound.gcode', {}),
      aPrint(2, 'odd.gcode', { score_curve: [0.1, 0.5, 0.1] }),
      aPrint(1, 'dark.gcode', { watched: { seconds: 0, of: 3600, unseen: [] }, score_curve: null }),
    ]),
    answers(updatePrint, () => (alerted = { ...alerted, alert_overwrite: 'FAILED' })),
  )
  const { user } = await show(<HistoryScreen />, { at: '/print_history/' })
  const row = (name: string) => screen.getByText(name).closest('article')!
  await screen.findByText('alerted.gcode')
  expect(within(row('sound.gcode')).getByText('Looking good')).toBeInTheDocument()
  expect(within(row('odd.gcode')).getByText('Fishy')).toBeInTheDocument()
  expect(within(row('dark.gcode')).getByText('Not watched')).toBeInTheDocument()
  expect(screen.getAllByRole('group', { name: 'Was Vigil right?' })).toHaveLength(1)
  await user.click(within(row('alerted.gcode')).getByRole('button', { name: 'Yes, it failed' }))
  expect(await within(row('alerted.gcode')).findByText(/you agreed/)).toBeInTheDocument()
  expect(screen.queryByRole('group', { name: 'Was Vigil right?' })).toBeNull()
})

test('prints are chosen, one or a stretch, and deleted together after a question', async () => {
  const all = Array.from({ length: 4 }, (_, n) => aPrint(4 - n, `part_${4 - n}.gcode`, {}))
  const gone = new Set<number>()
  const server = aServer(
    answers(getPrintTotals, TOTALS),
    answers(listPrints, () => all.filter(({ id }) => !gone.has(id))),
    answers(deletePrints, ({ body }) => {
      for (const id of (body as { print_ids: number[] }).print_ids) gone.add(id)
      return null
    }),
  )
  const { user } = await show(<HistoryScreen />, { at: '/print_history/' })
  await user.click(await screen.findByRole('checkbox', { name: 'Select part_4.gcode' }))
  await user.keyboard('{Shift>}')
  await user.click(screen.getByRole('checkbox', { name: 'Select part_2.gcode' }))
  await user.keyboard('{/Shift}')
  await screen.findByText('3 selected')
  const remove = () => user.click(screen.getByRole('button', { name: 'Delete 3 prints' }))
  await remove()
  const question = await screen.findByRole('dialog', { name: 'Delete 3 print(s)?' })
  await user.click(within(question).getByRole('button', { name: 'Keep them' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.written()).toEqual([])
  await remove()
  const again = await screen.findByRole('dialog', { name: 'Delete 3 print(s)?' })
  await user.click(within(again).getByRole('button', { name: 'Delete 3 prints' }))
  await screen.findByText('3 time-lapse(s) deleted!')
  await waitFor(() => expect(screen.queryByText('part_3.gcode')).toBeNull())
  expect(screen.getByText('part_1.gcode')).toBeInTheDocument()
  expect([...gone].toSorted()).toEqual([2, 3, 4])
})
