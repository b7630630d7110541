import { screen, waitFor } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { type CodeBatch, listBatches, makeCodes } from '@vigil/contract/shop/coupons.ts'
import { expect, test, vi } from 'vitest'
import { answers, aServer, booted, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import CodesScreen from './CodesScreen.tsx'

const boot = booted()
const brands = [
  { name: 'base', display_name: 'Vigil', offers: [{ offer: 'btt_3m_unlimited', partner: 'BTT' }] },
]
const batch: CodeBatch = {
  created_at: '2026-11-01T10:00:00Z',
  brand: 'base',
  offer: null,
  hours: 20,
  description: 'Fair',
  expires_at: null,
  count: 100,
  redeemed: 3,
}
const enterprise = answers(bootstrap, { ...boot, settings: { ...boot.settings, IS_ENT: true } })

test('what was made is listed, with what became of it', async () => {
  aServer(enterprise, answers(listBatches, { batches: [batch], brands }))
  await show(<CodesScreen />)
  await screen.findByText('100 codes for 20 h')
  expect(screen.getByText('3 of 100 redeemed')).toBeVisible()
  expect(screen.getByText(/base · Fair · without an end$/)).toBeVisible()
})

test('codes are made, and saved while they are shown', async () => {
  const server = aServer(
    enterprise,
    answers(listBatches, { batches: [], brands }),
    answers(makeCodes, { codes: ['AAA', '=BBB'] }),
  )
  const { user } = await show(<CodesScreen />)
  const saved: Blob[] = []
  // The browser would keep the file, and stay where it is.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:x'
  })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'What for' }), 'btt_3m_unlimited')
  const count = screen.getByRole('textbox', { name: 'How many codes' })
  await user.clear(count)
  expect(screen.getByRole('button', { name: 'Make 0 codes' })).toBeDisabled()
  await user.type(count, '2')
  await user.click(screen.getByRole('button', { name: 'Make 2 codes' }))
  await screen.findByText(/^2 codes were made\. Download them now/)
  expect(server.written()).toMatchObject([
    { body: { brand: 'base', offer: 'btt_3m_unlimited', hours: null, count: 2, expires_at: null } },
  ])
  await user.click(screen.getByRole('button', { name: 'Download as CSV' }))
  expect(await saved[0]!.text()).toContain("code\r\nAAA\r\n'=BBB\r\n")
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await screen.findByRole('button', { name: 'Make 2 codes' })
})

test('what is wrong is said at its field', async () => {
  aServer(
    enterprise,
    answers(listBatches, { batches: [], brands }),
    refuses(makeCodes, 400, { expires_at: ['This is over already.'] }),
  )
  const { user } = await show(<CodesScreen />)
  await user.click(await screen.findByRole('button', { name: 'Make 100 codes' }))
  await waitFor(() => expect(screen.getByLabelText('Until')).toBeInvalid())
  expect(screen.getByText('This is over already.')).toBeVisible()
})
