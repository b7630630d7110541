import { screen, waitFor } from '@testing-library/react'
import { bootstrap, login, setUp } from '@vigil/contract/people/accounts.ts'
import { askReset, checkReset, confirmReset } from '@vigil/contract/people/passwords.ts'
import { expect, test } from 'vitest'
import { answers, aServer, booted, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import LoginScreen from './LoginScreen.tsx'
import ResetKeyScreen from './ResetKeyScreen.tsx'
import ResetScreen from './ResetScreen.tsx'
import SetUpScreen from './SetUpScreen.tsx'

const EMAIL = 'owner@example.org'
const nobody = (more: Parameters<typeof booted>[0] = {}) =>
  answers(bootstrap, booted({ signedIn: false, ...more }))

test('the first account is made with the link that the server printed, and nowhere else', async () => {
  aServer(nobody({ setUpRequired: true }))
  await show(<SetUpScreen />, { at: '/setup/' })
  await screen.findByRole('heading', { name: 'Create the first account' })
  expect(screen.getByText(/^This server is new\. Open the one-time link/)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test('by its link it is made with a password of eight characters, and what the server refuses stands beside its field', async () => {
  const server = aServer(
    nobody({ setUpRequired: true }),
    refuses(setUp, 400, { email: ['Not an address.'], token: ['x'] }),
  )
  const { user } = await show(<SetUpScreen />, { at: '/setup/?token=once' })
  await user.type(await screen.findByLabelText('E-mail'), EMAIL)
  await user.type(screen.getByLabelText('Password'), 'short{Enter}')
  expect(server.written()).toEqual([])
  await user.type(screen.getByLabelText('Password'), ' no more{Enter}')
  await screen.findByText('Not an address.')
  expect(server.written()[0]?.body).toEqual({ token: 'once', email: EMAIL, password: 'short no more' })
})

test('a server that is set up says so to who comes with its link', async () => {
  aServer(nobody())
  await show(<SetUpScreen />, { at: '/setup/?token=once' })
  await screen.findByRole('heading', { name: 'This server is set up' })
  expect(screen.queryByRole('button')).toBeNull()
})

test('a wrong password is said above the form, which keeps what was typed', async () => {
  aServer(nobody(), refuses(login, 400, { non_field_errors: ['That is not right.'] }))
  const { user } = await show(<LoginScreen />, { at: '/accounts/login/' })
  expect(await screen.findByLabelText('E-mail')).toHaveFocus()
  await user.keyboard(EMAIL)
  await user.tab()
  await user.keyboard('not my password{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent('That is not right.')
  expect(screen.getByLabelText('E-mail')).toHaveValue(EMAIL)
})

test('who forgot the password asks for a link, and is told the same for every address', async () => {
  const server = aServer(nobody(), answers(askReset, null))
  const { user, router } = await show(<ResetScreen />, { at: '/accounts/password/reset/' })
  await user.type(await screen.findByLabelText('E-mail'), 'nobody{Enter}')
  expect(server.written()).toEqual([])
  await user.type(screen.getByLabelText('E-mail'), `@example.org{Enter}`)
  await waitFor(() => expect(router.state.location.pathname).toBe('/accounts/password/reset/done'))
  expect(server.written()[0]?.body).toEqual({ email: 'nobody@example.org' })
})

test('a server that sends no mail says how a password is set then', async () => {
  aServer(nobody({ mailless: true }))
  await show(<ResetScreen />)
  await screen.findByText(/\.\/vigil user password/)
  expect(screen.queryByRole('textbox')).toBeNull()
})

const LINK = {
  at: '/accounts/password/reset/key/7-a-token/',
  form: '/accounts/password/reset/key/$link/',
}

test('the link of the letter leads to a new password, typed twice', async () => {
  const server = aServer(nobody(), answers(checkReset, null), answers(confirmReset, null))
  const { user, router } = await show(<ResetKeyScreen />, LINK)
  await user.type(await screen.findByLabelText('New password'), 'a new and better one')
  await user.type(screen.getByLabelText('New password once more'), 'another{Enter}')
  await screen.findByText('The two are not the same.')
  await user.clear(screen.getByLabelText('New password once more'))
  await user.type(screen.getByLabelText('New password once more'), 'a new and better one{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/accounts/password/reset/key/done'))
  expect(server.written()[0]?.body).toEqual({ uid: '7', token: 'a-token', password: 'a new and better one' })
})

test('a link that is used up says so before anything is typed', async () => {
  aServer(nobody(), refuses(checkReset, 400, { token: ['Used up.'] }))
  await show(<ResetKeyScreen />, LINK)
  await screen.findByRole('heading', { name: 'This link does not work any more' })
  expect(screen.getByRole('link', { name: 'Ask for a new link' })).toBeVisible()
})
