import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { type Asked, aStandIn, type StandIn } from '../../tell/notifications/standin.fixture.ts'
import { writeEvent } from '../../core/events/index.ts'
import { alertLinkOf } from '../../tell/notifications/index.ts'
import { readAgent } from '../../core/presence/index.ts'
import { asId } from '../../../test/ids.ts'

const NTFY = 'https://ntfy.example'
const HOME = 'https://vigil.example'
const MINUTE = 60_000
let app: TestApp
let ntfy: StandIn
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let agent: WireAgent
let printId: number
let ts = 1_800_000_000
let topic = ''

beforeAll(async () => {
  ntfy = await aStandIn()
  app = await buildTestApp({ env: { OUTGOING_STAND_INS: `${NTFY}=${ntfy.url}`, PUBLIC_URL: HOME } })
})
afterAll(async () => {
  await app.close()
  await ntfy.close()
})
beforeEach(async () => {
  app.newWindows()
  owner = await aUser(app)
  topic = `/topic${owner.id}`
  printer = await aPrinter(app, owner, 'Vor<on>')
  await call(app, 'POST', '/api/v1/notification_settings/', {
    cookie: owner.cookie,
    body: { name: 'ntfy', config: { ntfy_url: NTFY + topic } },
  })
  agent = await connectAgent(app, printer.auth_token)
  printId = await prints()
})
afterEach(() => agent.ws.terminate())

/** What this owner was told: those of the tests before hear of their printers, too. */
const told = () => ntfy.asked.filter(({ path }) => path === topic)

/** The printer begins a print, and reports it; its id. */
async function prints(): Promise<number> {
  const extId = ++ts
  agent.send({
    current_print_ts: extId,
    event: { event_type: 'PrintStarted' },
    status: {
      _ts: app.ctx.clock.now() / 1000,
      state: { text: 'Printing', flags: { printing: true, paused: false } },
      progress: { completion: 43.2 },
      temperatures: { tool0: { actual: 209.7, target: 210 }, '<b>': { actual: 'hot' } },
      job: { file: { name: 'ben&chy.gcode' } },
    },
  })
  const row = await eventually(() =>
    app.ctx.db
      .selectFrom('prints')
      .innerJoin('printers', 'printers.currentPrintId', 'prints.id')
      .select('prints.id')
      .where('printers.id', '=', printer.id)
      .where('extId', '=', extId)
      .executeTakeFirst(),
  )
  return row.id
}

/** The print fails; returns the links of the message, as paths. */
async function fails(): Promise<{ look: string; pause: string; fine: string; seen: string }> {
  const image = { container: 'tsd-pics', path: `tagged/${printer.id}/${printId}/1.jpg` } as const
  const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
  await app.ctx.files.put(image, await picture.jpeg().toBuffer())
  const alertedAt = new Date(app.ctx.clock.now())
  await app.ctx.db.transaction().execute(async (tx) => {
    await tx.updateTable('prints').set({ alertedAt }).where('id', '=', asId(printId)).execute()
    await writeEvent(
      { ...app.ctx, db: tx },
      {
        userId: owner.id,
        printerId: printer.id,
        printId: asId(printId),
        type: 'FAILURE_ALERTED',
        class: 'ERROR',
        code: 'failure_alerted',
        params: {},
        image,
      },
    )
  })
  const asked = await eventually(() => messageOf(alertedAt))
  const look = lookOf(asked)
  const offered = String(asked.headers['actions'])
  for (const act of ['pause/', 'fine/']) expect(offered).toContain(`${HOME}${look}${act}`)
  return { look, pause: `${look}pause/`, fine: `${look}fine/`, seen: `${look}seen/` }
}

const lookOf = ({ headers }: Asked) => String(headers['click']).replace(HOME, '')

/** The message of this alert: an earlier one that had no answer when the clock was set on is sent once more. */
async function messageOf(alertedAt: Date): Promise<Asked | undefined> {
  for (const asked of told()) {
    const link = await alertLinkOf(app.ctx, lookOf(asked).split('/')[2] ?? '')
    if (link?.notice.print.alertedAt === alertedAt.getTime()) return asked
  }
  return undefined
}

/** For this alert Vigil paused the print, and the printer says that it stands. */
async function pausedByUs(): Promise<void> {
  const pausedAt = new Date(app.ctx.clock.now())
  await app.ctx.db.updateTable('prints').set({ pausedAt }).where('id', '=', asId(printId)).execute()
  const status = { _ts: app.ctx.clock.now() / 1000, state: { text: 'Paused', flags: { paused: true } } }
  agent.send({ current_print_ts: ts, status: { ...status, job: { file: { name: 'ben&chy.gcode' } } } })
  await eventually(async () => {
    const { json } = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })
    return json.status?.state?.text === 'Paused' || undefined
  })
}

