import { aTaggedPicture, happens } from './events.fixture.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { setPlan } from '../../people/accounts/index.ts'
import { type Asked, aStandIn, formOf, type StandIn, status } from './standin.fixture.ts'
import { asId } from '../../../test/ids.ts'

/** Each vendor's server, as its documents in docs/wire/tell.md 3 have it. */
const VENDORS = {
  telegram: 'https://api.telegram.org',
  discord: 'https://discord.com',
  pushover: 'https://api.pushover.net',
  pushbullet: 'https://api.pushbullet.com',
  upload: 'https://upload.pushbullet.example',
  twilio: 'https://api.twilio.com',
  slack: 'https://slack.com',
  ntfy: 'https://ntfy.sh',
  house: 'http://gotify.example',
  json: 'http://notes.example',
  matrix: 'https://matrix.example',
} as const

let app: TestApp
let vendor: StandIn
let owner: TestUser
let printer: { id: number }
let printId: number

let smtp: TestSmtp

beforeAll(async () => {
  vendor = await aStandIn()
  smtp = await openTestSmtp()
  app = await buildTestApp({
    env: {
      ...smtp.env,
      IS_ENT: 'true',
      PUBLIC_URL: 'https://vigil.example',
      OUTGOING_STAND_INS: Object.values(VENDORS)
        .map((origin) => `${origin}=${vendor.url}`)
        .join(','),
      TELEGRAM_BOT_TOKEN: '42:bot',
      PUSHOVER_APP_TOKEN: 'app-token',
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'secret',
      TWILIO_FROM_NUMBER: '+15005550006',
      TWILIO_COUNTRY_CODES: '1,49',
      SLACK_CLIENT_ID: 'dummy-to-prevent-docker-parsing-as-number-123.456',
      SLACK_CLIENT_SECRET: 'shh',
    },
  })
})
afterAll(async () => {
  await app.close()
  await vendor.close()
  await smtp.close()
})
beforeEach(async () => {
  vendor.asked.length = 0
  vendor.answers(() => ({ ok: true, status: 1 }))
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Vor<on>')
  const row = await app.ctx.db
    .insertInto('prints')
    .values(
      asId({ userId: owner.id, printerId: printer.id, filename: 'ben*chy&.gcode', startedAt: new Date(0) }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  printId = row.id
})

const setUp = (name: string, config: object, more: object = {}) =>
  call(app, 'POST', '/api/v1/notification_settings/', {
    cookie: owner.cookie,
    body: { name, config, ...more },
  })
const test418 = async (id: number) =>
  await call(app, 'POST', `/api/v1/notification_settings/${id}/send_test_message/`, { cookie: owner.cookie })

async function fails(code = 'failure_paused', withPicture = true): Promise<void> {
  const image = await aTaggedPicture(app, printer.id, printId)
  await happens(app, {
    userId: owner.id,
    printerId: asId(printer.id),
    printId: asId(printId),
    type: 'FAILURE_ALERTED',
    class: 'ERROR',
    code,
    image: withPicture ? image : null,
  })
  await eventually(async () => {
    const open = await app.ctx.db
      .selectFrom('deliveries')
      .select('id')
      .where('userId', '=', owner.id)
      .where('outcome', 'is', null)
      .executeTakeFirst()
    return open === undefined ? true : undefined
  })
}
const outcome = async (isMail = false) =>
  await app.ctx.db
    .selectFrom('deliveries')
    .select(['outcome', 'problem'])
    .where('userId', '=', owner.id)
    .where('channel', isMail ? '=' : '!=', 'email')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
const isJpeg = async (file: unknown) =>
  (await sharp(await (file as Blob).arrayBuffer()).metadata()).format === 'jpeg'
const last = () => vendor.asked.at(-1) as Asked
const link = () => expect.stringMatching(/^https:\/\/vigil\.example\/alerts\/[\w-]{43}\/$/)

describe('Telegram', () => {
  test('gets the picture with its words and buttons, or the words alone', async () => {
    await setUp('telegram', { chat_id: '-100123' })
    await fails()
    const form = await formOf(last())
    expect(last().path).toBe('/bot42:bot/sendPhoto')
    expect(form.get('chat_id')).toBe('-100123')
    expect(form.get('parse_mode')).toBe('HTML')
    expect(String(form.get('caption')).replaceAll('\r', '')).toBe(
      '<b>ben*chy&#38;.gcode</b> on <i>Vor&#60;on&#62;</i> is probably failing.\nThe printer is paused.',
    )
    expect(await isJpeg(form.get('photo'))).toBe(true)
    const { inline_keyboard: rows } = JSON.parse(String(form.get('reply_markup')))
    expect(rows.flat().map(({ url }: { url: string }) => url)).toEqual([
      `https://vigil.example/prints/${printId}/cancel/`,
      `https://vigil.example/prints/${printId}/resume/`,
      `https://vigil.example/prints/${printId}/resume/?mute_alert=true`,
      link(),
    ])
    await fails('failure_alerted', false)
    expect(last().path).toBe('/bot42:bot/sendMessage')
    expect((await formOf(last())).get('text')).toContain('looks a bit fishy')
  })

  test('that refuses the picture or a button is given the words; a group that moved is followed', async () => {
    await setUp('telegram', { chat_id: '-1' })
    vendor.answers((asked, response) =>
      asked.path.endsWith('/sendPhoto')
        ? status(400, { ok: false, description: 'Bad Request: IMAGE_PROCESS_FAILED' })(asked, response)
        : { ok: true },
    )
    await fails()
    const form = await formOf(last())
    expect(last().path).toBe('/bot42:bot/sendMessage')
    expect(form.get('text')).toContain('is probably failing')
    expect(form.has('reply_markup')).toBe(false)
    expect(await outcome()).toMatchObject({ outcome: 'accepted' })
    const description = 'Bad Request: group chat was upgraded to a supergroup chat'
    const moved = status(400, { ok: false, description, parameters: { migrate_to_chat_id: -1001 } })
    vendor.answers(async (asked, response) =>
      (await formOf(asked)).get('chat_id') === '-1' ? moved(asked, response) : { ok: true },
    )
    await fails()
    expect((await formOf(last())).get('chat_id')).toBe('-1001')
    expect(await isJpeg((await formOf(last())).get('photo'))).toBe(true)
  })

  test('that is asked too often says when again; one that was blocked is not asked again', async () => {
    await setUp('telegram', { chat_id: '1' })
    const busy = status(429, { ok: false, description: 'Too Many Requests', parameters: { retry_after: 1 } })
    vendor.answers((asked, response) => (vendor.asked.length === 1 ? busy(asked, response) : { ok: true }))
    await fails()
    expect(await outcome()).toMatchObject({ outcome: 'accepted' })
    expect(last().at - (vendor.asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(999)
    vendor.answers(status(403, { ok: false, description: 'Forbidden: bot was blocked by the user' }))
    await fails()
    expect(await outcome()).toMatchObject({
      outcome: 'refused',
      problem: 'HTTP 403: Forbidden: bot was blocked by the user',
    })
  })
})

test('e-mail goes to confirmed addresses alone: picture, buttons, and one click that ends it', async () => {
  await fails()
  expect(await outcome(true)).toEqual({
    outcome: 'refused',
    problem: expect.stringContaining('noAddress'),
  })
  // Worded for who reads it, whenever they do.
  const said = async (language: string) => {
    await call(app, 'PATCH', '/api/v1/users/me/', { cookie: owner.cookie, body: { language } })
    const of = (path: string) => call(app, 'GET', `/api/v1/${path}/`, { cookie: owner.cookie })
    const [log, reach] = [await of('notification_deliveries'), await of('notification_reach')]
    return [log.json[0].problem, reach.json.channels[0].refusal]
  }
  for (const one of await said('zh')) expect(one).toBe('您的电子邮件地址都尚未确认。')
  for (const one of await said('en')) expect(one).toBe('None of your e-mail addresses is confirmed.')
  await app.ctx.db
    .updateTable('emailAddresses')
    .set({ verified: true })
    .where('userId', '=', owner.id)
    .execute()
  await fails()
  expect(await outcome(true)).toMatchObject({ outcome: 'accepted' })
  const mail = await smtp.letterTo(owner.email, /is probably failing/)
  expect(mail.subject).toBe('ben*chy&.gcode on Vor<on> is probably failing')
  expect(mail.text).toContain('The printer is paused.')
  expect(mail.html).toContain('Vor&lt;on&gt;')
  for (const path of ['cancel/', 'resume/', 'resume/?mute_alert=true'])
    expect(mail.text).toContain(`https://vigil.example/prints/${printId}/${path}`)
  const [picture] = mail.attachments
  expect(picture).toMatchObject({ filename: 'Image.jpg', mimeType: 'image/jpeg' })
  expect(mail.html).toContain(`cid:${picture?.contentId?.replaceAll(/[<>]/g, '')}`)
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
  expect(header('list-unsubscribe')).toContain('list=failure_alert')
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  await call(app, 'PATCH', '/api/v1/users/me/', { cookie: owner.cookie, body: { language: 'zh' } })
  await fails('failure_alerted', false)
  expect((await smtp.letterTo(owner.email, /看起来有点可疑/)).text).toContain('打印机没有暂停')
})

test('Discord gets an embed with the picture in it, in the colour of the matter', async () => {
  const bad = await setUp('discord', { webhook_url: 'https://evil.example/api/webhooks/1/a' })
  expect(bad.json.config.webhook_url[0]).toContain('https://discord.com/api/webhooks/')
  await setUp('discord', { webhook_url: 'https://discord.com/api/webhooks/1/abc?x=1&thread_id=9' })
  await fails()
  expect(last().path).toBe('/api/webhooks/1/abc?thread_id=9&wait=true')
  const form = await formOf(last())
  const { embeds, allowed_mentions: mentions } = JSON.parse(String(form.get('payload_json')))
  expect(mentions).toEqual({ parse: [] })
  expect(embeds).toEqual([
    {
      title: 'Vor<on>',
      description: expect.stringContaining('**ben\\*chy&.gcode** on *Vor\\<on\\>* is probably failing.'),
      color: 0xcf142b,
      author: { name: expect.stringMatching(/failure alert$/) },
      url: link(),
      image: { url: 'attachment://print.jpg' },
    },
  ])
  expect(await isJpeg(form.get('files[0]'))).toBe(true)
  await fails('failure_alerted', false)
  expect(last().json.embeds[0]).toMatchObject({ color: 0xeed202 })
})

test('Pushover gets a message above the quiet hours, with the picture', async () => {
  expect((await setUp('pushover', { user_key: 'short' })).json.config.user_key).toEqual([
    'This user key is invalid: 30 letters and digits.',
  ])
  await setUp('pushover', { user_key: 'u'.repeat(30) })
  await fails()
  expect(last().path).toBe('/1/messages.json')
  const form = await formOf(last())
  expect(Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))).toEqual({
    token: 'app-token',
    user: 'u'.repeat(30),
    title: expect.stringMatching(/failure alert$/),
    message: expect.stringContaining('<b>ben*chy&#38;.gcode</b>'),
    html: '1',
    priority: '1',
    url: link(),
    url_title: 'Have a look',
  })
  expect(await isJpeg(form.get('attachment'))).toBe(true)
  vendor.answers(status(400, { status: 0, errors: ['user identifier is invalid'] }))
  await fails()
  expect(await outcome()).toEqual({ outcome: 'refused', problem: 'HTTP 400: user identifier is invalid' })
})

test('Pushbullet checks the token, takes the picture, then pushes it', async () => {
  vendor.answers(status(401))
  expect((await setUp('pushbullet', { access_token: 'o.x' })).json.config.access_token).toEqual([
    'This access token is invalid.',
  ])
  vendor.answers(({ path }) =>
    path === '/v2/upload-request'
      ? { upload_url: `${VENDORS.upload}/put`, file_url: 'https://dl.example/print.jpg' }
      : {},
  )
  expect((await setUp('pushbullet', { access_token: 'o.x' })).status).toBe(201)
  await fails()
  const [, , request, put, push] = vendor.asked
  expect(request?.json).toEqual({ file_name: 'print.jpg', file_type: 'image/jpeg' })
  expect(await isJpeg((await formOf(put as Asked)).get('file'))).toBe(true)
  expect(push?.headers['access-token']).toBe('o.x')
  expect(push?.json).toMatchObject({
    type: 'file',
    file_url: 'https://dl.example/print.jpg',
    title: expect.stringMatching(/failure alert$/),
    url: link(),
    guid: expect.any(String),
  })
  await fails('failure_alerted', false)
  expect(last().json).toMatchObject({ type: 'link', url: link() })
})

test('Twilio sends text messages of failures, for Pro alone and to countries that are allowed', async () => {
  const phone = { phone_country_code: '1', phone_number: '(415) 555-2671' }
  await setPlan(app.ctx, { email: owner.email, plan: 'free' })
  expect((await setUp('twilio', phone)).json.config.phone_number).toEqual(['SMS is part of the Pro plan.'])
  await setPlan(app.ctx, { email: owner.email, plan: 'pro' })
  expect((await setUp('twilio', { ...phone, phone_country_code: '+44' })).json.config).toEqual({
    phone_country_code: ["Oops, we don't send SMS to this country code"],
  })
  expect((await setUp('twilio', { ...phone, phone_number: '12' })).json.config.phone_number).toEqual([
    'This phone number is invalid.',
  ])
  expect((await setUp('twilio', { phone_country_code: '1' })).status).toBe(400)
  const { json } = await setUp('twilio', phone)
  expect(json.config).toEqual({ phone_country_code: '+1', phone_number: '4155552671' })
  vendor.answers(status(201, { sid: 'SM1', status: 'queued' }))
  await fails()
  expect(last().path).toBe('/2010-04-01/Accounts/AC1/Messages.json')
  expect(last().headers.authorization).toBe(`Basic ${Buffer.from('AC1:secret').toString('base64')}`)
  expect(Object.fromEntries(new URLSearchParams(last().text))).toEqual({
    To: '+14155552671',
    From: '+15005550006',
    Body: expect.stringMatching(
      /^ben\*chy&\.gcode on Vor<on> is probably failing\. The printer is paused\. https:\S+\/alerts\/\S+\/$/,
    ),
  })
  await setPlan(app.ctx, { email: owner.email, plan: 'free' })
  await fails()
  expect(await outcome()).toEqual({
    outcome: 'refused',
    problem: expect.stringContaining('proOnly'),
  })
  const { plugins } = (
    await call(app, 'GET', '/api/v1/notification_settings/available_plugins/', { cookie: owner.cookie })
  ).json
  expect(plugins.twilio).toEqual({
    features: ['notify_on_failure_alert'],
    env_vars: {
      TWILIO_ACCOUNT_SID: { is_required: true, is_set: true },
      TWILIO_AUTH_TOKEN: { is_required: true, is_set: true },
      TWILIO_FROM_NUMBER: { is_required: true, is_set: true },
    },
  })
  expect(plugins.slack.env_vars.SLACK_CLIENT_ID).toEqual({
    is_required: true,
    is_set: true,
    value: '123.456',
  })
})

test('Slack gets it in every channel that the app is in, once', async () => {
  vendor.answers(({ path }) =>
    path.startsWith('/api/users.conversations')
      ? path.includes('cursor=more')
        ? { ok: true, channels: [{ id: 'C3' }] }
        : { ok: true, channels: [{ id: 'C1' }], response_metadata: { next_cursor: 'more' } }
      : {
          ok: !vendor.asked.at(-1)?.json || vendor.asked.at(-1)?.json.channel !== 'C3',
          error: 'not_in_channel',
        },
  )
  await setUp('slack', { access_token: 'xoxb-1' })
  await fails()
  const posts = vendor.asked.filter(({ path }) => path === '/api/chat.postMessage')
  expect(posts.map(({ json }) => json.channel)).toEqual(['C1', 'C3'])
  expect(posts[0]?.headers.authorization).toBe('Bearer xoxb-1')
  expect(posts[0]?.json.blocks).toEqual([
    {
      type: 'section',
      text: { type: 'mrkdwn', text: expect.stringContaining('*ben*chy&amp;.gcode* on _Vor&lt;on&gt;_') },
    },
    {
      type: 'image',
      image_url: expect.stringContaining('https://vigil.example/media/'),
      alt_text: 'ben*chy&.gcode',
    },
  ])
  expect(await outcome()).toMatchObject({ outcome: 'accepted' })
  // Slack fetches a picture itself, and refuses the whole message when it cannot: it is given the picture instead.
  let hasFiles = true
  vendor.asked.length = 0
  vendor.answers(({ path, json }) => {
    if (path.startsWith('/api/users.conversations')) return { ok: true, channels: [{ id: 'C1' }] }
    if (path.startsWith('/api/files.getUploadURLExternal'))
      return hasFiles
        ? { ok: true, upload_url: `${VENDORS.upload}/slack`, file_id: 'F1' }
        : { ok: false, error: 'missing_scope' }
    return json?.blocks?.length === 2 ? { ok: false, error: 'invalid_blocks' } : { ok: true }
  })
  await fails()
  expect(vendor.asked.map(({ path }) => path.split('?')[0])).toEqual([
    '/api/users.conversations',
    '/api/chat.postMessage',
    '/api/chat.postMessage',
    '/api/files.getUploadURLExternal',
    '/slack',
    '/api/files.completeUploadExternal',
  ])
  expect((await sharp(vendor.asked[4]?.body).metadata()).format).toBe('jpeg')
  expect(last().json).toEqual({ files: [{ id: 'F1', title: 'print.jpg' }], channel_id: 'C1' })
  expect(await outcome()).toMatchObject({ outcome: 'accepted' })
  hasFiles = false
  await fails()
  expect(await outcome()).toMatchObject({ outcome: 'accepted' })
  vendor.answers(() => ({ ok: false, error: 'token_revoked' }))
  await fails()
  expect(await outcome()).toEqual({ outcome: 'refused', problem: 'token_revoked' })
})

test('Slack leads back with a code: the channel is set up, once, for who was sent there', async () => {
  const at = '/api/v1/notification_settings/slack_install/'
  const { url } = (await call(app, 'GET', at, { cookie: owner.cookie })).json
  const { origin, pathname, searchParams } = new URL(url)
  expect([origin, pathname]).toEqual(['https://slack.com', '/oauth/v2/authorize'])
  expect(searchParams.get('client_id')).toBe('123.456')
  expect(searchParams.get('redirect_uri')).toBe(`${app.url}/slack_oauth_callback/`)
  const body = { code: 'abc', state: searchParams.get('state') }
  const stranger = await aUser(app)
  expect((await call(app, 'POST', at, { cookie: stranger.cookie, body })).status).toBe(400)
  vendor.answers(() => ({ ok: false, error: 'invalid_code' }))
  expect((await call(app, 'POST', at, { cookie: owner.cookie, body })).json.code).toEqual([
    'Slack has not given access. Please start again.',
  ])
  vendor.answers(() => ({ ok: true, access_token: 'xoxb-2' }))
  const done = await call(app, 'POST', at, { cookie: owner.cookie, body })
  expect(done.json).toMatchObject({ name: 'slack', config: { access_token: 'xoxb-2' } })
  expect(Object.fromEntries(new URLSearchParams(last().text))).toMatchObject({
    code: 'abc',
    client_secret: 'shh',
  })
  expect((await call(app, 'POST', at, { cookie: owner.cookie, body })).json.id).toBe(done.json.id)
  app.advance(16 * 60_000)
  expect((await call(app, 'POST', at, { cookie: owner.cookie, body })).status).toBe(400)
})

test('ntfy gets the picture with its words, or the words where it keeps no pictures', async () => {
  expect((await setUp('ntfy', { ntfy_url: 'https://ntfy.sh/a b' })).status).toBe(400)
  await setUp('ntfy', { ntfy_url: 'https://ntfy.sh/my-topic', access_token: 'tk_1' })
  await call(app, 'PATCH', '/api/v1/users/me/', { cookie: owner.cookie, body: { language: 'zh' } })
  await fails()
  const { method, path, headers, body } = last()
  expect([method, path]).toEqual(['PUT', '/my-topic'])
  expect(headers).toMatchObject({
    priority: '5',
    click: link(),
    filename: 'print.jpg',
    authorization: 'Bearer tk_1',
  })
  const decode = (value: unknown) =>
    Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(String(value))?.[1] ?? '', 'base64').toString()
  expect(decode(headers['message'])).toContain('打印机已暂停')
  expect((await sharp(body).metadata()).format).toBe('jpeg')
  for (const refusal of [400, 413, 429]) {
    vendor.answers((asked, response) => (asked.method === 'PUT' ? status(refusal)(asked, response) : {}))
    await fails()
    expect(last()).toMatchObject({ method: 'POST', text: expect.stringContaining('打印机已暂停') })
    expect(await outcome()).toMatchObject({ outcome: 'accepted' })
  }
})

test('a Matrix room gets words and picture, each once however often it is tried', async () => {
  const config = { homeserver_url: 'https://matrix.example/', room_id: '!abc:example', access_token: 'syt_1' }
  expect((await setUp('matrix', { ...config, room_id: '#alias:example' })).json.config.room_id).toEqual([
    'This room ID is invalid: it begins with ! and stands in the settings of the room.',
  ])
  await setUp('matrix', config)
  let tries = 0
  vendor.answers(({ path }, response) => {
    if (path.startsWith('/_matrix/media/'))
      return tries++ === 0 ? status(503)(last(), response) : { content_uri: 'mxc://example/1' }
    return { event_id: '$1' }
  })
  await fails()
  const sent = vendor.asked.filter(({ method }) => method === 'PUT')
  expect(sent.map(({ json }) => json.msgtype)).toEqual(['m.text', 'm.text', 'm.image'])
  expect(sent[0]?.path).toBe(sent[1]?.path)
  expect(sent[0]?.headers.authorization).toBe('Bearer syt_1')
  expect(sent[0]?.json).toMatchObject({
    format: 'org.matrix.custom.html',
    formatted_body: expect.stringContaining('<b>ben*chy&#38;.gcode</b>'),
  })
  expect(sent[2]?.json).toMatchObject({ url: 'mxc://example/1', info: { mimetype: 'image/jpeg' } })
  // The room has the words: a server that never takes the picture makes no alert that was lost.
  vendor.answers(({ path }, response) =>
    path.startsWith('/_matrix/media/') ? status(413)(last(), response) : { event_id: '$2' },
  )
  await fails()
  expect(await outcome()).toMatchObject({ outcome: 'accepted' })
})

test('Gotify gets a message by its token', async () => {
  await setUp('gotify', { gotify_url: 'http://gotify.example/sub/', app_token: 'Axy' })
  await fails()
  expect(last().path).toBe('/sub/message')
  expect(last().headers['x-gotify-key']).toBe('Axy')
  expect(last().json).toMatchObject({
    priority: 8,
    message: expect.stringContaining('is probably failing'),
    extras: {
      'client::notification': { click: { url: link() }, bigImageUrl: expect.stringContaining('/media/') },
    },
  })
})

test('an Apprise URL leads to the service that it names', async () => {
  expect((await setUp('apprise', { apprise_url: 'mystery://x/y' })).json.config.apprise_url).toEqual([
    'This Apprise URL is invalid or of a service that is not supported here.',
  ])
  const { id } = (await setUp('apprise', { apprise_url: 'json://notes.example/in' })).json
  await fails()
  expect(last()).toMatchObject({
    path: '/in',
    json: {
      version: '1.0',
      type: 'failure',
      attachments: [
        { filename: 'print.jpg', mimetype: 'image/jpeg', base64: expect.stringMatching(/^\/9j/) },
      ],
    },
  })
  for (const [url, path, authorization] of [
    ['tgram://7:own/55', '/bot7:own/sendMessage'],
    ['json://maria:p%40ss@notes.example/in', '/in', `Basic ${btoa('maria:p@ss')}`],
    ['ntfy://house-topic', '/house-topic'],
    ['ntfys://tk_1@ntfy.sh/house', '/house', 'Bearer tk_1'],
    ['ntfys://maria:word@ntfy.sh/house', '/house', `Basic ${btoa('maria:word')}`],
    ['discord://1/tok', '/api/webhooks/1/tok?wait=true'],
    ['gotify://gotify.example/Tok', '/message'],
  ] as const) {
    const changed = await call(app, 'PATCH', `/api/v1/notification_settings/${id}/`, {
      cookie: owner.cookie,
      body: { config: { apprise_url: url } },
    })
    expect(changed.status, url).toBe(200)
    expect((await test418(id)).status, url).toBe(200)
    expect(last().path).toBe(path)
    expect(last().headers.authorization, url).toBe(authorization)
  }
})

test('typing costs no try, however often; tests do, and what is one too many says when again', async () => {
  app.newWindows()
  const { id } = (await setUp('ntfy', { ntfy_url: 'https://ntfy.sh/topic' })).json
  for (let typed = 1; typed <= 25; typed++) {
    const body = { config: { ntfy_url: 'https://'.slice(0, typed) } }
    const path = `/api/v1/notification_settings/${id}/`
    expect((await call(app, 'PATCH', path, { cookie: owner.cookie, body })).status).toBe(400)
  }
  for (let sent = 1; sent <= 20; sent++) expect((await test418(id)).status).toBe(200)
  const refused = await test418(id)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
