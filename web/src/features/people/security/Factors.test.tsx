import { screen, waitFor, within } from '@testing-library/react'
import {
  beginTotp,
  confirmTotp,
  keepFactors,
  prove,
  removeTotp,
  showFactors,
} from '@vigil/contract/people/factors.ts'
import { expect, test } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { FactorsPanel } from './FactorsPanel.tsx'
import { ProofHost } from './ProofHost.tsx'
import { KeepFactorsScreen } from './SecurityScreen.tsx'

const NONE = { totp: false, passkeys: [], recovery_codes_left: 0, has_password: true, reset_at: null }
const CODES = Array.from({ length: 10 }, (_, at) => `abcd-efgh-jkm${at}`)
const SECRET = 'JBSWY3DPEHPK3PXP'

test('an app is set up with a QR code and its key; recovery codes are shown once', async () => {
  let factors = { ...NONE }
  const server = aServer(
    answers(showFactors, () => factors),
    answers(beginTotp, { secret: SECRET, uri: `otpauth://totp/Vigil:m?secret=${SECRET}` }),
    answers(confirmTotp, () => {
      factors = { ...NONE, totp: true, recovery_codes_left: 10 }
      return { recovery_codes: CODES }
    }),
  )
  const { user } = await show(<FactorsPanel />)
  await user.click(await screen.findByRole('button', { name: 'Set up' }))
  const dialog = await screen.findByRole('dialog', { name: 'Authenticator app' })
  await within(dialog).findByRole('img', { name: 'QR code of the key' })
  expect(dialog).toHaveTextContent('JBSW Y3DP EHPK 3PXP')
  await user.type(within(dialog).getByLabelText('The six digits that the app shows'), '123456')
  await user.click(within(dialog).getByRole('button', { name: 'Turn on' }))
  const codes = await screen.findByRole('dialog', { name: 'Recovery codes' })
  expect(
    within(codes)
      .getAllByRole('listitem')
      .map((row) => row.textContent),
  ).toEqual(CODES)
  await user.keyboard('{Escape}')
  await user.click(within(codes).getByRole('button', { name: 'I have kept them' }))
  await waitFor(() => expect(screen.queryByText(CODES[0]!)).toBeNull())
  await screen.findByText(/10 are left/)
  expect(server.written().at(-1)?.body).toEqual({ code: '123456' })
})

test('what is dangerous asks once more who it is, and then goes on by itself', async () => {
  const server = aServer(
    answers(showFactors, { ...NONE, totp: true, recovery_codes_left: 9 }),
    refuses(removeTotp, 403, {
      detail: 'Show once more that it is you.',
      reason: 'proof_wanted',
      factors: ['totp', 'recovery'],
      has_password: true,
    }),
    refuses(prove, 400, { code: ['This code is not right, or was used already.'] }),
  )
  const { user } = await show(
    <>
      <ProofHost />
      <FactorsPanel />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  const question = await screen.findByRole('dialog', { name: /Remove Authenticator app/ })
  await user.click(within(question).getByRole('button', { name: 'Remove' }))
  const proof = await screen.findByRole('dialog', { name: 'Is it you?' })
  await user.type(within(proof).getByLabelText('Code of your app'), '111111{Enter}')
  await within(proof).findByText('This code is not right, or was used already.')
  server.now(answers(prove, null), answers(removeTotp, null), answers(showFactors, NONE))
  await user.click(within(proof).getByRole('button', { name: 'Go on' }))
  await screen.findByRole('button', { name: 'Set up' })
  expect(screen.queryByRole('dialog', { name: 'Is it you?' })).toBeNull()
})

test('the link of a letter objects by its button; one that is over says so', async () => {
  const server = aServer(refuses(keepFactors, 400, { link: ['This link does not work any more.'] }))
  const { user } = await show(<KeepFactorsScreen />, { at: '/accounts/factors/keep/x/' })
  expect(server.written()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Keep my factors' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('does not work any more')
  server.now(answers(keepFactors, null))
  await user.click(screen.getByRole('button', { name: 'Keep my factors' }))
  await screen.findByRole('heading', { name: 'Your factors stay' })
})
