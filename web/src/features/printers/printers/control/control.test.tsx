import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { listPrinterEvents } from '@vigil/contract/core/events.ts'
import { getPrinter, type Printer } from '@vigil/contract/printers/printers.ts'
import { listPrints } from '@vigil/contract/prints/prints.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { print, printers } from '../../../../../dev/stub.ts'
import { answers, aServer, isAway, refuses } from '../../../../../test/server.ts'
import { show } from '../../../../../test/show.tsx'
import { aLine } from '../../../../../test/wire.ts'
import { client } from '../../../../app/client.ts'
import { klipper } from '../../../../printer/driver/klipper.ts'
import { useLive } from '../../../../printer/live/printer-line.ts'
import { BabyStepPanel } from '../../toolhead/BabyStepPanel.tsx'
import { layoutKey } from '../widgets/layout.ts'
import { ReorderDialog } from '../widgets/ReorderDialog.tsx'
import { useLayout } from '../widgets/useLayout.ts'
import PrinterControlScreen from './PrinterControlScreen.tsx'

afterEach(() => void vi.useRealTimers())

let last = 30
/** One that is idle. Each test has its own: the line of a page that was left stays open for a moment. */
const anEnder = (): Printer => ({ ...printers().find(({ name }) => name === 'Ender 3')!, id: ++last })
/** As it says that it is not connected to its board. */
const closed = (ender: Printer): Printer => ({
  ...ender,
  agent_name: 'octoprint_obico',
  agent_version: '2.5.0',
  status: {
    ...ender.status!,
    state: {
      text: 'Offline',
      error: null,
      flags: { operational: false, printing: false, paused: false, error: false, closedOrError: true },
    },
  },
})

interface Asked {
  passthru?: { ref: string; func: string }
}

/** The page of that printer, and what it asks its agent, which `answer` answers; null: it says nothing. */
async function page(
  printer: Printer,
  answer: (func: string) => object | null = () => ({ ret: null }),
  ...more: Parameters<typeof aServer>
) {
  const asked: string[] = []
  const server = aServer(...more, answers(getPrinter, printer))
  const line = aLine(`/ws/web/${printer.id}/`, (message, at) => {
    const { passthru } = message as Asked
    if (!passthru) return
    asked.push(passthru.func)
    const said = answer(passthru.func)
    if (said) queueMicrotask(() => at.tell({ passthru: { ref: passthru.ref, ...said } }))
  })
  const shown = await show(<PrinterControlScreen />, {
    at: `/printers/${printer.id}/control`,
    form: '/printers/$id/control',
  })
  await screen.findByRole('heading', { name: printer.name, level: 1 })
  return { ...shown, server, line, asked }
}

test('a printer that cannot be read says so, once in a dialog, and is read again', async () => {
  const ender = anEnder()
  const server = aServer(refuses(getPrinter, 500, '<h1>no JSON</h1>'))
  aLine(`/ws/web/${ender.id}/`)
  const { user } = await show(<PrinterControlScreen />, {
    at: `/printers/${ender.id}/control`,
    form: '/printers/$id/control',
  })
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByRole('link')).toHaveAttribute('href', expect.stringMatching(/#support$/))
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const title = screen.getByRole('heading').textContent

  server.now(isAway(getPrinter))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Check your connection'))
  expect(screen.getByRole('heading')).toHaveTextContent(title ?? '')
  expect(screen.queryByRole('dialog')).toBeNull()
  server.now(answers(getPrinter, ender))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: 'Ender 3' })
})

test('what is asked of a printer says what came of it: done, refused, without an answer', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  let answer: object | null = { ret: null }
  const { user, asked } = await page(anEnder(), () => answer)
  const home = async (told: string) => {
    await user.click(screen.getByRole('button', { name: 'Home all' }))
    if (answer === null) await act(() => vi.advanceTimersByTimeAsync(60_000))
    await screen.findByText(told)
    // More than a few toasts wait for each other.
    await act(() => vi.advanceTimersByTimeAsync(20_000))
  }
  await home('Command successfully sent!')
  answer = { error: {} }
  await home('The printer could not do it.')
  answer = { error: 'Must home first' }
  await home('Must home first')
  answer = null
  await home('Failed to contact printer. Is it powered on and connected to Internet?')
  expect(asked).toEqual(['home', 'home', 'home', 'home'])
})

test('without a line to the server nothing is asked of a printer, and that is said', async () => {
  const { user, line, asked } = await page(anEnder())
  const home = await screen.findByRole('button', { name: 'Home all' })
  line.cut()
  await user.click(home)
  await screen.findByText('Message not passed through. No suitable WebSocket.')
  expect(asked).toEqual([])
})

