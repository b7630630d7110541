import { screen, waitFor } from '@testing-library/react'
import { changeRules, getRules, type NotificationRules } from '@vigil/contract/tell/notification-rules.ts'
import {
  FEATURES,
  listPlugins,
  listSettings,
  type NotificationSetting,
} from '@vigil/contract/tell/notifications.ts'
import { expect, test } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import RulesScreen from './RulesScreen.tsx'

const at = new Date().toISOString()

/** A server that tells failures by those channels. */
function aTeller(...channels: string[]) {
  const on = Object.fromEntries(FEATURES.map((feature) => [feature, true]))
  return aServer(
    answers(listPlugins, {
      plugins: Object.fromEntries(channels.map((name) => [name, { features: [...FEATURES], env_vars: {} }])),
    }),
    answers(
      listSettings,
      channels.map((name, id) => ({
        id,
        created_at: at,
        updated_at: at,
        name,
        config: {},
        enabled: true,
        ...(on as Pick<NotificationSetting, (typeof FEATURES)[number]>),
      })),
    ),
  )
}

const NONE: NotificationRules = {
  time_zone: null,
  quiet_from: null,
  quiet_until: null,
  quiet_spares_alerts: true,
  digest: 'off',
  digest_at: '08:00',
  escalate_after: null,
  escalation_steps: {},
}

test('quiet hours begin with the night, and are set by the clock; that alerts wait, too, is said', async () => {
  let rules = NONE
  const server = aTeller('email', 'telegram')
  server.now(
    answers(getRules, () => rules),
    answers(changeRules, ({ body }) => (rules = { ...rules, ...(body as Partial<NotificationRules>) })),
  )
  const { user } = await show(<RulesScreen />)
  const flip = async (name: string) => await user.click(await screen.findByRole('switch', { name }))
  await flip('Hold messages back')
  await waitFor(() => expect(rules).toMatchObject({ quiet_from: '22:00', quiet_until: '07:00' }))
  expect(rules.time_zone, 'that of this browser').toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  for (const [field, time] of [
    ['From', '23:15'],
    ['Until', '06:30'],
  ] as const) {
    await user.clear(screen.getByLabelText(field))
    await user.type(screen.getByLabelText(field), time)
    await user.tab()
  }
  await waitFor(() => expect(rules).toMatchObject({ quiet_from: '23:15', quiet_until: '06:30' }))
  expect(screen.getByText(/^When a print may be failing/)).toBeVisible()
  await flip('Failure alerts all the same')
  await screen.findByText(/^Failure alerts wait until the end of quiet hours/)
  expect(rules.quiet_spares_alerts).toBe(false)
  server.now(refuses(changeRules, 503))
  await flip('Failure alerts all the same')
  await waitFor(() => expect(screen.getByText(/^Failure alerts wait until the end/)).toBeVisible())
})

test('summaries say when, and who is told next is chosen by channel; with one channel there is nobody', async () => {
  let rules = { ...NONE, time_zone: 'Europe/Berlin' }
  const server = aTeller('telegram')
  server.now(
    answers(getRules, () => rules),
    answers(changeRules, ({ body }) => (rules = { ...rules, ...(body as Partial<typeof rules>) })),
  )
  const first = await show(<RulesScreen />)
  await first.user.click(await screen.findByText('Once a day'))
  expect(await screen.findByLabelText('Sent at')).toHaveValue('08:00')
  await first.user.click(screen.getByText('One by one'))
  await waitFor(() => expect(screen.queryByLabelText('Sent at')).toBeNull())
  await first.user.click(screen.getByRole('switch', { name: 'Tell the next channel' }))
  await screen.findByText(/^There is nobody else to tell/)
  const zone = screen.getByRole('combobox', { name: 'Time zone' })
  await first.user.clear(zone)
  await first.user.type(zone, 'Lisb')
  await first.user.click(await screen.findByRole('option', { name: 'Europe/Lisbon', hidden: true }))
  await waitFor(() => expect(rules.time_zone).toBe('Europe/Lisbon'))
})

test('with two channels each is told in its turn', async () => {
  let rules: NotificationRules = { ...NONE, escalate_after: 5 }
  const server = aTeller('telegram', 'email')
  server.now(
    answers(getRules, () => rules),
    answers(changeRules, ({ body }) => (rules = { ...rules, ...(body as Partial<NotificationRules>) })),
  )
  const { user } = await show(<RulesScreen />)
  await user.click(await screen.findByRole('combobox', { name: 'Telegram' }))
  // Of the two lists, Telegram's is the second.
  const later = await screen.findAllByRole('option', { name: 'After 5 minutes', hidden: true })
  await user.click(later.at(-1)!)
  await waitFor(() => expect(rules.escalation_steps).toEqual({ telegram: 1 }))
  expect(screen.queryByText(/^There is nobody else to tell/)).toBeNull()
})
