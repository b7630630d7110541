import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { updateMe } from '@vigil/contract/people/accounts.ts'
import { listSubscriptions } from '@vigil/contract/people/devices.ts'
import { listEmails } from '@vigil/contract/people/emails.ts'
import {
  changeSetting,
  createSetting,
  type Delivery,
  FEATURES,
  getReach,
  listDeliveries,
  listPlugins,
  listSettings,
  type NotificationSetting,
  type Plugin,
  type Reach,
  sendTestMessage,
} from '@vigil/contract/tell/notifications.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { client } from '../../../app/client.ts'
import ChannelScreen from './ChannelScreen.tsx'
import DeliveriesScreen from './DeliveriesScreen.tsx'
import NotificationsScreen from './NotificationsScreen.tsx'
import { ReachPanel } from './ReachPanel.tsx'

const at = new Date().toISOString()
const plugin = (env_vars: Plugin['env_vars'] = {}): Plugin => ({ features: [...FEATURES], env_vars })
const PLUGINS = {
  email: plugin(),
  webpush: plugin(),
  ntfy: plugin(),
  telegram: plugin({ TELEGRAM_BOT_TOKEN: { is_required: true, is_set: true } }),
  slack: plugin(),
  twilio: plugin({ TWILIO_AUTH_TOKEN: { is_required: true, is_set: false } }),
}

function setting(id: number, name: string, config: object = {}): NotificationSetting {
  const on = Object.fromEntries(FEATURES.map((feature) => [feature, feature === 'notify_on_failure_alert']))
  return {
    id,
    created_at: at,
    updated_at: at,
    name,
    config: { ...config },
    enabled: true,
    ...(on as Record<(typeof FEATURES)[number], boolean>),
  }
}
const went = (name: string, more: Partial<Reach['channels'][number]> = {}): Reach['channels'][number] => ({
  name,
  alerts: true,
  accepted_at: null,
  failing_since: null,
  refusal: null,
  ...more,
})

/** A server with those channels set up, of which it has heard so. */
function aTeller(settings: NotificationSetting[], reach: Reach = { reach: 'none', channels: [] }) {
  let mine = settings
  return aServer(
    answers(listPlugins, { plugins: PLUGINS }),
    answers(listSettings, () => mine),
    answers(getReach, reach),
    answers(createSetting, ({ body }) => {
      const { name, config } = body as Pick<NotificationSetting, 'name' | 'config'>
      mine = [...mine, setting(9, name, config)]
      return mine.at(-1)!
    }),
    answers(changeSetting, ({ body, path }) => {
      const id = Number(path.split('/').at(-2))
      mine = mine.map((one) => (one.id === id ? { ...one, ...(body as Partial<NotificationSetting>) } : one))
      return mine.find((one) => one.id === id)!
    }),
  )
}

beforeEach(() => void vi.stubGlobal('isSecureContext', false))

test('whether alerts arrive is said, and how each channel does; those of which a variable is missing do not stand there', async () => {
  const server = aTeller([])
  await show(<NotificationsScreen />)
  await screen.findByText('Failure alerts do not reach you: no channel is set up.')
  const rows = () => screen.getAllByRole('link')
  expect(rows().map((row) => row.textContent)).not.toContainEqual(expect.stringMatching(/^SMS/))

  server.now(
    answers(
      listSettings,
      ['email', 'ntfy', 'telegram'].map((name, place) => setting(place, name)),
    ),
    answers(getReach, {
      reach: 'works',
      channels: [
        went('email', { failing_since: at, refusal: 'mailbox full' }),
        went('ntfy', { accepted_at: at }),
        went('telegram'),
      ],
    }),
  )
  cleanup()
  await client.invalidateQueries()
  await show(<NotificationsScreen />)
  await screen.findAllByText('Failure alerts reach you, but not by E-mail.')
  const told = rows().map((row) => row.textContent)
  expect(told).toContainEqual(expect.stringMatching(/^E-mailFailing since .*: mailbox full/))
  expect(told).toContainEqual(expect.stringMatching(/^ntfyLast accepted/))
  expect(told).toContain('TelegramNot tested yet')
})

const of = (name: string) => ({
  at: `/user_preferences/notification_${name}/`,
  form: '/user_preferences/notification_{$channel}/',
})
const sendTest = () => screen.findByRole('button', { name: 'Send a test message' })

test('a channel is proven by a test; what could not be kept is said, and kept with the next try', async () => {
  const server = aTeller([setting(4, 'ntfy', { ntfy_url: 'https://ntfy.sh/cellar' })])
  server.now(answers(sendTestMessage, { status: 'sent' }))
  const { user } = await show(<ChannelScreen />, of('ntfy'))
  await user.click(await sendTest())
  await screen.findByText('Sent, and accepted.')
  server.now(refuses(changeSetting, 500, {}))
  const topic = screen.getByRole('textbox', { name: 'Topic address' })
  await user.type(topic, '-4')
  await user.tab()
  await screen.findByText(/Can not update your preferences/)
  server.now(answers(changeSetting, ({ body }) => setting(4, 'ntfy', (body as NotificationSetting).config)))
  await user.type(topic, '2')
  await user.tab()
  await screen.findByLabelText('Saved')
  expect(server.written().at(-1)?.body).toMatchObject({ config: { ntfy_url: 'https://ntfy.sh/cellar-42' } })
})

