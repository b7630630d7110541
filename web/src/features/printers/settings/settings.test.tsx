import { useQuery } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { getPrinter, updatePrinter } from '@vigil/contract/printers/printers.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { printers } from '../../../../dev/stub.ts'
import { answers, aServer, isAway, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { catalogue, type Situation } from '../../../lib/catalogue.ts'
import { say } from '../../../lib/translation.ts'
import { printerQuery } from '../../../printer/printers.api.ts'
import { DEBOUNCE_MS } from '../../../printer/useField.ts'
import { DetectionSettings } from './DetectionSettings.tsx'
import { GeneralSettings, TimelapseSettings, PauseSettings } from './PrinterSettingsScreen.tsx'

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

/** The settings as their page has them: of the printer that is kept. */
function Kept() {
  const { data } = useQuery(printerQuery(printer.id))
  return (
    data && (
      <>
        <GeneralSettings printer={data} />
        <DetectionSettings printer={data} />
        <PauseSettings printer={data} />
        <TimelapseSettings printer={data} />
      </>
    )
  )
}

test('every setting writes its own field, and shows what is kept', async () => {
  let now = {
    ...printer,
    tools_off_on_pause: true,
    lift_z_on_pause: 2.5,
    min_timelapse_secs_on_finish: 600,
    min_timelapse_secs_on_cancel: 300,
  }
  const server = aServer(
    answers(getPrinter, () => now),
    answers(updatePrinter, ({ body }) => {
      now = { ...now, ...(body as object) }
      return { succeeded: true, printer: now }
    }),
  )
  const { user } = await show(<Kept />)
  const saved = async (...expected: object[]) => {
    await waitFor(() => expect(server.written().map(({ body }) => body)).toEqual(expected))
    server.asked.length = 0
  }
  const box = (name: RegExp) => screen.findByRole('switch', { name })
  const text = (name: string) => screen.getAllByRole('textbox', { name })[0]!
  const write = async (name: string, value: string) => {
    await user.clear(text(name))
    await user.type(text(name), value)
    await user.tab()
  }

  await user.click(await box(/^Turn off the hotend/))
  await saved({ tools_off_on_pause: false })
  await user.click(await box(/^Turn off the bed/))
  await saved({ bed_off_on_pause: true })
  await user.click(screen.getByRole('radio', { name: 'Just notify me' }))
  await saved({ action_on_failure: 'NONE' })
  act(() => screen.getByRole('slider').focus())
  await user.keyboard('{ArrowRight}')
  await saved({ detective_sensitivity: 1.05 })
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', 'Medium (1.05)')

  for (const [name, by, key, initial] of [
    [/^Retract filament/, 'Retract by', 'retract_on_pause', 6.5],
    [/^Lift the head/, 'Lift by', 'lift_z_on_pause', 2.5],
  ] as const) {
    await user.click(await box(name))
    await saved({ [key]: 0 })
    await user.click(await box(name))
    await saved({ [key]: initial })
    await write(by, '4.5')
    await saved({ [key]: 4.5 })
    expect(text(by)).toHaveValue('4.5 mm')
  }

  await user.click(await box(/when a print finishes/))
  await saved({ min_timelapse_secs_on_finish: -1 })
  await user.click(await box(/when a print finishes/))
  await saved({ min_timelapse_secs_on_finish: 600 })
  await write('If it printed for at least', '25')
  await saved({ min_timelapse_secs_on_finish: 1500 })
  expect(text('If it printed for at least')).toHaveValue('25 min')
  await user.click(await box(/when a print is cancelled/))
  await saved({ min_timelapse_secs_on_cancel: -1 })

  await user.click(await box(/^Watch my prints/))
  await saved({ watching_enabled: false })
  expect(screen.getAllByText('Turn on watching to change this.').length).toBeGreaterThan(0)
  expect(screen.getByRole('slider')).toHaveAttribute('aria-disabled', 'true')
})

test('a save that came to nothing says why, each in its way, and invites to the support: Chinese', async () => {
  const server = aServer(refuses(updatePrinter, 500, {}))
  const { user } = await show(<Kept />, { language: 'zh' })
  const told = (situation: Situation) => say(catalogue[situation])
  const watch = await screen.findByRole('switch', { name: new RegExp(say('settings:watch')) })

  await user.type(screen.getByRole('textbox', { name: say('settings:name') }), '温顺')
  await user.tab()
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent(told('nameNotSaved'))
  expect(alert).toHaveTextContent(told('serverError'))

  server.now(isAway(updatePrinter))
  await user.click(watch)
  const notSaved = await screen.findByText(told('notSaved'), { exact: false })
  expect(notSaved).toHaveTextContent(say('common:problem.offline'))

  // no answer of the contract: without the printer
  server.now(refuses(updatePrinter, 200, { succeeded: true }))
  await user.click(watch)
  const toast = await screen.findByText(told('patchWithoutData'), {
    selector: '.mantine-Notification-root *',
  })
  expect(toast).toHaveTextContent(told('support'))

  server.now(refuses(updatePrinter, 400, { non_field_errors: ['<b>两者不可兼得</b>'] }))
  await user.click(watch)
  const dialog = await screen.findByRole('dialog', { name: told('error') })
  expect(dialog).toHaveTextContent('<b>两者不可兼得</b>')
  expect(dialog).toHaveTextContent(told('support'))
})
