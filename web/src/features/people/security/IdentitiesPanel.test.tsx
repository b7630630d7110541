import { screen, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { disconnectIdentity, listIdentities } from '@vigil/contract/people/identities.ts'
import { expect, test } from 'vitest'
import { answers, aServer, booted } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { IdentitiesPanel } from './IdentitiesPanel.tsx'

const providers = [
  { id: 'oidc', name: 'House ID', logo: null },
  { id: 'google', name: 'Google', logo: null },
]
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
    answers(bootstrap, booted({ providers })),
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
