import { screen, waitFor, within } from '@testing-library/react'
import { endOtherSessions, endSession, listSessions } from '@vigil/contract/people/sessions.ts'
import { expect, test } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { SessionsPanel } from './SessionsPanel.tsx'

const at = new Date().toISOString()
const session = (id: number, browser: string) => ({
  id,
  current: id === 1,
  browser,
  address: '203.0.113.7',
  created_at: at,
  last_used_at: at,
})

test('devices are listed with where they are; one is signed out after a question, then all others', async () => {
  let sessions = [session(1, 'Firefox, Linux'), session(2, 'Safari, iPhone'), session(3, '')]
  const server = aServer(
    answers(listSessions, () => sessions),
    answers(endSession, ({ path }) => {
      sessions = sessions.filter(({ id }) => !path.endsWith(`/${id}/`))
      return null
    }),
    answers(endOtherSessions, () => {
      sessions = sessions.slice(0, 1)
      return null
    }),
  )
  const { user } = await show(<SessionsPanel />)
  const rows = () => screen.getAllByRole('listitem')
  await waitFor(() => expect(rows()).toHaveLength(3))
  expect(rows()[0]).toHaveTextContent(/Firefox, Linux.*This device.*203\.0\.113\.7/)
  expect(within(rows()[0]!).queryByRole('button')).toBeNull()

  await user.click(screen.getByRole('button', { name: 'Sign out Safari, iPhone' }))
  const question = await screen.findByRole('dialog', { name: /Safari, iPhone/ })
  await user.click(within(question).getByRole('button', { name: 'Sign out' }))
  await waitFor(() => expect(rows()).toHaveLength(2))

  await user.click(screen.getByRole('button', { name: 'Sign out all others' }))
  const all = await screen.findByRole('dialog', { name: /everywhere else/ })
  await user.click(within(all).getByRole('button', { name: 'Sign out' }))
  await waitFor(() => expect(rows()).toHaveLength(1))
  expect(screen.queryByRole('button', { name: 'Sign out all others' })).toBeNull()
  expect(server.written().map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /api/v1/auth/sessions/2/',
    'DELETE /api/v1/auth/sessions/',
  ])
})

test('devices that cannot be had are said, and asked for again', async () => {
  const server = aServer(refuses(listSessions, 503))
  const { user } = await show(<SessionsPanel />)
  const again = await screen.findByRole('button', { name: 'Try again' })
  server.now(answers(listSessions, [session(1, 'Firefox, Linux')]))
  await user.click(again)
  await screen.findByText('This device')
})
