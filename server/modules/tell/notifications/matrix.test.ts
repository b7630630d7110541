import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import type { NoticeKind } from '@vigil/contract/tell/notifications.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { html } from '../../../lib/html.ts'
import { CHANNELS } from '../channels/index.ts'
import { KINDS, type Notice } from '../messages/index.ts'
import { findRecipient, messageOf, sendBy, Standby } from '../outbox/index.ts'
import {
  aMosquitto,
  hasMosquitto,
  type Listener,
  type Mosquitto,
} from '../../printers/home-assistant/mosquitto.fixture.ts'
import { aStandIn, type StandIn, status } from './standin.fixture.ts'
import { aBrowser } from './webpush.fixture.ts'
import { asId } from '../../../test/ids.ts'

/** Here are sheets to be looked at: every kind by every channel, in each language. */
const OUT = join(import.meta.dirname, '../../../../e2e/out')
const PUBLIC = 'https://vigil.example'
const VENDORS = {
  telegram: 'https://api.telegram.org',
  discord: 'https://discord.com',
  pushover: 'https://api.pushover.net',
  pushbullet: 'https://api.pushbullet.com',
  twilio: 'https://api.twilio.com',
  slack: 'https://slack.com',
  ntfy: 'https://ntfy.sh',
  gotify: 'https://gotify.example',
  matrix: 'https://matrix.example',
  webhook: 'https://hooks.example',
  apprise: 'https://notes.example',
  webpush: 'https://push.example',
  mobile: 'https://fcm.googleapis.com',
} as const
type Name = keyof typeof VENDORS
/** Those that people configure; browsers and phones register themselves. */
const CONFIGS: Readonly<Record<string, object>> = {
  telegram: { chat_id: '1' },
  discord: { webhook_url: 'https://discord.com/api/webhooks/1/abc' },
  pushover: { user_key: 'u'.repeat(30) },
  pushbullet: { access_token: 'o.x' },
  twilio: { phone_country_code: '+1', phone_number: '4155552671' },
  slack: { access_token: 'xoxb-1' },
  ntfy: { ntfy_url: 'https://ntfy.sh/my-topic' },
  gotify: { gotify_url: 'https://gotify.example', app_token: 'A' },
  matrix: { homeserver_url: 'https://matrix.example', room_id: '!a:b', access_token: 'syt' },
  webhook: { custom_webhook_URL: 'https://hooks.example/a' },
  apprise: { apprise_url: 'jsons://notes.example/a' },
}

const notice = (kind: NoticeKind, more: Partial<Notice> = {}): Notice => ({
  kind,
  code: null,
  printer: { id: asId(7), name: 'Voron & <Ender>', pauseOnFailure: true, watchingEnabled: true },
  print: {
    id: asId(41),
    filename: 'bracket_v3*.gcode',
    startedAt: 0,
    endedAt: 14_520_000,
    alertedAt: null,
    alertOverwrite: null,
  },
  picture: { container: 'tsd-pics', path: 'tagged/7/41/1.jpg' },
  orientation: { flipH: false, flipV: false, rotation: 0 },
  isWarning: false,
  printPaused: false,
  heater: null,
  ...more,
})
const heater = { name: 'tool0', actual: 209.6, target: 210, offset: 0 }
const linkId = '00000000-0000-4000-8000-000000000000'
const done = notice('PrintDone', { code: 'print_finished' })
/** What there is to be told; `Test` is what its button sends. */
const NOTICES: Readonly<Record<string, Notice>> = {
  'failure: warning': notice('PrintFailure', { code: 'failure_alerted', isWarning: true, linkId }),
  'failure: paused': notice('PrintFailure', { code: 'failure_paused', printPaused: true, linkId }),
  'failure: did not pause': notice('PrintFailure', { code: 'pause_unconfirmed', linkId }),
  'no longer watching': notice('NotWatching', { code: 'picture_frozen', linkId }),
  'several no longer watched': notice('NotWatching', {
    code: 'server_down',
    picture: null,
    linkId,
    others: [{ printer: { id: asId(8), name: 'Ender' }, print: { id: asId(42), filename: 'benchy.gcode' } }],
  }),
  'watching again': notice('WatchingAgain', { code: 'watching_again' }),
  started: notice('PrintStarted'),
  done,
  'done: asked about pictures': {
    ...done,
    hasFilm: true,
    asks: 'pictures',
    hours: { used: 4.03, left: 6.5 },
  },
  cancelled: notice('PrintCancelled', {
    code: 'print_cancelled',
    asks: 'verdict',
    hours: { used: 1, left: -0.4 },
  }),
  lost: notice('PrintCancelled', { code: 'print_lost' }),
  paused: notice('PrintPaused'),
  resumed: notice('PrintResumed'),
  'filament change': notice('FilamentChange'),
  'heater reached': notice('HeaterTargetReached', { heater, picture: null }),
  'heater cooled': notice('HeaterCooledDown', { heater, picture: null }),
  'first layer': notice('FirstLayerReport', { firstLayer: { score: 34, grade: 'D' } }),
  summary: notice('Summary', {
    picture: null,
    summary: {
      count: 2,
      timeZone: 'Europe/Berlin',
      items: [
        { at: Date.parse('2026-11-22T22:41Z'), notice: done },
        { at: Date.parse('2026-11-23T01:15Z'), notice: notice('HeaterCooledDown', { heater }) },
      ],
    },
  }),
  'a channel fails': notice('ChannelFailing', {
    picture: null,
    channel: { name: 'email', problem: '421 try again later' },
  }),
  test: notice('Test', { picture: null }),
}

