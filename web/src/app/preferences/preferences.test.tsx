import { screen, waitFor, within } from '@testing-library/react'
import { bootstrap, logout, updateMe } from '@vigil/contract/people/accounts.ts'
import { listPlugins, listSettings } from '@vigil/contract/tell/notifications.ts'
import { expect, test, vi } from 'vitest'
import { answers, aServer, booted, refuses } from '../../../test/server.ts'
import { show } from '../../../test/show.tsx'
import ProfileScreen from '../../features/people/accounts/ProfileScreen.tsx'
import { PreferencesFrame } from './PreferencesFrame.tsx'
import { type Facts, foldedOf, sectionsFor } from './sections.ts'

const facts: Facts = {
  user: { notification_enabled: true, is_dh_unlimited: true },
  platform: null,
  isThemeForced: false,
  isOnlyNotifications: false,
  isThemeable: false,
  isEnterprise: false,
  channels: ['email', 'ntfy'],
  channelsOn: [],
}
const names = (more: Partial<Facts> = {}) =>
  sectionsFor({ ...facts, ...more }).map(({ text }) => (typeof text === 'string' ? text : text.channel))
const boot = booted()
const world = () =>
  [answers(bootstrap, boot), answers(listPlugins, { plugins: {} }), answers(listSettings, [])] as const

test('sections stand in their order, channels that the server has after the notifications', () => {
  expect(names()).toEqual([
    'general',
    'appearance',
    'profile',
    'security',
    'household',
    'notifications',
    'email',
    'ntfy',
    'quiet',
    'sent',
    'apps',
    'delete',
  ])
})

test.each<[string, Partial<Facts>, string[]]>([
  [
    'hours count where they are limited',
    { user: { notification_enabled: true, is_dh_unlimited: false } },
    ['+hours'],
  ],
  ['a brand has one theme', { isThemeForced: true, isThemeable: true }, ['-appearance']],
  ['an app has its own theme', { platform: 'ios' }, ['-appearance']],
  ['an app that follows ours', { platform: 'ios', isThemeable: true }, []],
])('%s', (_, more, changes) => {
  const [before, after] = [names(), names(more)]
  const found = [
    ...after.filter((name) => !before.includes(name)).map((name) => `+${name}`),
    ...before.filter((name) => !after.includes(name)).map((name) => `-${name}`),
  ]
  expect(found).toEqual(changes)
})

test('onlyNotifications=true leaves nothing else', () => {
  expect(names({ isOnlyNotifications: true })).toEqual(['notifications', 'email', 'ntfy', 'quiet', 'sent'])
})

test('channels cannot be chosen while notifications are off', () => {
  const user = { notification_enabled: false, is_dh_unlimited: true }
  const off = sectionsFor({ ...facts, user }).filter(({ isDisabled }) => isDisabled)
  expect(off.map(({ text }) => text)).toEqual([{ channel: 'email' }, { channel: 'ntfy' }])
})

test('of many channels those that are on stand there, and the one that is looked at; the others fold', () => {
  const channels = ['email', 'webpush', 'discord', 'ntfy', 'gotify', 'mqtt', 'matrix']
  const all = sectionsFor({ ...facts, channels, channelsOn: ['matrix'] })
  const seenAt = (at: string) => {
    const { shown, folded } = foldedOf(all, at)
    return { folded, channels: shown.flatMap(({ text }) => (typeof text === 'string' ? [] : [text.channel])) }
  }
  const always = ['email', 'webpush', 'discord', 'matrix']
  expect(seenAt('/user_preferences/general/')).toEqual({ folded: 3, channels: always })
  // Two are not worth a fold.
  expect(seenAt('/user_preferences/notification_mqtt/')).toEqual({ folded: 0, channels })
})

test('who unfolds the other channels goes on at the first of them', async () => {
  const names = ['email', 'webpush', 'discord', 'ntfy', 'gotify', 'mqtt', 'matrix']
  const plugins = Object.fromEntries(names.map((name) => [name, { features: [], env_vars: {} }]))
  aServer(answers(bootstrap, boot), answers(listPlugins, { plugins }), answers(listSettings, []))
  const { user } = await show(<PreferencesFrame>{null}</PreferencesFrame>, {
    at: '/user_preferences/general/',
  })
  await user.click(await screen.findByRole('button', { name: '4 more channels' }))
  expect(screen.getByRole('link', { name: /ntfy/ })).toHaveFocus()
})

test('logging out asks first', async () => {
  const server = aServer(...world(), answers(logout, null))
  const { user } = await show(<PreferencesFrame>{null}</PreferencesFrame>, {
    at: '/user_preferences/general/',
  })
  const log = await screen.findByRole('button', { name: 'Log out' })
  await user.click(log)
  const question = await screen.findByRole('dialog', { name: 'Confirmation' })
  await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect(server.written()).toEqual([])
  await user.click(log)
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Logout' }))
  await waitFor(() => expect(server.written()).toHaveLength(1))
})

test('a name is sent once, a second after the last key, without what is around it', async () => {
  const server = aServer(...world(), answers(updateMe, { ...boot.user!, first_name: 'Ada' }))
  const told: string[] = []
  vi.stubGlobal('ReactNativeWebView', { postMessage: (text: string) => told.push(text) })
  const { user } = await show(<ProfileScreen />)
  const field = await screen.findByLabelText('First name')
  await user.clear(field)
  await user.type(field, ' Ada ')
  expect(server.written()).toEqual([])
  await waitFor(() => expect(server.written()).toHaveLength(1), { timeout: 5_000 })
  expect(server.written()[0]?.body).toEqual({ first_name: 'Ada' })
  expect(await screen.findByLabelText('Saved')).toBeVisible()
  expect(told).toEqual(['{"firstName":"Ada"}'])
})

test('why a name is not saved stands beside it, in the server’s words; what is about no field opens a dialog', async () => {
  aServer(...world(), refuses(updateMe, 400, { first_name: ['Too long.'], non_field_errors: ['Not today.'] }))
  const { user } = await show(<ProfileScreen />)
  await user.type(await screen.findByLabelText('First name'), 'x{Enter}')
  expect(await screen.findByText('Too long.')).toBeVisible()
  expect(await screen.findByText('Not today.')).toBeVisible()
})

test('without an answer that says more it is “Can not update your preferences”', async () => {
  aServer(...world(), refuses(updateMe, 500, 'oops'))
  const { user } = await show(<ProfileScreen />)
  await user.type(await screen.findByLabelText('Last name'), 'x{Enter}')
  expect(await screen.findByText(/^Can not update your preferences\./)).toBeVisible()
})

test('onlyName=true shows nothing but the names', async () => {
  aServer(...world())
  await show(<ProfileScreen />, { at: '/user_preferences/profile/?onlyName=true' })
  await screen.findByLabelText('Last name')
  expect(screen.queryByText('Password')).toBeNull()
})
