import { screen, waitFor, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { deletePrinter, listPrinters, unarchivePrinter } from '@vigil/contract/printers/printers.ts'
import { type ActiveSubscription, getActiveSubscription } from '@vigil/contract/shop/subscriptions.ts'
import { expect, test } from 'vitest'
import { printers } from '../../../../dev/stub.ts'
import { answers, aServer, booted } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import ArchivedScreen from './ArchivedScreen.tsx'

const boot = booted()
const serverOf = (isEnterprise: boolean) =>
  answers(bootstrap, { ...boot, settings: { ...boot.settings, IS_ENT: isEnterprise } })
const [first, ...others] = printers()
const list = answers(listPrinters, [
  { ...first!, name: 'Old Ender', archived_at: '2026-11-01T10:00:00Z' },
  ...others,
])
const plan = (hasRoom: boolean): ActiveSubscription => ({
  subscription: null,
  cb_subscription: null,
  over_subscribed: hasRoom,
  printer_allowance: 1,
  active_printers: hasRoom ? 0 : 1,
})

test('without plans a printer comes out of the archive', async () => {
  const server = aServer(serverOf(false), list, answers(unarchivePrinter, null))
  const { user } = await show(<ArchivedScreen />)
  const row = (await screen.findByText('Old Ender')).closest('li')!
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  await user.click(within(row).getByRole('button', { name: 'Un-archive' }))
  await screen.findByText(/Old Ender is back in the list/)
  expect(server.asked.some(({ path }) => path === `/api/v1/printers/${first!.id}/unarchive/`)).toBe(true)
  expect(server.asked.some(({ path }) => path.startsWith('/ent/api/subscriptions'))).toBe(false)
})

test('a plan without room lets none out, and says why', async () => {
  const server = aServer(serverOf(true), list, answers(getActiveSubscription, plan(false)))
  const { user } = await show(<ArchivedScreen />)
  await screen.findByText(/Your subscription plan doesn't allow more printers./)
  const button = screen.getByRole('button', { name: 'Un-archive' })
  expect(button).toHaveAttribute('aria-disabled', 'true')
  await user.click(button)
  expect(server.asked.some(({ path }) => path.endsWith('/unarchive/'))).toBe(false)
})

test('one is deleted once that was asked', async () => {
  const server = aServer(
    serverOf(true),
    list,
    answers(getActiveSubscription, plan(true)),
    answers(deletePrinter, null),
  )
  const { user } = await show(<ArchivedScreen />)
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  const question = await screen.findByRole('dialog')
  expect(question).toHaveTextContent('Delete Old Ender printer?')
  expect(question).toHaveTextContent('This action can not be undone.')
  await user.click(within(question).getByRole('button', { name: 'Delete printer' }))
  await screen.findByText('Printer deleted')
  await waitFor(() =>
    expect(server.asked.find(({ method }) => method === 'DELETE')?.query).toEqual({ with_archived: 'true' }),
  )
})
