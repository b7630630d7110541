import { act, screen, waitFor, within } from '@testing-library/react'
import { updatePrinter } from '@vigil/contract/printers/printers.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { printers } from '../../../../dev/stub.ts'
import { answers, aServer, isAway, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { DEBOUNCE_MS } from '../../../printer/useField.ts'
import { GeneralSettings } from './PrinterSettingsScreen.tsx'
import { PauseSettings } from './PauseSettings.tsx'

afterEach(() => void vi.useRealTimers())

const printer = { ...printers()[0]!, bed_off_on_pause: false, retract_on_pause: 6.5 }

/** Keeps what is written, as the server does. */
const keeping = () =>
  answers(updatePrinter, ({ body }) => ({ succeeded: true, printer: { ...printer, ...(body as object) } }))

test('a switch that was not saved goes back, says so, and is saved when it is tried again', async () => {
  const server = aServer(isAway(updatePrinter))
  const { user } = await show(<PauseSettings printer={printer} />)
  const bed = screen.getByRole('switch', { name: 'Turn off the bed' })
  await user.click(bed)
  const told = await screen.findByRole('alert')
  expect(told).toHaveTextContent('Check your connection')
  expect(bed).not.toBeChecked()

  server.now(keeping())
  await user.click(within(told).getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(server.written().map(({ body }) => body)).toEqual([
    { bed_off_on_pause: true },
    { bed_off_on_pause: true },
  ])
})

test('the 0 on the way to 0.5 switches nothing off, a 0 that is left does', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  const server = aServer(keeping())
  const { user } = await show(<PauseSettings printer={printer} />)
  const by = screen.getByRole('textbox', { name: 'Retract by' })
  const saved = () => server.written().map(({ body }) => body)
  await user.clear(by)
  await user.type(by, '0')
  // Longer than a pause in typing counts as done.
  await act(() => vi.advanceTimersByTimeAsync(2 * DEBOUNCE_MS))
  expect(screen.getByRole('switch', { name: 'Retract filament' })).toBeChecked()
  expect(saved()).toEqual([])
  await user.type(by, '.5')
  await waitFor(() => expect(saved()).toEqual([{ retract_on_pause: 0.5 }]))

  await user.clear(by)
  await user.type(by, '0')
  await user.tab()
  await waitFor(() => expect(saved()).toEqual([{ retract_on_pause: 0.5 }, { retract_on_pause: 0 }]))
})

test('what is refused stands beside its field, and goes with the next answer', async () => {
  const server = aServer(refuses(updatePrinter, 400, { name: ['This field may not be blank.'] }))
  const { user } = await show(<GeneralSettings printer={printer} />)
  const name = screen.getByRole('textbox', { name: 'Name' })
  await user.clear(name)
  const refusal = await screen.findByRole('alert')
  expect(name.getAttribute('aria-describedby')?.split(' ')).toContain(refusal.parentElement?.id)
  server.now(keeping())
  await user.type(name, 'Ender')
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})
