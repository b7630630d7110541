import { screen, waitFor, within } from '@testing-library/react'
import { listPrinters } from '@vigil/contract/printers/printers.ts'
import { getPrinterExt, patchPrinterExt, type PrinterExt } from '@vigil/contract/watch/first-layer.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { printers } from '../../../../dev/stub.ts'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import NozzleScreen from './NozzleScreen.tsx'

const SNAPSHOT = 'http://127.0.0.1/webcam/?action=snapshot'
/** What the agent answers to a call, by its function. */
type Agent = Readonly<Record<string, object>>
const AGENT: Agent = {
  'server/webcams/list': { ret: { webcams: [{ name: 'nozzle', snapshot_url: '/webcam/?action=snapshot' }] } },
  web_snapshot_request: { ret: { pic: '/9j/4AAQ' } },
}

/** The one at the other end of each line; lines stay open for a moment, over tests. */
let agent = AGENT

class Wire extends EventTarget {
  static readonly OPEN = 1
  readonly readyState = 1

  constructor() {
    super()
    setTimeout(() => this.dispatchEvent(new Event('open')))
  }

  send(text: string) {
    const { passthru } = JSON.parse(text) as { passthru?: { ref: string; func: string } }
    if (!passthru) return
    const { ref, func } = passthru
    const data = JSON.stringify({ passthru: { ref, ...(agent[func] ?? { error: 'no such call' }) } })
    setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }

  close() {}
}

beforeEach(() => {
  agent = AGENT
  vi.stubGlobal('WebSocket', Wire)
})

const EXT: PrinterExt['ext'] = {
  printer: 1,
  nozzlecam_url: null,
  first_layer_scan_opted_in: true,
  first_layer_scan_zhop: 4,
  first_layer_scan_retract: 6.5,
  first_layer_scan_retract_speed: 20,
  first_layer_scan_cooldown_temp: 170,
  updated_at: new Date().toISOString(),
}

/** A server that keeps what is set up of a nozzle camera. */
function aCamera(more: Partial<PrinterExt['ext']> = {}) {
  let ext = { ...EXT, ...more }
  return aServer(
    answers(getPrinterExt, () => ({ ext })),
    answers(patchPrinterExt, ({ body }) => {
      ext = { ...ext, ...(body as Partial<typeof ext>) }
      if (ext.nozzlecam_url === '') ext.nozzlecam_url = null
      return { ext }
    }),
  )
}

const button = (name: string) => screen.getByRole('button', { name })
const address = () => screen.findByRole('textbox', { name: 'Snapshot address of the nozzle camera' })

test('a camera that the printer knows is tried, seen to be the right one, and kept; a printer that is off cannot be asked', async () => {
  const server = aCamera()
  const { user } = await show(<NozzleScreen />)
  const choose = async (name: string) => {
    await user.click(await screen.findByPlaceholderText('Please select a printer'))
    await user.click(await screen.findByRole('option', { name, hidden: true }))
  }
  await choose('Workshop CR-10')
  await user.type(await address(), 'http://10.0.0.9/shot.jpg')
  await user.click(button('Test the camera'))
  await screen.findByText('Printer is offline!')

  await choose('Voron 2.4')
  await user.click(await screen.findByRole('button', { name: 'nozzle' }))
  expect(await address()).toHaveValue(SNAPSHOT)
  await waitFor(() => expect(button('Test the camera')).toBeEnabled())
  await user.click(button('Test the camera'))
  const question = await screen.findByRole('dialog', { name: 'Is this the nozzle camera?' })
  expect(within(question).getByRole('img', { name: 'What this camera shows now' })).toBeVisible()
  await user.click(within(question).getByRole('button', { name: 'Yes, save it' }))
  await screen.findByText('The nozzle camera was saved')
  expect(screen.getByPlaceholderText('Please select a printer'), 'nothing is chosen any more').toHaveValue('')
  expect(server.written().at(-1)?.body).toEqual({ nozzlecam_url: SNAPSHOT })
})

test('a camera in use is named, typed anew, and removed; what is no address is refused', async () => {
  const server = aCamera({ nozzlecam_url: SNAPSHOT })
  const { user } = await show(<NozzleScreen />, { at: '/nozzle_ninja/?printer_id=1' })
  await screen.findByText(`In use: ${SNAPSHOT}`)
  await user.type(await address(), 'webcam2')
  await user.click(button('Save'))
  await screen.findByText('Enter an address that begins with http:// or https://.')
  server.now(refuses(patchPrinterExt, 400, { nozzlecam_url: ['Enter a valid URL.'] }))
  await user.clear(await address())
  await user.type(await address(), 'http://webcam2/')
  await user.click(button('Save'))
  await screen.findByText('Enter a valid URL.')
  server.now(answers(patchPrinterExt, { ext: EXT }))
  await user.click(button('Remove the camera'))
  await screen.findByText('The nozzle camera was removed')
  expect(server.written().at(-1)?.body).toEqual({ nozzlecam_url: '' })
})

test('the scan is set one field at a time, each kept alone', async () => {
  const server = aCamera()
  const { user } = await show(<NozzleScreen />, { at: '/nozzle_ninja/?printer_id=1' })
  const number = (name: string) => screen.getByRole('textbox', { name })
  expect(await screen.findByRole('textbox', { name: 'Temperature while scanning' })).toHaveValue('170 °C')
  await user.type(number('Scan height'), '{ArrowUp}')
  await user.type(number('Retraction'), '{ArrowDown}')
  await waitFor(() => expect(server.written()).toHaveLength(2))
  await user.click(screen.getByRole('switch', { name: 'Scan the first layer' }))
  await waitFor(() => expect(server.written()).toHaveLength(3))
  expect(server.written().map(({ body }) => body)).toEqual([
    { first_layer_scan_zhop: 4.1 },
    { first_layer_scan_retract: 6 },
    { first_layer_scan_opted_in: false },
  ])
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Scan height' })).toBeNull())
})

test.each([
  [
    '1.4.10',
    'The plugin version is too old to use this function. Please update it to the latest version to test camera!',
  ],
  ['1.4.11', 'Unable to connect to your nozzle camera using the URL you entered!'],
])('an agent of version %s that gives no picture: why is said', async (agent_version, why) => {
  agent = { web_snapshot_request: { ret: { error: 'no route' } } }
  const server = aCamera()
  server.now(
    answers(
      listPrinters,
      printers().map((one) => ({ ...one, agent_version })),
    ),
  )
  const { user } = await show(<NozzleScreen />, { at: '/nozzle_ninja/?printer_id=1' })
  await user.type(await address(), 'http://10.0.0.9/shot.jpg')
  await waitFor(() => expect(button('Test the camera')).toBeEnabled())
  await user.click(button('Test the camera'))
  await screen.findByText(new RegExp(`^${why}`))
})

test('without a printer there is nothing to set up', async () => {
  aServer(answers(listPrinters, []))
  await show(<NozzleScreen />)
  await screen.findByText('No printers found!')
})
