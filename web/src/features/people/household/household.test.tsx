import { screen, waitFor, within } from '@testing-library/react'
import {
  type AuditRow,
  changeMember,
  type Household,
  inviteMember,
  listAudit,
  listHouseholds,
  listMembers,
  type Member,
  orderMembers,
  removeMember,
} from '@vigil/contract/people/household.ts'
import { expect, test } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import HouseholdScreen, { orderWith } from './HouseholdScreen.tsx'

const at = new Date().toISOString()
const printers = [
  { id: 7, name: 'Voron' },
  { id: 8, name: 'Ender' },
]
const own: Household = { id: 1, name: 'Maria', role: null, member_id: null, printers }
const member = (id: number, more: Partial<Member> = {}): Member => ({
  id,
  name: `Person ${id}`,
  email: `${id}@example.org`,
  role: 'viewer',
  printers: null,
  place: null,
  is_me: false,
  invited_at: at,
  expires_at: at,
  accepted_at: at,
  ...more,
})
const row: AuditRow = {
  id: 5,
  at,
  who: { id: 9, name: 'Ada' },
  way: 'web',
  printer: { id: 7, name: 'Voron' },
  action: 'command.pause',
  outcome: 'sent',
  about: null,
}
const base = [answers(listHouseholds, [own]), answers(listAudit, [row])] as const

test('somebody is invited to some printers; owners have all', async () => {
  const server = aServer(
    ...base,
    answers(listMembers, []),
    answers(inviteMember, member(2, { accepted_at: null })),
  )
  const { user } = await show(<HouseholdScreen />)
  await screen.findByText('Nobody else yet.')
  await user.type(screen.getByRole('textbox', { name: 'E-mail address' }), 'ada@example.org')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Printers' }), 'some')
  const invite = screen.getByRole('button', { name: 'Invite' })
  expect(invite).toBeDisabled()
  await user.click(screen.getByRole('checkbox', { name: 'Ender' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'What they may do' }), 'operator')
  await user.click(invite)
  await waitFor(() => expect(server.written()).toHaveLength(1))
  expect(server.written()[0]!.body).toEqual({ email: 'ada@example.org', role: 'operator', printer_ids: [8] })

  await user.selectOptions(screen.getByRole('combobox', { name: 'What they may do' }), 'owner')
  expect(screen.queryByRole('combobox', { name: 'Printers' })).toBeNull()
})

test('an invitation that is refused says why beside the address', async () => {
  aServer(...base, answers(listMembers, []), refuses(inviteMember, 400, { email: ['They are in already.'] }))
  const { user } = await show(<HouseholdScreen />)
  await user.type(await screen.findByRole('textbox', { name: 'E-mail address' }), 'ada@example.org')
  await user.click(screen.getByRole('button', { name: 'Invite' }))
  expect(await screen.findByText('They are in already.')).toBeVisible()
})

test('a member is given another role and a place, and is removed after a question', async () => {
  const server = aServer(
    ...base,
    answers(listMembers, [member(2), member(3, { accepted_at: null, name: null })]),
    answers(changeMember, member(2, { role: 'operator' })),
    answers(orderMembers, [member(2, { place: 1 })]),
    answers(removeMember, null),
  )
  const { user } = await show(<HouseholdScreen />)
  await user.selectOptions(await screen.findByRole('combobox', { name: 'What Person 2 may do' }), 'operator')
  await user.selectOptions(
    screen.getByRole('combobox', { name: 'When Person 2 is told of an alert' }),
    '1. if nobody answers',
  )
  // Who has not come yet is told nothing.
  expect(screen.queryByRole('combobox', { name: 'When 3@example.org is told of an alert' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove Person 2' }))
  const question = await screen.findByRole('dialog', { name: 'Remove Person 2?' })
  await user.click(within(question).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(server.written()).toHaveLength(3))
  expect(server.written().map(({ method, path, body }) => [method, path, body])).toEqual([
    ['PATCH', '/api/v1/households/1/members/2/', { role: 'operator' }],
    ['PUT', '/api/v1/households/1/order/', { member_ids: [2] }],
    ['DELETE', '/api/v1/households/1/members/2/', null],
  ])
})

test('the log says who did what, and is picked out by kind', async () => {
  const server = aServer(...base, answers(listMembers, []))
  const { user } = await show(<HouseholdScreen />)
  expect(await screen.findByText('paused the print', { exact: false })).toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: 'What' }), 'household')
  await waitFor(() => expect(server.asked.at(-1)?.query).toMatchObject({ kind: 'household' }))
})

test('what an administrator did to the server stands in their log in words', async () => {
  const acts = ['notice_written', 'notice_rewritten', 'notice_removed', 'brand_changed', 'flag_turned']
  const all = [...acts, 'job_retried', 'message_retried', 'test_mail'].map((act, at) => ({
    ...row,
    id: 10 + at,
    printer: null,
    action: `admin.${act}`,
    outcome: 'done',
  }))
  aServer(...base.slice(0, 1), answers(listAudit, all), answers(listMembers, []))
  await show(<HouseholdScreen />)
  expect(await screen.findByText('wrote a notice', { exact: false })).toBeVisible()
  expect(screen.queryByText(/admin\./)).toBeNull()
})

test('who was chosen stays chosen where they did nothing', async () => {
  aServer(
    ...base.slice(0, 1),
    answers(listAudit, ({ query }) => (query['printer_id'] === '8' ? [] : [row])),
    answers(listMembers, []),
  )
  const { user } = await show(<HouseholdScreen />)
  const people = await screen.findByRole('combobox', { name: 'Person' })
  await user.selectOptions(people, 'Ada')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Printer' }), 'Ender')
  expect(await screen.findByText('Nothing yet.')).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Person' })).toHaveDisplayValue('Ada')
})

test('who belongs to another household leaves it, and rules it as an owner alone', async () => {
  const other = {
    id: 2,
    name: 'Bob',
    role: 'viewer',
    member_id: 4,
    printers: [{ id: 9, name: 'Prusa' }],
  } as const
  const server = aServer(
    answers(listHouseholds, [own, { ...other, printers: [...other.printers] }]),
    answers(listAudit, []),
    answers(listMembers, []),
    answers(removeMember, null),
  )
  const { user } = await show(<HouseholdScreen />)
  await user.click(await screen.findByRole('button', { name: 'Leave Bob' }))
  const question = await screen.findByRole('dialog', { name: /Leave the household/ })
  await user.click(within(question).getByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(server.written()[0]?.path).toBe('/api/v1/households/2/members/4/'))
  expect(screen.queryByText('Who sees the printers of Bob')).toBeNull()
})

test('an order is made by moving one of it', () => {
  const all = [member(1, { place: 2 }), member(2, { place: 1 }), member(3)]
  expect(orderWith(all, 3, 1)).toEqual([3, 2, 1])
  expect(orderWith(all, 3, 3)).toEqual([2, 1, 3])
  expect(orderWith(all, 2, null)).toEqual([1])
  expect(orderWith(all, 1, 1)).toEqual([1, 2])
})