test('a printer that got busy meanwhile is not told to print again', async () => {
  const ender = anEnder()
  const file = { id: 9, url: 'vase.gcode', filename: 'vase.gcode', safe_filename: 'vase.gcode' }
  const before = print(9, 'vase.gcode', {
    cancelled_at: new Date().toISOString(),
    ended_at: new Date().toISOString(),
    g_code_file: { ...file, deleted: null, resident_printer: ender.id, agent_signature: 'ts:1' },
  })
  const { user } = await page(
    ender,
    () => ({ error: 'Printer is busy' }),
    answers(listPrints, [before] as never),
  )
  await user.click(await screen.findByRole('button', { name: 'Reprint' }))
  const question = await screen.findByRole('dialog', { name: 'Print it again?' })
  await user.click(within(question).getByRole('button', { name: 'Reprint' }))
  await screen.findByRole('dialog', { name: 'Ender 3 is not ready to print' })
})

test('without power and without a serial port, and without an agent, a page says so and offers no print', async () => {
  const printer = closed(anEnder())
  const { user, line } = await page(printer, () => ({ ret: { ports: [], baudrates: [115_200] } }))
  await screen.findByText('The printer is not connected to its agent')
  await user.click(screen.getByRole('button', { name: 'Connect' }))
  await screen.findByText(/serial port/)

  line.tell({ printers: [{ ...printer, status: null, agent: { state: 'offline', last_seen_at: null } }] })
  await screen.findByText('This printer is offline')
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull()
})

test('a command of which nothing comes is told, one that came about unseen is not', async () => {
  const ender = anEnder()
  const key = `printer-${ender.id}-state-transitioning`
  const events = async (...said: object[]) => {
    localStorage.setItem(`${key}-name`, 'Starting')
    localStorage.setItem(`${key}-timeout`, String(Date.now()))
    const { server } = await page(ender, undefined, answers(listPrinterEvents, said as never))
    await waitFor(() =>
      expect(server.asked.filter(({ path }) => path === listPrinterEvents.path)).toHaveLength(1),
    )
  }
  await events({ event_type: 'STARTED', printer: ender.id, created_at: new Date().toISOString() })
  await waitFor(() => expect(localStorage.getItem(`${key}-name`)).toBeNull())
  expect(screen.queryByRole('dialog')).toBeNull()
  cleanup()
  client.clear()
  await events()
  await screen.findByRole('dialog', { name: 'Printer not responding' })
})

const shown = anEnder()
function Order() {
  return <ReorderDialog layout={useLayout(shown)} onClose={() => undefined} />
}

test('widgets are put in another order and hidden, and stay so in this browser', async () => {
  aServer()
  const { user } = await show(<Order />)
  await user.click(await screen.findByRole('button', { name: 'Move Printer controls up' }))
  await user.click(screen.getByRole('switch', { name: 'Show Failure detection' }))
  const kept = JSON.parse(localStorage.getItem(layoutKey(shown.id)) ?? '[]') as { id: number }[]
  expect(kept).toContainEqual({ id: 3, enabled: false })
})

function Nozzle() {
  const line = useLive(shown.id)
  return line === 'open' && <BabyStepPanel printer={shown} babyStep={klipper.babyStep!} />
}

test('how far the nozzle is off is read back from the printer after each step', async () => {
  let offset = 0
  aServer()
  aLine(`/ws/web/${shown.id}/`, (message, at) => {
    const { passthru } = message as Asked
    if (!passthru) return
    const step = /Z_ADJUST=(-?[\d.]+)/.exec(JSON.stringify(passthru))?.[1]
    offset += Number(step ?? 0)
    const ret = { status: { gcode_move: { homing_origin: [0, 0, offset, 0] } } }
    queueMicrotask(() => at.tell({ passthru: { ref: passthru.ref, ret } }))
  })
  const { user } = await show(<Nozzle />)
  const told = () => screen.queryByRole('status')?.textContent?.replaceAll('\u2060', '')
  await waitFor(() => expect(told()).toContain('0.000\u2009mm'))
  await user.click(screen.getByRole('button', { name: 'Nozzle up' }))
  await waitFor(() => expect(told()).toContain('+0.010\u2009mm'))
  for (let press = 0; press < 2; press++)
    await user.click(screen.getByRole('button', { name: 'Nozzle down' }))
  await waitFor(() => expect(told()).toContain('−0.010\u2009mm'))
})
