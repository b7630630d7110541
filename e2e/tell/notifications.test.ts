import { afterAll, expect, test } from 'vitest'
import { aStandIn, type StandIn, status } from '../../server/modules/tell/notifications/standin.fixture.ts'
import { aWorkshop } from '../fixture.ts'
import { complaintsBut, touchSwitch, until } from '../support.ts'

/** Servers that stand in for ntfy's and Telegram's: started first, as the server has to know where they are. */
const ntfy: StandIn = await aStandIn()
const telegram: StandIn = await aStandIn(() => ({ ok: true }))
const workshop = aWorkshop({
  env: {
    TELEGRAM_BOT_TOKEN: '42:bot',
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'shh',
    OUTGOING_STAND_INS: [
      `https://ntfy.sh=${ntfy.url}`,
      `https://api.telegram.org=${telegram.url}`,
      `https://slack.com=${telegram.url}`,
    ].join(','),
  },
})
afterAll(async () => {
  await Promise.all([ntfy.close(), telegram.close()])
})

test('an owner hears that no alert would arrive, sets up two channels, and proves them', async () => {
  workshop.evidence('notifications')
  const { page } = workshop.owner
  await page.goto(workshop.at('/user_preferences/general_notifications/'))
  await page.getByText('Failure alerts do not reach you: no channel is set up.').waitFor()
  expect(await page.getByRole('link', { name: /^SMS/ }).count(), 'its variables are missing').toBe(0)

  // ntfy: refused beside the field, then kept while it is typed, then proven.
  await page.getByRole('link', { name: /^ntfy/ }).last().click()
  const topic = page.getByRole('textbox', { name: 'Topic address' })
  await topic.fill('not an address')
  await page.getByText('Enter a valid web address, beginning with https:// or http://.').waitFor()
  await topic.fill('https://ntfy.sh/cellar-3f9a')
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByText('Sent, and accepted.').waitFor()
  expect(ntfy.asked.map(({ path }) => path)).toEqual(['/cellar-3f9a'])
  await page.route('**/api/v1/notification_settings/*/', (route) => route.fulfill({ status: 500, json: {} }))
  await topic.fill('https://ntfy.sh/cellar-4')
  await page.getByText(/Can not update your preferences/).waitFor()
  await page.unroute('**/api/v1/notification_settings/*/')
  await topic.fill('https://ntfy.sh/cellar-3f9a')
  await page
    .getByRole('status')
    .filter({ has: page.getByLabel('Saved') })
    .first()
    .waitFor()

  await touchSwitch(page.getByRole('switch', { name: 'Print job events' }))
  await until(
    async () => (await page.getByRole('switch', { name: 'Print is done' }).count()) === 0,
    'the events of print jobs are off',
  )
  await touchSwitch(page.getByRole('switch', { name: 'Print job events' }))
  await page.getByRole('switch', { name: 'Filament change is needed' }).waitFor()
  expect(await page.getByRole('switch', { name: 'Filament change is needed' }).isChecked()).toBe(true)
  expect(await page.getByRole('switch', { name: 'Print starts' }).isChecked()).toBe(false)

  // Telegram: what it says is told; emptied, it is gone.
  await page.goto(workshop.at('/user_preferences/notification_telegram/'))
  const chat = page.getByRole('textbox', { name: 'Chat ID' })
  await chat.fill('12345')
  telegram.answers(status(400, { ok: false, description: 'Bad Request: chat not found' }))
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByText('Telegram test failed: HTTP 400: Bad Request: chat not found').waitFor()
  await chat.fill('')
  await page.getByRole('button', { name: 'Send a test message' }).waitFor({ state: 'detached' })

  // Slack, which somebody has put the app into and taken it out of again.
  await page.request.post(workshop.at('/api/v1/notification_settings/'), {
    data: { name: 'slack', config: { access_token: 'xoxb-gone' } },
  })
  telegram.answers(() => ({ ok: false, error: 'token_revoked' }))
  await page.goto(workshop.at('/user_preferences/notification_slack/'))
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByText('Slack test failed: token_revoked').waitFor()

  await page.goto(workshop.at('/user_preferences/general_notifications/'))
  await page.getByText('Failure alerts reach you.').waitFor()
  await page.getByRole('link', { name: 'Sent messages', exact: true }).click()
  await page.getByText(/accepted by ntfy/).waitFor()
  await page.getByText(/not accepted by Telegram/).waitFor()

  // A variable that is missing is named on the page of its channel.
  await page.goto(workshop.at('/user_preferences/notification_twilio/'))
  await page.getByText('TWILIO_AUTH_TOKEN').waitFor()
  expect(complaintsBut(workshop.owner, /status of (4(00|18)|500)/)).toEqual([])
})

