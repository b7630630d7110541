import { screen, waitFor } from '@testing-library/react'
import { type AccountNotice, dismissNotice, listNotices } from '@vigil/contract/people/notices.ts'
import { expect, test } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { Notices } from './Notices.tsx'

const at = new Date().toISOString()
const notice = (id: number, more: Partial<AccountNotice> = {}): AccountNotice => ({
  id,
  level: 'info',
  title: null,
  body_html: '<p>x</p>',
  body: `Notice ${id} <b>`,
  link_url: null,
  link_text: null,
  dismissible: true,
  created_at: at,
  expires_at: null,
  ...more,
})

test('notices stand with what they say and where they lead, and are put away one by one', async () => {
  const server = aServer(
    answers(listNotices, [
      notice(1, {
        level: 'error',
        title: 'Tonight',
        link_url: 'https://x.example/',
        link_text: 'More',
        dismissible: false,
      }),
      notice(2),
    ]),
    answers(dismissNotice, null),
  )
  const { user } = await show(<Notices />)
  expect(await screen.findByRole('region', { name: 'Notices' })).toHaveTextContent('Notice 1 <b>')
  expect(screen.getByRole('link', { name: 'More' })).toHaveAttribute('rel', 'noreferrer')
  expect(screen.queryByRole('button', { name: 'Put away: Tonight' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Put away: Notice 2 <b>' }))
  await waitFor(() => expect(screen.queryByText('Notice 2 <b>')).toBeNull())
  expect(server.written()[0]!.path).toBe('/ent/api/messages/2/dismiss/')
})

test('nothing stands where there is nothing to say, and one that could not be put away is back', async () => {
  aServer(answers(listNotices, [notice(3)]), refuses(dismissNotice, 500))
  const { user } = await show(<Notices />)
  await user.click(await screen.findByRole('button', { name: /Put away/ }))
  expect(await screen.findByText('Notice 3 <b>')).toBeVisible()
})
