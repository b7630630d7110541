import { screen, waitFor, within } from '@testing-library/react'
import {
  addEmail,
  confirmEmail,
  type EmailAddress,
  listEmails,
  makePrimaryEmail,
  removeEmail,
  resendEmail,
  showConfirmation,
} from '@vigil/contract/people/emails.ts'
import { expect, test } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import ConfirmEmailScreen from './ConfirmEmailScreen.tsx'
import EmailsScreen from './EmailsScreen.tsx'

const address = (id: number, more: Partial<EmailAddress> = {}): EmailAddress => ({
  id,
  email: `a${id}@example.org`,
  verified: false,
  primary: false,
  ...more,
})

/** The row of an address. */
const row = async (id: number) => {
  const found = (await screen.findByText(`a${id}@example.org`)).closest('li')
  return within(found!)
}

test('addresses say which is signed in with and which are confirmed; each has what can be done with it', async () => {
  let mine = [address(1, { primary: true }), address(2, { verified: true })]
  const server = aServer(
    answers(listEmails, () => mine),
    answers(resendEmail, () => mine[0]!),
    answers(makePrimaryEmail, () => mine[1]!),
    answers(removeEmail, ({ path }) => {
      mine = mine.filter(({ id }) => !path.endsWith(`/${id}/`))
      return null
    }),
  )
  const { user } = await show(<EmailsScreen />)
  const first = await row(1)
  expect(first.getByText('Sign-in')).toBeVisible()
  expect(first.getByText('Not confirmed')).toBeVisible()
  expect(first.queryByRole('button', { name: 'Remove' })).toBeNull()
  await user.click(first.getByRole('button', { name: 'Send the link' }))
  await screen.findByText('The link is on its way.')
  const second = await row(2)
  expect(second.queryByRole('button', { name: 'Send the link' })).toBeNull()
  await user.click(second.getByRole('button', { name: 'Sign in with it' }))
  await user.click(second.getByRole('button', { name: 'Remove' }))
  const question = await screen.findByRole('dialog', { name: 'Remove a2@example.org?' })
  await user.click(within(question).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByText('a2@example.org')).toBeNull())
  expect(server.written().map(({ path }) => path)).toEqual([
    '/api/v1/auth/emails/1/resend/',
    '/api/v1/auth/emails/2/make_primary/',
    '/api/v1/auth/emails/2/',
  ])
})

test('another is added by a link that goes there; what is none, and what is refused, is said beside it', async () => {
  let mine = [address(1, { primary: true, verified: true })]
  const server = aServer(
    answers(listEmails, () => mine),
    refuses(addEmail, 400, { email: ['Taken.'] }),
  )
  const { user } = await show(<EmailsScreen />)
  const field = await screen.findByRole('textbox', { name: 'Another address' })
  await user.type(field, 'a3')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  expect(server.written()).toEqual([])
  await user.type(field, '@example.org')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  await screen.findByText('Taken.')
  server.now(
    answers(addEmail, () => {
      mine = [...mine, address(3)]
      return mine[1]!
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Add' }))
  await screen.findByText('Now follow the link that we sent to a3@example.org.')
  expect((await row(3)).getByText('Not confirmed')).toBeVisible()
  expect(field).toHaveValue('')
})

const LINK = { at: '/accounts/confirm-email/key/', form: '/accounts/confirm-email/$key/' }

test('the link of a letter confirms by its button alone, not by being opened', async () => {
  const server = aServer(
    answers(showConfirmation, { email: 'a1@example.org', verified: false }),
    refuses(confirmEmail, 503),
  )
  const { user } = await show(<ConfirmEmailScreen />, LINK)
  await screen.findByText(/^a1@example\.org was given/)
  expect(server.written()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Yes, confirm it' }))
  await screen.findByRole('alert')
  server.now(answers(confirmEmail, { email: 'a1@example.org', verified: true }))
  await user.click(screen.getByRole('button', { name: 'Yes, confirm it' }))
  await screen.findByRole('heading', { name: 'Address confirmed' })
  expect(server.written().at(-1)?.body).toEqual({ key: 'key' })
})

test('a link that is over says so', async () => {
  aServer(refuses(showConfirmation, 404))
  await show(<ConfirmEmailScreen />, LINK)
  await screen.findByRole('heading', { name: 'This link does not work any more' })
  expect(screen.getByRole('alert')).toHaveTextContent('It ran out, was used')
})
