import { screen, waitFor, within } from '@testing-library/react'
import type { Reply } from '@vigil/contract/endpoint.ts'
import { bootstrap, login } from '@vigil/contract/people/accounts.ts'
import { loginFactor } from '@vigil/contract/people/factors.ts'
import { disconnectIdentity, listIdentities } from '@vigil/contract/people/identities.ts'
import { expect, test } from 'vitest'
import { answer, printers } from '../../../../dev/stub.ts'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { IdentitiesPanel } from './IdentitiesPanel.tsx'
import LoginScreen from './LoginScreen.tsx'

const providers = [
  { id: 'oidc', name: 'House ID', logo: null },
  { id: 'google', name: 'Google', logo: null },
]
const world = (signedIn: boolean) => {
  const scene = { signedIn, language: 'en', printers: printers(), providers } as const
  return answers(bootstrap, answer(scene, 'GET', bootstrap.path)!.body as Reply<typeof bootstrap>)
}

test('a provider is gone to from the sign-in page, with where to go afterwards', async () => {
  aServer(world(false))
  await show(<LoginScreen />, { at: '/accounts/login/?next=%2Fprint_history%2F' })
  const door = await screen.findByRole('link', { name: 'Sign in with House ID' })
  expect(new URL(door.getAttribute('href')!).pathname).toBe('/accounts/oidc/login/')
  expect(new URL(door.getAttribute('href')!).searchParams.get('next')).toBe('/print_history/')
})

test('what went wrong there is said', async () => {
  aServer(world(false))
  await show(<LoginScreen />, { at: '/accounts/login/?trouble=away&provider=google' })
  expect(await screen.findByRole('alert')).toHaveTextContent('Google does not answer')
})

test('whoever has to prove the account first sends what waits along with the password', async () => {
  const server = aServer(world(false), refuses(login, 400, { non_field_errors: 'Wrong.' }))
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
  const server = aServer(world(false), refuses(loginFactor, 400, { code: 'Wrong.' }))
  const { user } = await show(<LoginScreen />, {
    at: '/accounts/login/#provider=oidc&ticket=half&factors=totp&link=waits',
  })
  await user.type(await screen.findByLabelText('Code of your app'), '123456')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(server.written()).toHaveLength(1))
  expect(server.written()[0]?.body).toEqual({ ticket: 'half', code: '123456', link: 'waits' })
})

test('a connected provider is taken out after a question; another can be connected', async () => {
  const at = new Date().toISOString()
  const mine = {
    id: 7,
    provider: 'oidc',
    name: 'House ID',
    email: 'm@example.org',
    created_at: at,
    last_used_at: at,
  }
  let rows = [mine]
  const server = aServer(
    world(true),
    answers(listIdentities, () => rows),
    answers(disconnectIdentity, () => {
      rows = []
      return null
    }),
  )
  const { user } = await show(<IdentitiesPanel />)
  await screen.findByRole('button', { name: 'Connect Google' })
  await user.click(screen.getByRole('button', { name: 'Disconnect House ID' }))
  const question = await screen.findByRole('dialog', { name: /House ID/ })
  await user.click(within(question).getByRole('button', { name: 'Disconnect' }))
  await screen.findByRole('button', { name: 'Connect House ID' })
  expect(server.written().map(({ path }) => path)).toEqual(['/api/v1/auth/identities/7/'])
})