/** As a browser opens it, without JavaScript and without cookies unless given. */
const open = (path: string, cookie?: string) =>
  fetch(app.url + path, { redirect: 'manual', headers: cookie ? { cookie } : {} })
const press = (path: string, cookie?: string) =>
  fetch(app.url + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(),
    headers: cookie ? { cookie } : {},
  })
const pauses = () => agent.heard.filter(({ commands }) => commands?.some(({ cmd }) => cmd === 'pause')).length
const alert = () =>
  app.ctx.db
    .selectFrom('prints')
    .select(['alertAcknowledgedAt', 'alertOverwrite'])
    .where('id', '=', asId(printId))
    .executeTakeFirstOrThrow()

describe('the links of an alert', () => {
  test('show its picture and the printer to who has them, for an hour and without sign-in', async () => {
    const { look } = await fails()
    const answer = await open(look)
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(page).toContain('ben&amp;chy.gcode on Vor&lt;on&gt; looks a bit fishy.')
    expect(page).toContain('tool0 210 °C')
    expect(page).toContain('43 %')
    expect(page).not.toContain('<b>')
    const picture = /<img src="([^"]+)"/.exec(page)?.[1] ?? ''
    expect((await fetch(picture.replaceAll('&amp;', '&').replace(HOME, app.url))).status).toBe(200)
  })

  test('do nothing by being opened, and pause once by their button', async () => {
    const { pause } = await fails()
    for (let times = 0; times < 3; times++) expect((await open(pause)).status).toBe(200)
    expect((await fetch(app.url + pause, { method: 'HEAD' })).status).toBe(200)
    expect(pauses()).toBe(0)
    const pages = await Promise.all([press(pause), press(pause)])
    const titles = (await Promise.all(pages.map((page) => page.text()))).map(
      (page) => /<h1>(.*)<\/h1>/.exec(page)?.[1],
    )
    expect(titles.toSorted()).toEqual(['This was done before', 'Vor&lt;on&gt; was told to pause'])
    await agent.hear(({ commands }) => commands?.[0]?.cmd === 'pause')
    expect(await (await press(pause)).text()).toContain('This was done before')
    expect(pauses()).toBe(1)
    const audit = await app.ctx.db
      .selectFrom('audit')
      .select(['actor', 'outcome', 'userId'])
      .where('printerId', '=', printer.id)
      .where('action', '=', 'command.pause')
      .execute()
    expect(audit).toEqual([{ actor: 'web', outcome: 'sent', userId: owner.id }])
  })

  test('say that it is no failure, which is an answer to the alert', async () => {
    const { fine, look } = await fails()
    expect(await (await press(fine)).text()).toContain('The print stays as it is, and watched.')
    expect(await alert()).toEqual({ alertAcknowledgedAt: expect.any(Date), alertOverwrite: 'NOT_FAILED' })
    expect(await (await open(look)).text()).toContain('This alert has been answered.')
    expect(await (await press(fine)).text()).toContain('This was done before')
    expect(pauses()).toBe(0)
  })

  test('resume a print that we have paused when it is no failure, once, and say so', async () => {
    const { fine } = await fails()
    await pausedByUs()
    expect(await (await open(fine)).text()).toContain('ben&amp;chy.gcode on Vor&lt;on&gt; is resumed')
    const pages = await Promise.all([press(fine), press(fine)])
    const said = (await Promise.all(pages.map((page) => page.text()))).join()
    expect(said).toContain('Vor&lt;on&gt; was told to go on')
    expect(said).toContain('This was done before')
    await agent.hear(({ commands }) => commands?.[0]?.cmd === 'resume')
    expect(agent.heard.filter(({ commands }) => commands !== undefined)).toHaveLength(1)
    expect(await alert()).toEqual({ alertAcknowledgedAt: expect.any(Date), alertOverwrite: 'NOT_FAILED' })
  })

  test('resume it also where somebody has only seen the alert, by another way', async () => {
    const { fine } = await fails()
    await pausedByUs()
    const seen = `/api/v1/printers/${printer.id}/acknowledge_alert/`
    expect((await call(app, 'POST', seen, { cookie: owner.cookie })).status).toBe(200)
    expect(await alert()).toEqual({ alertAcknowledgedAt: expect.any(Date), alertOverwrite: null })
    expect(await (await press(fine)).text()).toContain('Vor&lt;on&gt; was told to go on')
    await agent.hear(({ commands }) => commands?.[0]?.cmd === 'resume')
    expect(await alert()).toEqual({ alertAcknowledgedAt: expect.any(Date), alertOverwrite: 'NOT_FAILED' })
  })

  test('leave the alert open when such a print could not be told to go on', async () => {
    const { fine } = await fails()
    await pausedByUs()
    agent.ws.terminate()
    await eventually(async () => ((await readAgent(app.ctx, printer.id)) === null ? true : undefined))
    expect(await (await press(fine)).text()).toContain('Nothing was sent')
    expect((await alert()).alertAcknowledgedAt).toBeNull()
  })

  test('answer their own alert alone, and never act on another print', async () => {
    const { look, seen, fine, pause } = await fails()
    app.advance(MINUTE)
    const later = await fails()
    expect(await (await open(look)).text()).toContain('There is a newer alert')
    for (const path of [seen, fine]) {
      expect(await (await open(path)).text()).toContain('This link is outdated')
      expect(await (await press(path)).text()).toContain('This link is outdated')
    }
    expect((await alert()).alertAcknowledgedAt).toBeNull()
    await press(later.seen)
    expect(await alert()).toEqual({ alertAcknowledgedAt: expect.any(Date), alertOverwrite: null })
    agent.send({ current_print_ts: ts, event: { event_type: 'PrintDone' }, status: null })
    await prints()
    for (const path of [pause, later.pause])
      expect(await (await press(path)).text()).toContain('This link is outdated')
    expect(await (await open(look)).text()).toContain('This print is over')
    expect(pauses()).toBe(0)
  })

  test('lead through sign-in after an hour, back to where they lead, and for their owner alone', async () => {
    const { look, pause } = await fails()
    app.advance(61 * MINUTE)
    for (const path of [look, pause]) {
      const answer = await open(path)
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe(`/accounts/login/?next=${encodeURIComponent(path)}`)
    }
    expect((await press(pause)).status).toBe(303)
    const stranger = await aUser(app)
    for (const answer of [await open(look, stranger.cookie), await press(pause, stranger.cookie)])
      expect(answer.status).toBe(404)
    expect((await open(look, owner.cookie)).status).toBe(200)
    agent.send({
      status: { _ts: app.ctx.clock.now() / 1000, state: { text: 'Printing', flags: { printing: true } } },
    })
    expect(await (await press(pause, owner.cookie)).text()).toMatch(/was told to pause|Nothing was sent/)
  })

  test('that were not sent can be used again; unknown ones lead nowhere', async () => {
    const { pause } = await fails()
    agent.ws.terminate()
    await eventually(async () => ((await readAgent(app.ctx, printer.id)) === null ? true : undefined))
    expect(await (await press(pause)).text()).toContain('Nothing was sent')
    expect(await (await open(pause)).text()).toContain('Pause this print?')
    for (const path of ['/alerts/x/', `/alerts/${'a'.repeat(43)}/pause/`, pause.replace('pause', 'cancel')])
      expect((await open(path)).status).toBe(404)
  })
})

