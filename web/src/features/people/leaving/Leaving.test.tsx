import { screen, waitFor } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { type Archive, deleteAccount, leaving, makeArchive } from '@vigil/contract/people/leaving.ts'
import { expect, test } from 'vitest'
import { answers, aServer, booted, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import LeavingScreen from './LeavingScreen.tsx'

const world = () => answers(bootstrap, booted())
const standing = { has_subscription: false, is_mailed: true, printing: [], archive: null }
const archive: Archive = {
  state: 'waiting',
  done: 0,
  total: 0,
  missing: 0,
  num_bytes: null,
  asked_at: '2026-11-25T20:00:00Z',
  expires_at: null,
  is_here: true,
}

test('an account is deleted by who says why and has understood; what follows is said', async () => {
  const printing = [{ printer: 'Ender', print: 'benchy.gcode' }]
  const server = aServer(world(), answers(leaving, { ...standing, printing }), answers(deleteAccount, null))
  const { user, router } = await show(<LeavingScreen />, { at: '/user_preferences/delete/' })
  expect(await screen.findByText('Ender: benchy.gcode')).toBeVisible()
  const button = screen.getByRole('button', { name: 'Delete account' })
  await user.click(button)
  expect(await screen.findByText('Please say why.')).toBeVisible()
  expect(screen.getByText('Please confirm that you understand.')).toBeVisible()
  await user.type(screen.getByLabelText('Why do you leave?'), ' I print no more. ')
  await user.click(screen.getByRole('checkbox'))
  expect(server.written()).toEqual([])
  await user.click(button)
  await waitFor(() => expect(router.state.location.pathname).toMatch('/accounts/left'))
  expect(router.state.location.search).toEqual({ mailed: 'true' })
  expect(server.written()[0]?.body).toEqual({ acknowledged: true, reason: 'I print no more.' })
})

test('while a subscription runs there is nothing to delete by', async () => {
  const boot = booted()
  const settings = { ...boot.settings, SUPPORT_EMAIL: 'help@vigil.example' }
  aServer(
    answers(bootstrap, { ...boot, settings }),
    answers(leaving, { ...standing, has_subscription: true }),
  )
  await show(<LeavingScreen />)
  await screen.findByText(/active subscription can't be deleted/)
  expect(screen.getByRole('link', { name: 'Your subscription' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/user_preferences\/subscription\b/),
  )
  expect(screen.getByRole('link', { name: 'help@vigil.example' })).toHaveAttribute(
    'href',
    'mailto:help@vigil.example',
  )
  expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull()
})

test('what is refused is said in the words of the product', async () => {
  aServer(world(), answers(leaving, standing), refuses(deleteAccount, 409, { error: 'active_subscription' }))
  const { user } = await show(<LeavingScreen />)
  await user.type(await screen.findByLabelText('Why do you leave?'), 'x')
  await user.click(screen.getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: 'Delete account' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Failed to delete account/)
})

const running: Archive = { ...archive, state: 'running', done: 3, total: 10 }

test('an archive is asked for, followed, and fetched where it was asked for', async () => {
  let now: Archive | null = null
  aServer(
    world(),
    answers(leaving, () => ({ ...standing, archive: now })),
    answers(makeArchive, () => {
      now = {
        ...archive,
        state: 'ready',
        num_bytes: 3_145_728,
        expires_at: '2026-11-27T20:00:00Z',
        missing: 2,
      }
      return running
    }),
  )
  const { user } = await show(<LeavingScreen />)
  await user.click(await screen.findByRole('button', { name: 'Make an archive' }))
  expect(await screen.findByText('3 of 10 files')).toBeVisible()
  const link = await screen.findByRole('link', { name: /^Download \(3\W{1,3}MB\)$/ })
  expect(link).toHaveAttribute('href', expect.stringContaining('/api/v1/users/me/archive/file/'))
  await waitFor(() => expect(screen.getByText(/2 files were gone/)).toBeVisible())
})

test('in another session it is not offered', async () => {
  aServer(world(), answers(leaving, { ...standing, archive: { ...archive, state: 'ready', is_here: false } }))
  await show(<LeavingScreen />)
  await screen.findByText(/in another session/)
  expect(screen.queryByRole('link', { name: /Download/ })).toBeNull()
})
