import { act, screen, waitFor, within } from '@testing-library/react'
import { type Household, listHouseholds } from '@vigil/contract/people/household.ts'
import { listAddresses } from '@vigil/contract/printers/addresses.ts'
import { autoLink, getCode, matchPasscode } from '@vigil/contract/printers/linking.ts'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { aLine } from '../../../../test/wire.ts'
import { pageAddress } from '../../../lib/reach.ts'
import GuideScreen from './GuideScreen.tsx'
import LinkScreen from './LinkScreen.tsx'
import { WhosePrinter } from './WhosePrinter.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  Reflect.deleteProperty(document, 'execCommand')
})

const of = (id: number, name: string, role: Household['role']): Household => ({
  id,
  name,
  role,
  member_id: role === null ? null : id,
  printers: [],
})
const own = of(1, 'Maria', null)

function Wizard() {
  const [account, setAccount] = useState<number | null>(null)
  return (
    <>
      <WhosePrinter account={account} onAccount={setAccount} />
      <p>{account === null ? 'into my own' : `into ${account}`}</p>
    </>
  )
}

test('who runs a household says whose the printer becomes', async () => {
  aServer(answers(listHouseholds, [own, of(2, 'Ada', 'owner'), of(3, 'Eve', 'operator')]))
  const { user } = await show(<Wizard />)
  const choice = await screen.findByRole('combobox', { name: 'Whose printer is it?' })
  expect([...choice.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Yours',
    'Ada',
  ])
  await user.selectOptions(choice, 'Ada')
  await screen.findByText('into 2')
  await user.selectOptions(choice, 'Yours')
  await screen.findByText('into my own')
})

test('nobody else is asked', async () => {
  const server = aServer(answers(listHouseholds, [own, of(3, 'Eve', 'operator')]))
  await show(<Wizard />)
  await screen.findByText('into my own')
  await expect.poll(() => server.asked.some(({ path }) => path === listHouseholds.path)).toBe(true)
  expect(screen.queryByRole('combobox')).toBeNull()
})

const ELSEWHERE = ['https://vigil.example.org', 'http://192.168.1.5:3334']
/** The page is open at an address that leads nowhere from elsewhere. */
const atHome = answers(listAddresses, {
  reach: 'machine',
  further: [
    { address: ELSEWHERE[0]!, reach: 'everywhere' },
    { address: ELSEWHERE[1]!, reach: 'network' },
  ],
  only_here: false,
})
const link = (query = '') => {
  aLine('/ws/link/5/')
  return show(<LinkScreen />, {
    at: `/printers/wizard/link/klipper-generic${query}`,
    form: '/printers/wizard/link/$target',
  })
}
const shown = (title: string) => screen.findByRole('dialog', { name: title })

test('an agent is given an address that leads here, and the one of this page when it is chosen', async () => {
  aServer(atHome)
  const { user } = await show(<GuideScreen />, {
    at: '/printers/wizard/guide/klipper-generic',
    form: '/printers/wizard/guide/$target',
  })
  const choice = await screen.findByRole('combobox', { name: 'Address to use' })
  expect(screen.getByRole('note')).toHaveTextContent(`This page is open at ${new URL(pageAddress).host}`)
  const command = () => screen.getByText(/install\.sh/).textContent
  expect(command()).toContain(`install.sh -S ${ELSEWHERE[0]}`)
  expect([...choice.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    ...ELSEWHERE,
    `${pageAddress} (this machine only)`,
  ])
  await user.selectOptions(choice, pageAddress)
  expect(command()).toContain(`install.sh -S ${pageAddress}`)
})

test('the picture for a phone holds the address that is chosen', async () => {
  aServer(atHome)
  const { user } = await link()
  const drawn = async () =>
    (await screen.findByRole('img', { name: 'QR code of this page' }))
      .querySelector('path')
      ?.getAttribute('d')
  const choice = await screen.findByRole('combobox', { name: 'Address to use' })
  const before = await drawn()
  await user.selectOptions(choice, pageAddress)
  expect(await drawn()).not.toBe(before)
})

