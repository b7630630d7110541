import { act, screen, waitFor, within } from '@testing-library/react'
import {
  listWrittenNotices,
  removeNotice,
  rewriteNotice,
  writeNotice,
  type WrittenNotice,
} from '@vigil/contract/people/notices.ts'
import { getSite } from '@vigil/contract/people/site.ts'
import { expect, test } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { client } from '../../../app/client.ts'
import NoticesScreen from './NoticesScreen.tsx'

const at = new Date().toISOString()
const site = { is_enterprise: false, brands: [], flags: [] }
const notice: WrittenNotice = {
  id: 5,
  level: 'warning',
  title: { en: 'Tonight', zh: '今晚' },
  body: { en: 'We move.', zh: '搬家。' },
  link_url: null,
  link_text: null,
  audience: 'all',
  brand: null,
  dismissible: true,
  from: at,
  until: null,
  created_at: at,
  dismissed: 3,
}

test('a notice is written in both languages, and seen before it is published', async () => {
  const server = aServer(
    answers(getSite, site),
    answers(listWrittenNotices, []),
    answers(writeNotice, notice),
  )
  const { user } = await show(<NoticesScreen />)
  expect(await screen.findByText('No notice yet.')).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: 'Text (English)' }), 'We move tonight.')
  await user.type(screen.getByRole('textbox', { name: 'Text (Chinese)' }), '今晚搬家。')
  await user.type(screen.getByRole('textbox', { name: 'Link' }), 'https://status.example.org/')
  await user.type(screen.getByRole('textbox', { name: 'Words of the link (English)' }), 'More')
  await user.type(screen.getByRole('textbox', { name: 'Words of the link (Chinese)' }), '更多')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Level' }), 'error')
  await user.click(screen.getByRole('checkbox', { name: 'People may put it away' }))
  const preview = screen.getByRole('region', { name: 'As people see it' })
  expect(within(preview).getByText('We move tonight.')).toBeVisible()
  expect(within(preview).getByRole('link', { name: '更多' })).toHaveAttribute(
    'href',
    'https://status.example.org/',
  )
  expect(within(preview).queryByRole('button')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Publish' }))
  await waitFor(() => expect(server.written()).toHaveLength(1))
  expect(server.written()[0]!.body).toEqual({
    level: 'error',
    title: null,
    body: { en: 'We move tonight.', zh: '今晚搬家。' },
    link_url: 'https://status.example.org/',
    link_text: { en: 'More', zh: '更多' },
    audience: 'all',
    brand: null,
    from: null,
    until: null,
    dismissible: false,
  })
})

/** A list of notices into which other administrators write, too. */
function aList() {
  const written: WrittenNotice[] = []
  aServer(
    answers(getSite, site),
    answers(listWrittenNotices, () => written.slice()),
    answers(writeNotice, () => {
      written.push({ ...notice, id: 6, title: null })
      return notice
    }),
  )
  return written
}

test('the first notice of all that is published says so', async () => {
  aList()
  const { user } = await show(<NoticesScreen />)
  await user.type(await screen.findByRole('textbox', { name: 'Text (English)' }), 'We move.')
  await user.click(screen.getByRole('button', { name: 'Publish' }))
  expect(await screen.findByText('The notice is published')).toBeVisible()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.getByRole('button', { name: 'A new notice' })).toBeVisible()
})

test('a first notice is written on though another administrator publishes', async () => {
  const written = aList()
  const { user } = await show(<NoticesScreen />)
  const text = await screen.findByRole('textbox', { name: 'Text (English)' })
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  await user.type(text, 'We move')
  written.push(notice)
  await act(() => client.refetchQueries())
  expect(await screen.findByRole('button', { name: 'Change: Tonight' })).toBeVisible()
  expect(text).toHaveFocus()
  expect(text).toHaveValue('We move')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('what is wrong of a notice stands beside its field', async () => {
  aServer(
    answers(getSite, site),
    answers(listWrittenNotices, []),
    refuses(writeNotice, 400, { until: ['This must be later than the beginning.'] }),
  )
  const { user } = await show(<NoticesScreen />)
  await user.click(await screen.findByRole('button', { name: 'Publish' }))
  expect(await screen.findByText('This must be later than the beginning.')).toBeVisible()
})

test('a notice is changed, and taken back after a question', async () => {
  const server = aServer(
    answers(getSite, site),
    answers(listWrittenNotices, [notice]),
    answers(rewriteNotice, notice),
    answers(removeNotice, null),
  )
  const { user } = await show(<NoticesScreen />)
  await user.click(await screen.findByRole('button', { name: 'Change: Tonight' }))
  expect(screen.getByText('put away by 3')).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: 'Text (English)' }), ' Again.')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(server.written()[0]).toMatchObject({ method: 'PUT', path: '/api/v1/admin/notices/5/' }),
  )
  expect(server.written()[0]!.body).toMatchObject({ body: { en: 'We move. Again.' }, title: notice.title })
  await user.click(screen.getByRole('button', { name: 'Remove: Tonight' }))
  const question = await screen.findByRole('dialog', { name: 'Remove this notice?' })
  await user.click(within(question).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(server.written()[1]?.method).toBe('DELETE'))
})
