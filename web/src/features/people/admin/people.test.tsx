import { screen, waitFor, within } from '@testing-library/react'
import {
  actAs,
  changePerson,
  getPerson,
  listPeople,
  type Person,
  resetPersonFactors,
  stopActing,
  type WholePerson,
} from '@vigil/contract/people/directory.ts'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { expect, test, vi } from 'vitest'
import { answer as ofTheScene } from '../../../../dev/stub.ts'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { ActingBanner } from './ActingBanner.tsx'
import PeopleScreen from './PeopleScreen.tsx'
import { PersonActs } from './PersonActs.tsx'
import PersonScreen from './PersonScreen.tsx'

const at = new Date().toISOString()
const person = (id: number, more: Partial<Person> = {}): Person => ({
  id,
  email: `${id}@example.org`,
  name: `Person ${id}`,
  brand: 'base',
  is_active: true,
  is_staff: false,
  is_leaving: false,
  plan: 'pro',
  printers: 2,
  created_at: at,
  last_active_at: at,
  ...more,
})
const whole = (more: Partial<WholePerson> = {}): WholePerson => ({
  ...person(7),
  factors: ['totp'],
  reset_due_at: null,
  is_reset_asked: false,
  sessions: 3,
  mobile_app_canary: false,
  hours: 12.34,
  are_hours_unlimited: false,
  stored: [{ kind: 'files', count: 4, bytes: 5_000_000 }],
  storage_limit: 1_073_741_824,
  ...more,
})

test('people are looked for by a word and a state, and say what is unlike others', async () => {
  const server = aServer(
    answers(listPeople, {
      count: 2,
      people: [person(7, { is_active: false }), person(8, { is_staff: true, last_active_at: null })],
    }),
  )
  const { user } = await show(<PeopleScreen />)
  expect(await screen.findByRole('link', { name: 'Person 7' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/admin\/people\/7\/?$/),
  )
  expect(screen.getByText('2 people')).toBeVisible()
  expect(screen.getByText('Disabled', { selector: 'span' })).toBeVisible()
  const [, , row] = screen.getAllByRole('row')
  expect(
    within(row!)
      .getAllByRole('cell')
      .map(({ textContent: text }) => text),
  ).toEqual(['Person 88@example.org', '2', 'Never', expect.stringMatching(/\d/), 'Administrator'])
  await user.type(screen.getByRole('searchbox'), 'ada')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Which' }), 'staff')
  await waitFor(() =>
    expect(server.asked.at(-1)?.query).toMatchObject({ q: 'ada', state: 'staff', start: '0' }),
  )
})

test('a list that does not come says so, and one that is empty, too', async () => {
  const server = aServer(refuses(listPeople, 500))
  const { user } = await show(<PeopleScreen />)
  const again = await screen.findByRole('button', { name: 'Try again' })
  server.now(answers(listPeople, { count: 0, people: [] }))
  await user.click(again)
  expect(await screen.findByText('Nobody is found.')).toBeVisible()
})

test('an account shows what is known, and is disabled after a question', async () => {
  let now = whole()
  const server = aServer(
    answers(getPerson, () => now),
    answers(changePerson, () => (now = whole({ is_active: false }))),
    answers(resetPersonFactors, () => (now = whole({ is_reset_asked: true }))),
  )
  const { user } = await show(<PersonScreen />, { at: '/admin/people/7/' })
  expect(await screen.findByText('Authenticator app')).toBeVisible()
  expect(
    screen.getByText('4.8 MB of 1 GB, 4 in all', {
      normalizer: (text) => text.replaceAll(/[\u2060\u2009]+/g, ' '),
    }),
  ).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Disable' }))
  const question = await screen.findByRole('dialog', { name: 'Disable 7@example.org?' })
  await user.click(within(question).getByRole('button', { name: 'Disable' }))
  expect(await screen.findByRole('button', { name: 'Open again' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Reset factors' }))
  const second = await screen.findByRole('dialog', { name: /Reset the factors/ })
  await user.click(within(second).getByRole('button', { name: 'Reset factors' }))
  expect(await screen.findByText('A reset was asked for.')).toBeVisible()
  expect(server.written().map(({ method, path, body }) => [method, path, body])).toEqual([
    ['PATCH', '/api/v1/admin/people/7/', { is_active: false }],
    ['POST', '/api/v1/admin/people/7/reset_factors/', null],
  ])
})

test('nothing is done to one’s own account, nor to one that is about to go; nobody acts as an administrator', async () => {
  aServer()
  await show(
    <>
      <PersonActs person={whole({ id: 1 })} />
      <PersonActs person={whole({ is_leaving: true })} />
      <PersonActs person={whole({ is_staff: true, factors: [] })} />
    </>,
  )
  expect(screen.getByText(/Its owner deletes this account/)).toBeVisible()
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Disable'])
})

test('acting as somebody asks why, and what is refused is told', async () => {
  const server = aServer(refuses(actAs, 409, { detail: 'You act as somebody already.' }))
  const { user } = await show(<PersonActs person={whole()} />)
  const button = screen.getByRole('button', { name: 'Act as them' })
  expect(button).toBeDisabled()
  await user.type(screen.getByRole('textbox', { name: 'Why' }), ' They asked ')
  await user.click(button)
  expect(await screen.findByText('You act as somebody already.')).toBeVisible()
  expect(server.written()[0]!.body).toEqual({ reason: 'They asked' })
})

test('who acts as somebody reads it above everything, and is themselves again by one button', async () => {
  const scene = ofTheScene(
    { signedIn: true, language: 'en', printers: [] },
    'GET',
    '/api/v1/bootstrap/',
  )?.body
  const until = new Date(Date.now() + 20 * 60_000).toISOString()
  const server = aServer(
    answers(bootstrap, { ...(scene as any), acting: { by: 'boss@example.org', until } }),
    answers(stopActing, null),
  )
  const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const { user } = await show(<ActingBanner />)
  const banner = screen.getByRole('alert')
  expect(banner).toHaveTextContent('You act as mk@example.org.')
  expect(banner).toHaveTextContent(/(19|20) min left/)
  await user.click(within(banner).getByRole('button', { name: 'Be yourself again' }))
  await waitFor(() => expect(leave).toHaveBeenCalledWith(expect.stringMatching(/\/admin\/$/)))
  expect(server.written().map(({ method, path }) => [method, path])).toEqual([
    ['DELETE', '/api/v1/admin/acting/'],
  ])
})