test('one message of several prints names them all, and is answered as a whole', async () => {
  const other = await aPrinter(app, owner, 'Ender')
  const row = { userId: owner.id, printerId: other.id, filename: 'vase.gcode', startedAt: new Date(0) }
  const print = await app.ctx.db.insertInto('prints').values(row).returning('id').executeTakeFirstOrThrow()
  await app.ctx.db
    .updateTable('printers')
    .set({ currentPrintId: print.id })
    .where('id', '=', other.id)
    .execute()
  const unwatched = {
    userId: owner.id,
    type: 'PRINTER_ERROR',
    class: 'WARNING',
    code: 'not_watching',
  } as const
  for (const of of [
    { printerId: printer.id, printId },
    { printerId: other.id, printId: print.id },
  ])
    await app.ctx.db
      .transaction()
      .execute((tx) =>
        writeEvent({ ...app.ctx, db: tx }, asId({ ...unwatched, ...of, params: { why: 'server_down' } })),
      )
  app.advance(6_000)
  const [asked] = await eventually(() => (told().length > 0 ? told() : undefined))
  const look = String(asked?.headers['click']).replace(HOME, '')
  const page = await (await open(look)).text()
  for (const words of ['2 prints', 'Vor&lt;on&gt;', 'vase.gcode', 'href="/printers/"', 'seen/'])
    expect(page).toContain(words)
  expect(page).not.toContain('pause/')
  expect((await press(`${look}pause/`)).status).toBe(200)
  expect(pauses()).toBe(0)
  expect(await (await press(`${look}seen/`)).text()).toContain('Nobody else is told')
  expect(told()).toHaveLength(1)
})