let app: TestApp
let smtp: TestSmtp
let google: StandIn
let keys: string
let broker: Mosquitto | null = null
let home: Listener | null = null
const BROKER = 'mqtt://broker.example:1883'
const browser = aBrowser(`${VENDORS.webpush}/1`)
const vendors = {} as Record<Name, StandIn>

beforeAll(async () => {
  for (const name of Object.keys(VENDORS) as Name[])
    vendors[name] = await aStandIn(({ path }) =>
      path === '/v2/upload-request'
        ? { upload_url: `${VENDORS.pushbullet}/put`, file_url: 'https://dl.example/print.jpg' }
        : path.startsWith('/api/users.conversations')
          ? { ok: true, channels: [{ id: 'C1' }] }
          : { ok: true, status: 1, content_uri: 'mxc://example/1', event_id: '$1' },
    )
  vendors.webpush.answers(status(201))
  google = await aStandIn(() => ({ access_token: 'ya29.x', expires_in: 3599 }))
  keys = await firebaseKeys()
  if (hasMosquitto()) {
    broker = await aMosquitto()
    home = await broker.listener()
  }
  smtp = await openTestSmtp()
  app = await buildTestApp({
    env: {
      ...smtp.env,
      PUBLIC_URL: PUBLIC,
      OUTGOING_STAND_INS: [
        ...Object.entries(VENDORS).map(([name, origin]) => `${origin}=${vendors[name as Name].url}`),
        `https://oauth2.googleapis.com=${google.url}`,
        ...(broker ? [`${BROKER}=${broker.address}`] : []),
      ].join(','),
      FIREBASE_KEYS_FOLDER: keys,
      TELEGRAM_BOT_TOKEN: '42:bot',
      PUSHOVER_APP_TOKEN: 'app-token',
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'secret',
      TWILIO_FROM_NUMBER: '+15005550006',
      SLACK_CLIENT_ID: '1',
      SLACK_CLIENT_SECRET: 'shh',
    },
  })
})
afterAll(async () => {
  await app.close()
  await smtp.close()
  for (const vendor of [...Object.values(vendors), google]) await vendor.close()
  await broker?.close()
  await rm(keys, { recursive: true })
})

async function firebaseKeys(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-keys-'))
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const account = {
    project_id: 'vigil-test',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'push@vigil-test.iam.example',
  }
  await writeFile(join(folder, 'base-firebase-admin-key.json'), JSON.stringify(account))
  return folder
}

/** The words that a receiver got, as they stand on the wire. */
async function wordsAt(vendor: StandIn): Promise<string> {
  const parts: string[] = []
  for (const { headers, text, body, json, path } of vendor.asked) {
    if (path.includes('upload') || path.includes('users.conversations') || path === '/put') continue
    const type = String(headers['content-type'])
    if (headers['content-encoding'] === 'aes128gcm') parts.push(JSON.stringify(browser.read(body), null, 1))
    else if (type.includes('multipart')) {
      const form = await new Response(Uint8Array.from(body), { headers: { 'content-type': type } }).formData()
      for (const [name, value] of form)
        parts.push(typeof value === 'string' ? `${name}: ${value}` : `[${name}]`)
    } else if (json !== null) parts.push(shown(json))
    else {
      const decode = (value: string) =>
        value.replace(/=\?UTF-8\?B\?(.*?)\?=/g, (_, coded: string) => Buffer.from(coded, 'base64').toString())
      for (const name of ['title', 'message', 'actions', 'click'])
        if (headers[name] !== undefined) parts.push(`${name}: ${decode(String(headers[name]))}`)
      parts.push(
        type.includes('form-urlencoded')
          ? decodeURIComponent(text.replaceAll('+', ' '))
          : type.includes('jpeg')
            ? '[picture]'
            : text,
      )
    }
  }
  return parts.join('\n')
}

