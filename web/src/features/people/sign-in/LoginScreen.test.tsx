import { screen, waitFor } from '@testing-library/react'
import { bootstrap, login } from '@vigil/contract/people/accounts.ts'
import { loginFactor } from '@vigil/contract/people/factors.ts'
import { expect, test } from 'vitest'
import { answers, aServer, booted, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import LoginScreen from './LoginScreen.tsx'

/** A server that two providers sign in to; nobody is. */
function providers() {
  const given = [
    { id: 'oidc', name: 'House ID', logo: null },
    { id: 'google', name: 'Google', logo: null },
  ]
  return answers(bootstrap, booted({ signedIn: false, providers: given }))
}

test('whoever was signed out hears why; whoever comes by themselves does not', async () => {
  aServer()
  const { router } = await show(<LoginScreen />, { at: '/accounts/login/?ended=true' })
  await screen.findByText(/^You were signed out/)
  await router.navigate({ to: '/accounts/login/' })
  expect(await screen.findByText('See your printers and what they are doing.')).toBeVisible()
  expect(screen.queryByText(/^You were signed out/)).toBeNull()
})

test('after the right password the second step is asked for; there is a way back', async () => {
  const server = aServer(
    refuses(login, 403, {
      detail: 'One more step.',
      reason: 'second_factor',
      ticket: 'the-ticket',
      factors: ['totp', 'recovery'],
    }),
    refuses(loginFactor, 400, { code: ['This code is not right, or was used already.'] }),
  )
  const { user } = await show(<LoginScreen />, { at: '/accounts/login/' })
  await user.type(screen.getByLabelText('E-mail'), 'maria@example.org')
  await user.type(screen.getByLabelText('Password'), 'correct horse battery')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await user.type(await screen.findByLabelText('Code of your app'), '123 456{Enter}')
  await screen.findByText('This code is not right, or was used already.')
  expect(server.written().at(-1)?.body).toEqual({ ticket: 'the-ticket', code: '123 456' })
  await user.click(screen.getByRole('button', { name: 'Back' }))
  await screen.findByLabelText('Password')
})

test('a provider is gone to from the sign-in page, with where to go afterwards', async () => {
  aServer(providers())
  await show(<LoginScreen />, { at: '/accounts/login/?next=%2Fprint_history%2F' })
  const door = await screen.findByRole('link', { name: 'Sign in with House ID' })
  expect(new URL(door.getAttribute('href')!).pathname).toBe('/accounts/oidc/login/')
  expect(new URL(door.getAttribute('href')!).searchParams.get('next')).toBe('/print_history/')
})

test('what went wrong there is said', async () => {
  aServer(providers())
  await show(<LoginScreen />, { at: '/accounts/login/?trouble=away&provider=google' })
  expect(await screen.findByRole('alert')).toHaveTextContent('Google does not answer')
})

test('whoever has to prove the account first sends what waits along with the password', async () => {
  const server = aServer(providers(), refuses(login, 400, { non_field_errors: 'Wrong.' }))
  const { user, router } = await show(<LoginScreen />, { at: '/accounts/login/#provider=oidc&link=waits' })
  await screen.findByText(/the password of your account, and House ID is connected/)
  await waitFor(() => expect(router.state.location.hash).toBe(''))
  await user.type(screen.getByLabelText('E-mail'), 'a@example.org')
  await user.type(screen.getByLabelText('Password'), 'a password')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(server.written()).toHaveLength(1))
  expect(server.written()[0]?.body).toMatchObject({ email: 'a@example.org', link: 'waits' })
})

test('the second factor is asked for, with the ticket of the provider’s sign-in', async () => {
  const server = aServer(providers(), refuses(loginFactor, 400, { code: 'Wrong.' }))
  const { user } = await show(<LoginScreen />, {
    at: '/accounts/login/#provider=oidc&ticket=half&factors=totp&link=waits',
  })
  await user.type(await screen.findByLabelText('Code of your app'), '123456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(server.written()).toHaveLength(1))
  expect(server.written()[0]?.body).toEqual({ ticket: 'half', code: '123456', link: 'waits' })
})
