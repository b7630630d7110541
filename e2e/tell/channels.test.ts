import { afterAll, expect, test } from 'vitest'
import {
  aMosquitto,
  hasMosquitto,
  type Mosquitto,
} from '../../server/modules/printers/home-assistant/mosquitto.fixture.ts'
import { aStandIn, type StandIn } from '../../server/modules/tell/notifications/standin.fixture.ts'
import { aWorkshop } from '../fixture.ts'
import { wordsIn } from '../looks.ts'
import { aPerson, complaintsBut, type Person, touchSwitch, until } from '../support.ts'

/** Everybody's server: started first, as ours has to know where they are. */
const vendor: StandIn = await aStandIn(() => ({ ok: true, status: 1 }))
const hasBroker = hasMosquitto()
const broker: Mosquitto | null = hasBroker ? await aMosquitto() : null
const workshop = aWorkshop({
  env: {
    ACCOUNT_ALLOW_SIGN_UP: 'true',
    TELEGRAM_BOT_TOKEN: '42:bot',
    PUSHOVER_APP_TOKEN: 'app',
    TWILIO_ACCOUNT_SID: 'AC1',
    TWILIO_AUTH_TOKEN: 'secret',
    TWILIO_FROM_NUMBER: '+15005550006',
    OUTGOING_STAND_INS: [
      ...[
        'https://api.telegram.org',
        'https://discord.com',
        'https://api.pushover.net',
        'https://api.pushbullet.com',
        'https://api.twilio.com',
        'https://ntfy.sh',
        'http://hook.example',
        'https://matrix.example',
      ].map((origin) => `${origin}=${vendor.url}`),
      ...(broker ? [`mqtt://broker.example:1883=${broker.address}`] : []),
    ].join(','),
  },
})
const say = wordsIn('en')

afterAll(async () => {
  await vendor.close()
  await broker?.close()
})

/** What is written into the fields of a channel, and what is said to what is wrong. */
interface Form {
  readonly name: string
  readonly wrong: Readonly<Record<string, string>>
  readonly refusal: string
  readonly right: Readonly<Record<string, string>>
}
const KEY = 'u'.repeat(30)
const FORMS: readonly Form[] = [
  {
    name: 'twilio',
    wrong: { phone_country_code: '+1', phone_number: '12' },
    refusal: 'badPhone',
    right: { phone_number: '4155552671' },
  },
  {
    name: 'pushbullet',
    wrong: { access_token: 'no token!' },
    refusal: 'badToken',
    right: { access_token: 'o.abc' },
  },
  {
    name: 'discord',
    wrong: { webhook_url: 'https://example.com/' },
    refusal: 'badDiscord',
    right: { webhook_url: 'https://discord.com/api/webhooks/1/tok' },
  },
  { name: 'telegram', wrong: { chat_id: 'nobody' }, refusal: 'badChatId', right: { chat_id: '12345' } },
  { name: 'pushover', wrong: { user_key: 'short' }, refusal: 'badUserKey', right: { user_key: KEY } },
  {
    name: 'webhook',
    wrong: { custom_webhook_URL: 'ftp://x' },
    refusal: 'badAddress',
    right: { custom_webhook_URL: 'http://hook.example/in' },
  },
  {
    name: 'apprise',
    wrong: { apprise_url: 'mystery://x' },
    refusal: 'badApprise',
    right: { apprise_url: 'json://hook.example/in' },
  },
  {
    name: 'ntfy',
    wrong: { ntfy_url: 'https://ntfy.sh/' },
    refusal: 'badTopic',
    right: { ntfy_url: 'https://ntfy.sh/cellar' },
  },
  {
    name: 'gotify',
    wrong: { gotify_url: 'nowhere', app_token: 'A1' },
    refusal: 'badAddress',
    right: { gotify_url: 'http://hook.example' },
  },
  {
    name: 'matrix',
    wrong: { homeserver_url: 'https://matrix.example', room_id: '#alias', access_token: 'syt' },
    refusal: 'badRoom',
    right: { room_id: '!abc:example' },
  },
  ...(hasBroker
    ? [
        {
          name: 'mqtt',
          wrong: { broker_url: 'http://broker.example', username: 'vigil', password: 'secret' },
          refusal: 'badBroker',
          right: { broker_url: 'mqtt://broker.example:1883' },
        },
      ]
    : []),
]

/** Somebody who has just signed up. */
async function aNewcomer(email: string, options: Parameters<typeof aPerson>[0] = {}): Promise<Person> {
  const person = await aPerson(options)
  const data = { email, password: 'a good long password' }
  const answer = await person.page.request.post(workshop.at('/api/v1/auth/signup/'), { data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return person
}

const settingOf = async ({ page }: Person, channel: string) => {
  const answer = await page.request.get(workshop.at('/api/v1/notification_settings/'))
  const found = (await answer.json()) as { name: string; enabled: boolean }[]
  return found.find(({ name }) => name === channel)
}

/** By its form: wrong, and told so; right, kept and proven; switched off. */
async function walk(person: Person, { name, wrong, refusal, right }: Form): Promise<void> {
  const { page } = person
  const label = (field: string) =>
    page.getByLabel(say(`notifications:channel.${name}.${field}`), { exact: true })
  await page.goto(workshop.at(`/user_preferences/notification_${name}/`))
  for (const [field, value] of Object.entries(wrong)) await label(field).fill(value)
  await page.getByText(say(`notifications-server:${refusal}`)).waitFor()
  expect(await settingOf(person, name), name).toBeUndefined()
  for (const [field, value] of Object.entries(right)) await label(field).fill(value)
  await page.getByRole('button', { name: say('notifications:test.send') }).click()
  await page.getByText(say('notifications:test.sent')).waitFor()
  await touchSwitch(page.getByRole('switch', { name: say('notifications:switch.enabled') }))
  await until(async () => (await settingOf(person, name))?.enabled === false, `${name} is off`)
}

/** The same without its form, which ChannelFields.test.tsx fills in. */
async function prove({ page }: Person, { name, wrong, refusal, right }: Form): Promise<void> {
  const settings = workshop.at('/api/v1/notification_settings/')
  const set = (config: object) => page.request.post(settings, { data: { name, config } })
  const refused = await set(wrong)
  expect(refused.status(), name).toBe(400)
  expect(JSON.stringify(await refused.json())).toContain(
    JSON.stringify(say(`notifications-server:${refusal}`)),
  )
  const kept = await set({ ...wrong, ...right })
  expect(kept.status(), await kept.text()).toBe(201)
  const { id } = (await kept.json()) as { id: number }
  const sent = await page.request.post(`${settings}${id}/send_test_message/`)
  expect(await sent.json(), name).toEqual({ status: 'sent' })
}

/** One whose fields are required, all of them, and one with more than one line of words. */
const BY_FORM = ['twilio', 'matrix']

test(
  'every channel is set up: refused beside its field, proven by a test; by its form, and switched off there',
  { timeout: 240_000 },
  async () => {
    // Nobody tries more than 20 things in ten minutes: two people share them.
    const halves = [FORMS.slice(0, 6), FORMS.slice(6)]
    for (const [at, forms] of halves.entries()) {
      const person = await aNewcomer(`half${at}@example.org`)
      workshop.evidence(`channels-${at}`, person)
      for (const form of forms) await (BY_FORM.includes(form.name) ? walk : prove)(person, form)
      expect(complaintsBut(person, /status of 40[04]/)).toEqual([])
      await person.close()
    }
  },
)