test('the events of print jobs are turned on together, two of them, and off together', async () => {
  const server = aTeller([setting(4, 'ntfy', { ntfy_url: 'https://ntfy.sh/cellar' })])
  const { user } = await show(<ChannelScreen />, of('ntfy'))
  const all = await screen.findByRole('switch', { name: 'Print job events' })
  expect(screen.queryByRole('switch', { name: 'Print is done' })).toBeNull()
  await user.click(all)
  expect(await screen.findByRole('switch', { name: 'Filament change is needed' })).toBeChecked()
  expect(screen.getByRole('switch', { name: 'Print is done' })).toBeChecked()
  expect(screen.getByRole('switch', { name: 'Print starts' })).not.toBeChecked()
  await waitFor(() => expect(server.written()).toHaveLength(1))
  await user.click(all)
  await waitFor(() => expect(screen.queryByRole('switch', { name: 'Print is done' })).toBeNull())
  await waitFor(() => expect(server.written()).toHaveLength(2))
})

test('a switch that could not be turned turns back: of a channel, and of all', async () => {
  const server = aTeller([setting(4, 'ntfy')])
  server.now(refuses(changeSetting, 503), refuses(updateMe, 503))
  const first = await show(<ChannelScreen />, of('ntfy'))
  await first.user.click(await screen.findByRole('switch', { name: 'Use this channel' }))
  await screen.findByRole('alert')
  expect(screen.getByRole('switch', { name: 'Use this channel' })).toBeChecked()
  cleanup()
  const { user } = await show(<NotificationsScreen />)
  await user.click(await screen.findByRole('switch', { name: 'Notifications' }))
  await screen.findByRole('alert')
  expect(screen.getByRole('switch', { name: 'Notifications' })).toBeChecked()
})

test.each([
  ['telegram', 'HTTP 400: Bad Request: chat not found', 'Telegram test failed: HTTP 400: Bad Request'],
  ['slack', 'token_revoked', 'Slack test failed: token_revoked'],
  ['ntfy', 'HTTP 503', 'Test failed: HTTP 503'],
])('what %s says to a test is told in its own words', async (name, detail, words) => {
  const server = aTeller([setting(4, name, { chat_id: '1', ntfy_url: 'https://ntfy.sh/x' })])
  server.now(refuses(sendTestMessage, 418, { status: 'error', detail }))
  const { user } = await show(<ChannelScreen />, of(name))
  await user.click(await sendTest())
  await screen.findByText(new RegExp(`^${words}`))
})

test('a channel that this server has not says which variable is missing', async () => {
  aTeller([])
  await show(<ChannelScreen />, of('twilio'))
  await screen.findByText('TWILIO_AUTH_TOKEN')
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('push over plain http says why there is none; mail where it goes, or that no address is confirmed', async () => {
  const server = aTeller([setting(1, 'email')])
  server.now(answers(listSubscriptions, { public_key: 'x', subscriptions: [] }), answers(listEmails, []))
  await show(<ChannelScreen />, of('webpush'))
  await screen.findByText(/^Browsers allow push over https only/)
  cleanup()
  await show(<ChannelScreen />, of('email'))
  await screen.findByText(/^None of your e-mail addresses is confirmed/)
  expect(screen.getByRole('link', { name: 'Confirm an address' })).toHaveAttribute('href', '/accounts/email')
})

test('who has just linked a printer sets up what needs no https first, and keeps it until its test was seen', async () => {
  const server = aTeller([])
  server.now(answers(sendTestMessage, { status: 'sent' }))
  const { user } = await show(<ReachPanel />)
  await screen.findByText(/^Push in the browser needs https/)
  const offered = within(screen.getByRole('group', { name: 'How shall we reach you?' })).getAllByRole(
    'button',
  )
  expect(offered.map((one) => one.textContent)).toEqual(['Telegram', 'ntfy', 'E-mail'])
  await user.click(screen.getByRole('button', { name: 'ntfy' }))
  await user.type(screen.getByRole('textbox', { name: 'Topic address' }), 'https://ntfy.sh/neu')
  await user.tab()
  server.now(answers(getReach, { reach: 'works', channels: [went('ntfy', { accepted_at: at })] }))
  await user.click(await sendTest())
  await screen.findByText('Sent, and accepted.')
})

test('nothing is asked of who is known to be reached', async () => {
  const server = aTeller([setting(4, 'ntfy')], {
    reach: 'works',
    channels: [went('ntfy', { accepted_at: at })],
  })
  await show(<ReachPanel />)
  await waitFor(() => expect(server.asked.map(({ path }) => path)).toContain(getReach.path))
  expect(screen.queryByText('How shall we reach you?')).toBeNull()
})

test('what was sent says who took it, who did not and why, and what waits, for what and until when', async () => {
  const row = (id: number, more: Partial<Delivery>): Delivery => ({
    id,
    kind: 'PrintStarted',
    channel: 'ntfy',
    printer: 'Ender',
    file: 'vase.gcode',
    created_at: at,
    due_at: at,
    ended_at: null,
    outcome: null,
    attempts: 0,
    waits_for: null,
    problem: null,
    ...more,
  })
  aServer(
    answers(listDeliveries, [
      row(1, { kind: 'Test', outcome: 'accepted', ended_at: at, attempts: 1 }),
      row(2, {
        channel: 'telegram',
        outcome: 'refused',
        ended_at: at,
        attempts: 1,
        problem: 'chat not found',
      }),
      row(3, { waits_for: 'quiet' }),
    ]),
  )
  await show(<DeliveriesScreen />)
  const rows = await screen.findAllByRole('listitem')
  expect(rows.map((one) => one.textContent)).toEqual([
    expect.stringMatching(/^Test message · Ender.*accepted by ntfy \d/),
    expect.stringMatching(/not accepted by Telegram.*chat not found/),
    expect.stringMatching(/held back by quiet hours: ntfy is told \d/),
  ])
})