/** JSON as it is told, pictures left out. */
const shown = (json: unknown) =>
  JSON.stringify(json, (name, value: unknown) => (name === 'base64' ? '[picture]' : value), 1)

interface Cell {
  readonly channel: string
  readonly said: string
}

/** Has every channel of somebody tell it; what each receiver got. */
async function tellAll(settingIds: readonly number[], notice: Notice, key: string): Promise<Cell[]> {
  const cells: Cell[] = []
  for (const id of settingIds) {
    const to = await findRecipient(app.ctx.db, asId(id))
    const channel = to && CHANNELS.get(to.channel)
    if (!to || !channel) throw new Error(`no channel ${id}`)
    const vendor = vendors[channel.name as Name]
    if (vendor) vendor.asked.length = 0
    const before = smtp.received.length
    const isHeld = channel.isForPrograms === true && notice.kind === 'Summary'
    const told = !isHeld && channel.features?.includes(KINDS[notice.kind].feature) !== false
    if (told)
      await sendBy(
        channel,
        messageOf(app.ctx, to, { notice, key: `${key}:${id}`, signal: AbortSignal.timeout(10_000) }),
      )
    if (!told) cells.push({ channel: channel.name, said: '' })
    else if (channel.name === 'mqtt') cells.push({ channel: 'mqtt', said: await heardAtHome(`${key}:${id}`) })
    else if (vendor) cells.push({ channel: channel.name, said: await wordsAt(vendor) })
    else {
      const { mail } = await eventually(() => smtp.received[before])
      cells.push({ channel: 'email', said: `${mail.subject}\n\n${mail.text}` })
      letters.push({ key, markup: mail.html ?? '' })
    }
  }
  return cells
}

/** What a broker was told by this key, by another line, and so a moment later. */
async function heardAtHome(key: string): Promise<string> {
  const payload = await eventually(
    () => home?.heard.find((one) => one.payload.includes(JSON.stringify(key)))?.payload,
  )
  return shown(JSON.parse(payload.toString()))
}

const letters: { key: string; markup: string }[] = []

/** Somebody who has set up every channel; their settings. */
async function aWellReachedUser(language: 'en' | 'zh') {
  const owner = await aUser(app)
  const body = { language, first_name: 'Maria' }
  await call(app, 'PATCH', '/api/v1/users/me/', { cookie: owner.cookie, body })
  await aPrinter(app, owner)
  await app.ctx.db
    .updateTable('emailAddresses')
    .set({ verified: true })
    .where('userId', '=', owner.id)
    .execute()
  for (const [name, config] of Object.entries(CONFIGS)) {
    const made = await call(app, 'POST', '/api/v1/notification_settings/', {
      cookie: owner.cookie,
      body: { name, config },
    })
    expect(made.status, name).toBe(201)
  }
  return { owner, settings: await settingsOf(owner) }
}

const settingsOf = ({ id }: TestUser) =>
  app.ctx.db
    .selectFrom('notificationSettings')
    .select(['id', 'name'])
    .where('userId', '=', id)
    .orderBy('id')
    .execute()

/** A browser and a phone register themselves, and a broker is named, where there is one; all settings. */
async function withDevices({ cookie, ...owner }: TestUser, language: 'en' | 'zh') {
  const post = async (path: string, body: object) => {
    expect((await call(app, 'POST', `/api/v1/${path}/`, { cookie, body })).status, path).toBe(201)
  }
  await post('push_subscriptions', { endpoint: browser.endpoint, keys: browser.keys, label: 'Firefox' })
  const phone = { platform: 'android', app_version: '2.1', device_token: `phone ${language}` }
  await post('mobile_devices', phone)
  const config = { broker_url: BROKER, username: 'vigil', password: 'secret' }
  if (broker) await post('notification_settings', { name: 'mqtt', config })
  return await settingsOf({ cookie, ...owner })
}