test('quiet hours hold news back until they end, alerts are spared, and who is told next is chosen, on a phone', async () => {
  const { person, page, say } = await workshop.ownerAt(
    { flavour: 'octoprint', width: 390, theme: 'light', language: 'zh' },
    'notifications-rules',
  )
  const set = await page.request.get(workshop.at('/api/v1/notification_settings/'))
  for (const { id, name } of (await set.json()) as { id: number; name: string }[])
    if (name !== 'ntfy') await page.request.delete(workshop.at(`/api/v1/notification_settings/${id}/`))
  const rules = (key: string, values = {}) => say(`notifications:rules.${key}`, values)
  const flip = (key: string) => touchSwitch(page.getByRole('switch', { name: rules(key) }))
  const saved = async (wanted: object) =>
    await until(async () => {
      const now = await (await page.request.get(workshop.at('/api/v1/notification_rules/'))).json()
      return Object.entries(wanted).every(([field, value]) => now[field] === value)
    }, JSON.stringify(wanted))
  await page.goto(workshop.at('/user_preferences/quiet_hours/'))
  await flip('quiet.switch')
  await saved({ quiet_from: '22:00', quiet_until: '07:00', quiet_spares_alerts: true })
  await page.getByText(rules('quiet.sparesHint')).waitFor()
  for (const [field, time] of [
    ['from', '00:01'],
    ['until', '00:00'],
  ] as const) {
    await page.getByLabel(rules(`quiet.${field}`), { exact: true }).fill(time)
    await page.getByLabel(rules(`quiet.${field}`), { exact: true }).press('Enter')
    await saved({ [`quiet_${field}`]: time })
  }
  await flip('quiet.spares')
  await page.getByText(rules('quiet.holdsHint')).waitFor()
  await flip('quiet.spares')
  await saved({ quiet_spares_alerts: true })
  await page.getByText(rules('digest.daily'), { exact: true }).click()
  await page.getByLabel(rules('digest.at'), { exact: true }).waitFor()
  await page.getByText(rules('digest.off'), { exact: true }).click()
  await flip('escalation.switch')
  await page.getByText(rules('escalation.few')).waitFor()
  await page.request.post(workshop.at('/api/v1/notification_settings/'), {
    data: { name: 'telegram', config: { chat_id: '12345' } },
  })
  await page.reload()
  await page.getByLabel('Telegram', { exact: true }).click()
  await page.getByRole('option', { name: rules('escalation.later_other', { count: 5 }), exact: true }).click()
  await saved({ digest: 'off', escalate_after: 5 })

  // Of a print that starts nobody is woken: it waits, and the log says for how long.
  const settings = await page.request.get(workshop.at('/api/v1/notification_settings/'))
  const found = ((await settings.json()) as { id: number; name: string }[]).find(
    ({ name }) => name === 'ntfy',
  )
  await page.request.patch(workshop.at(`/api/v1/notification_settings/${found?.id}/`), {
    data: { name: 'ntfy', notify_on_print_start: true },
  })
  const before = ntfy.asked.length
  const { machine } = await workshop.linked('Prusa')
  machine.startPrint()
  await page.goto(workshop.at('/user_preferences/sent_messages/'))
  await until(async () => {
    await page.reload()
    await page.getByRole('listitem').first().waitFor()
    return /免打扰时段：将于 .*通知 ntfy/.test(await page.locator('main').innerText())
  }, 'the start is held back')
  expect(ntfy.asked).toHaveLength(before)
  expect(complaintsBut(person)).toEqual([])
})