test('a passcode goes as soon as it is whole, in small letters; a wrong one says so until it is changed', async () => {
  const server = aServer(refuses(matchPasscode, 404))
  const { user } = await link()
  await screen.findByTestId('link-code')
  const at = (place: number) => screen.getByRole('textbox', { name: `Character ${place}` })
  for (const [n, letter] of 'ZZzz9'.split('').entries()) await user.type(at(n + 1), letter)
  await screen.findByText('Invalid code. Is it expired?')
  const sent = () => server.written().map(({ body }) => body)
  expect(sent()).toEqual([{ one_time_passcode: 'zzzz9', verification_code: '048213' }])
  await user.click(at(5))
  await user.keyboard('{Backspace}')
  await waitFor(() => expect(screen.queryByText('Invalid code. Is it expired?')).toBeNull())
  server.now(answers(matchPasscode, { detail: 'OK' }))
  await user.type(at(5), 'A')
  await screen.findByText(/accepted/i)
  expect(sent().at(-1)).toEqual({ one_time_passcode: 'zzzza', verification_code: '048213' })
})

test('the link beside a passcode carries it along', async () => {
  const server = aServer(answers(matchPasscode, { detail: 'OK' }))
  await link('?one_time_passcode=AB12C')
  await waitFor(() =>
    expect(server.written().map(({ body }) => body)).toEqual([
      { one_time_passcode: 'ab12c', verification_code: '048213' },
    ]),
  )
})

test('a printer that is to be linked again and is not there says so', async () => {
  aServer(refuses(getCode, 404))
  await link('?printerId=987654321')
  await screen.findByRole('heading', { name: 'Printer not found' })
})

test('a printer found on the network: a blocked window, one that says nothing, one that links in vain', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  const server = aServer(answers(autoLink, { queued: true }))
  const { user } = await link()
  const code = (await screen.findByTestId('link-code')).parentElement
  const press = async () => user.click(await screen.findByRole('button', { name: 'Link' }))
  const byHand = async (title: string) => {
    await user.click(within(await shown(title)).getByRole('button', { name: 'Switch to manual setup' }))
    await waitFor(() => expect(code).toHaveFocus())
    await act(() => vi.advanceTimersByTimeAsync(1_000))
  }

  const popup = { close: vi.fn() }
  const open = vi.fn<() => typeof popup | null>(() => null)
  vi.stubGlobal('open', open)
  await press()
  await byHand('Handshake failed because the pop-up was blcoked.')

  open.mockReturnValue(popup)
  await press()
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  await byHand('Handshake failed!')
  expect(popup.close).toHaveBeenCalledOnce()

  await press()
  const says = (source: unknown, origin: string) =>
    act(() => {
      const data = { device_secret: 'a secret' }
      dispatchEvent(Object.assign(new MessageEvent('message', { data, origin }), { source }))
    })
  says(null, 'http://elsewhere.example')
  expect(server.written()).toEqual([])
  says(popup, 'http://192.168.1.20:46793')
  await waitFor(() =>
    expect(server.written().map(({ body }) => body)).toEqual([
      { code: '048213', device_id: 'a'.repeat(32), device_secret: 'a secret' },
    ]),
  )
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  await screen.findByText(/^Something went wrong. Switched to using 6-digit code/)
})

test('a code is copied, and said not to be where that is not allowed', async () => {
  aServer()
  const { user } = await link()
  const copy = async () =>
    user.click((await screen.findAllByRole('button', { name: /^(Copy|Copied!)$/ }))[0]!)
  await screen.findByTestId('link-code')
  await copy()
  await screen.findByRole('button', { name: 'Copied!' })
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  Object.assign(document, { execCommand: () => false })
  await copy()
  await screen.findByRole('button', { name: 'Failed!' })
})