test.each(['en', 'zh'] as const)(
  'every kind is told by every channel in its own words: %s',
  async (language) => {
    const { owner } = await aWellReachedUser(language)
    const settings = await withDevices(owner, language)
    const picture = sharp({ create: { width: 320, height: 240, channels: 3, background: 'teal' } })
    await app.ctx.files.put(
      { container: 'tsd-pics', path: 'tagged/7/41/1.jpg' },
      await picture.jpeg().toBuffer(),
    )
    const ids = settings.map(({ id }) => id)
    const rows: { name: string; cells: Cell[] }[] = []
    for (const [name, one] of Object.entries(NOTICES))
      rows.push({ name, cells: await tellAll(ids, one, `${language}: ${name}`) })
    for (const { name, cells } of rows)
      for (const { channel, said } of cells) {
        const where = `${name} by ${channel}`
        if (isUntold(name, channel)) continue
        expect(said, where).not.toMatch(/\{\{|undefined|\[object|notifications-server/)
        // Programs and our apps read codes beside the words.
        if (channel === 'webhook') continue
        if (channel !== 'mqtt' && channel !== 'mobile')
          expect(said, where).not.toMatch(/\b(PrintDone|PrintLost|failureTitle|summaryLine|openPrinter)\b/)
        if (language === 'zh') expect(said, where).toMatch(/\p{Script=Han}/u)
        // Names are strangers' text.
        if (['telegram', 'pushover', 'slack'].includes(channel)) expect(said, where).not.toContain('<Ender>')
      }
    const told = (of: string, by: string) =>
      rows.find(({ name }) => name === of)?.cells.find(({ channel }) => channel === by)?.said
    expect(told('no longer watching', 'webpush')).toContain('"isAlert": true')
    expect(told('watching again', 'webpush')).toContain('"isAlert": false')
    expect(told('no longer watching', 'email')).toMatch(/\/alerts\/\S+\/seen\//)
    const missing = rows.filter(({ name, cells }) =>
      cells.some(({ channel, said }) => said === '' && !isUntold(name, channel)),
    )
    expect(missing).toEqual([])
    await draw(language, rows)
  },
)

/** Text messages are for failures alone; programs are told one by one, never in sum. */
const isUntold = (name: string, channel: string) =>
  channel === 'twilio' || (name === 'summary' && (channel === 'webhook' || channel === 'mqtt'))

test('every channel tells that a print is not watched without asking the database', async () => {
  const { owner, settings } = await aWellReachedUser('en')
  const ctx = { ...app.ctx }
  const standby = new Standby(ctx, 'NotWatching')
  await standby.keep(new Set([owner.id]))
  const away = () => {
    throw new Error('the database was asked')
  }
  ctx.db = new Proxy({}, { get: away }) as typeof ctx.db
  for (const vendor of Object.values(vendors)) vendor.asked.length = 0
  const before = smtp.received.length
  const named = {
    name: 'Voron',
    actionOnFailure: 'PAUSE',
    watchingEnabled: true,
    agentSettings: null,
    filename: 'bracket.gcode',
    startedAt: new Date(0),
    finishedAt: null,
    cancelledAt: null,
    alertedAt: null,
    alertOverwrite: null,
  }
  const news = { key: 'away', code: 'database_down', printerId: 7, printId: 41, picture: null }
  const never = new AbortController().signal
  const accepted = await standby.tell(asId({ userId: owner.id, named, ...news }), never)
  const names = settings.filter(({ id }) => accepted.has(id)).map(({ name }) => name)
  // Text messages are for failures alone.
  expect(names.toSorted()).toEqual(
    [...Object.keys(CONFIGS), 'email'].filter((one) => one !== 'twilio').toSorted(),
  )
  expect(await wordsAt(vendors.ntfy)).toContain('database does not answer')
  // It wakes whoever sleeps, as an alert does.
  const title = 'Vigil alert: no longer watching'
  expect(vendors.ntfy.asked[0]?.headers).toMatchObject({ priority: '5', title })
  expect(vendors.gotify.asked[0]?.json).toMatchObject({ priority: 8, title })
  expect(await wordsAt(vendors.pushover)).toContain('priority: 1')
  expect((await eventually(() => smtp.received[before])).mail.text).toContain('bracket.gcode')
})

async function draw(language: string, rows: readonly { name: string; cells: Cell[] }[]): Promise<void> {
  const names = rows[0]?.cells.map(({ channel }) => channel) ?? []
  const mine = letters.filter(({ key }) => key.startsWith(`${language}:`))
  const sheet = html`<!doctype html>
    <meta charset="utf-8" />
    <style>
      body {
        font: 12px/1.4 sans-serif;
      }
      td,
      th {
        border: 1px solid #bbb;
        padding: 6px;
        vertical-align: top;
        text-align: left;
      }
      pre {
        margin: 0;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        width: 230px;
        font: inherit;
      }
      iframe {
        width: 600px;
        height: 900px;
        border: 1px solid #bbb;
      }
      figure {
        display: inline-block;
        margin: 8px;
      }
    </style>
    <table>
      <tr>
        <th></th>
        ${names.map((name) => html`<th>${name}</th>`)}
      </tr>
      ${rows.map(
        ({ name, cells }) =>
          html`<tr>
            <th>${name}</th>
            ${cells.map(({ said }) => html`<td><pre>${said}</pre></td>`)}
          </tr>`,
      )}
    </table>
    ${mine.map(
      ({ key, markup }) =>
        html`<figure>
          <figcaption>${key}</figcaption>
          <iframe srcdoc="${markup}"></iframe>
        </figure>`,
    )}`
  await mkdir(OUT, { recursive: true })
  await writeFile(join(OUT, `messages-${language}.html`), sheet.markup)
}
