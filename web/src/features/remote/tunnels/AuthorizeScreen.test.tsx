import { cleanup, screen, waitFor } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { createTunnel } from '@vigil/contract/remote/tunnels.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { client } from '../../../app/client.ts'
import { answers, aServer, booted } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import AuthorizeScreen from './AuthorizeScreen.tsx'

afterEach(() => void vi.restoreAllMocks())

const ASK = '/tunnels/new?app=OctoApp&platform=octoprint'

test('an app is let in to the printer that its owner chooses, and told where it is', async () => {
  const endpoint = 'http://name:word@vigil.example'
  const leads = vi.spyOn(location, 'assign').mockReturnValue()
  const server = aServer(answers(createTunnel, { tunnel_endpoint: endpoint }))
  const { user } = await show(<AuthorizeScreen />, { at: ASK })
  const sure = await screen.findByRole('button', { name: 'Authorize' })
  expect(sure).toBeDisabled()
  screen.getByText('Please select a printer')
  await user.click(screen.getByRole('radio', { name: /^Ender 3/ }))
  await user.click(sure)
  await screen.findByText('Authorization Successful')
  expect(server.written().map(({ body }) => body)).toEqual([{ app_name: 'OctoApp', target_printer_id: 3 }])
  expect(leads.mock.lastCall).toEqual([`${location.origin}/tunnels/succeeded/?tunnel_endpoint=${endpoint}`])
})

test('who is not signed in is led here again, and nobody is led to a script', async () => {
  aServer(answers(bootstrap, booted({ signedIn: false })))
  await show(<AuthorizeScreen />, { at: ASK })
  const way = await screen.findByRole('link', { name: 'SIGN IN' })
  expect(new URL(way.getAttribute('href') ?? '', location.href).searchParams.get('next')).toBe(ASK)
  cleanup()
  client.clear()
  aServer()
  await show(<AuthorizeScreen />, { at: `${ASK}&success_redirect_url=javascript%3Aalert(1)` })
  await screen.findByRole('heading', { name: 'This request cannot be answered' })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Authorize' })).toBeNull())
})
