import { NAMED } from './events.fixture.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Delivery, Reach } from '@vigil/contract/tell/notifications.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { writeEvent } from '../../core/events/index.ts'
import { Standby } from '../outbox/index.ts'
import { aStandIn, type Asked, type StandIn } from './standin.fixture.ts'
import { asId } from '../../../test/ids.ts'

/** How a mail server refuses for the moment, and what follows for who waits for an alert. */
const GOTIFY = 'https://gotify.example'
const BUSY = { code: 421, message: '4.7.0 try again later' }
let app: TestApp
let smtp: TestSmtp
let gotify: StandIn
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let printId: number

beforeAll(async () => {
  smtp = await openTestSmtp()
  gotify = await aStandIn()
  const env = {
    ...smtp.env,
    ACCOUNT_EMAIL_VERIFICATION: 'none',
    OUTGOING_STAND_INS: `${GOTIFY}=${gotify.url}`,
  }
  app = await buildTestApp({ env: { ...env, PUBLIC_URL: 'https://vigil.example' } })
})
afterAll(async () => {
  await app.close()
  await Promise.all([smtp.close(), gotify.close()])
})
beforeEach(async () => {
  smtp.refuse = null
  smtp.isSilent = false
  gotify.asked.length = 0
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Voron')
  const row = { userId: owner.id, printerId: printer.id, filename: 'benchy.gcode', startedAt: new Date(0) }
  const print = await app.ctx.db.insertInto('prints').values(row).returning('id').executeTakeFirstOrThrow()
  printId = print.id
  await api('POST', 'notification_settings/', {
    name: 'gotify',
    config: { gotify_url: GOTIFY, app_token: 'A' },
  })
  await api('PATCH', 'notification_rules/', { escalate_after: 15, escalation_steps: { email: 0, gotify: 1 } })
})

const api = async (method: string, path: string, body?: unknown) =>
  (
    await call(app, method, `/api/v1/${path}`, {
      cookie: owner.cookie,
      body,
    })
  ).json
const reach = async () => (await api('GET', 'notification_reach/')) as Reach
const byMail = async () => (await reach()).channels.find(({ name }) => name === 'email')
const failing = () => eventually(async () => (await byMail())?.failing_since ?? undefined)
const log = async () => (await api('GET', 'notification_deliveries/')) as Delivery[]
const ended = (test: (one: Delivery) => boolean) =>
  eventually(async () => (await log()).find((one) => one.outcome !== null && test(one)))
const told = (count: number): Promise<Asked[]> =>
  eventually(async () => (gotify.asked.length >= count ? gotify.asked : undefined))
/** Written down as taken: what is still on its way when the clock is set on is sent once more. */
const taken = (count: number) =>
  eventually(
    async () => (await log()).filter(({ outcome }) => outcome === 'accepted').length >= count || undefined,
  )
const titles = () => gotify.asked.map(({ json }) => String(json.title))

async function fails(): Promise<void> {
  const alertedAt = new Date(app.ctx.clock.now())
  await app.ctx.db.updateTable('prints').set({ alertedAt }).where('id', '=', asId(printId)).execute()
  await app.ctx.db.transaction().execute((tx) =>
    writeEvent(
      { ...app.ctx, db: tx },
      {
        userId: owner.id,
        printerId: printer.id,
        printId: asId(printId),
        type: 'FAILURE_ALERTED',
        class: 'ERROR',
        code: 'failure_alerted',
      },
    ),
  )
}

test('a mail server that is busy: the next are told at once, it is tried on, and its owner hears of it', async () => {
  expect(await byMail()).toMatchObject({ accepted_at: null, failing_since: null })
  smtp.refuse = BUSY
  await fails()
  await told(1)
  expect(titles()).toEqual(['Vigil failure alert'])
  await taken(1)
  const since = await failing()
  expect(await byMail()).toMatchObject({
    accepted_at: null,
    refusal: expect.stringContaining('try again later'),
  })
  expect((await reach()).reach, 'the other is known to work').toBe('works')
  const mail = (await log()).find(({ channel }) => channel === 'email')
  expect(mail, 'it goes on being tried').toMatchObject({ outcome: null })

  // Longer than a moment: told once by the other, however often it fails.
  app.advance(61_000)
  await told(2)
  expect(titles()[1]).toBe('Vigil: E-mail takes no messages')
  expect(gotify.asked[1]?.json.message).toContain('try again later')
  await taken(2)
  app.advance(120_000)
  await eventually(async () => ((await log()).find((one) => one.channel === 'email')?.attempts ?? 0) > 3)
  expect((await byMail())?.failing_since, 'since the first').toBe(since)

  smtp.refuse = null
  app.advance(600_000)
  expect(await ended(({ channel }) => channel === 'email')).toMatchObject({ outcome: 'accepted' })
  expect(await byMail()).toMatchObject({ failing_since: null, refusal: null })
  expect(titles()).toEqual(['Vigil failure alert', 'Vigil: E-mail takes no messages'])
})

test('where every channel fails, alerts do not reach their owner', async () => {
  smtp.refuse = BUSY
  await api('DELETE', `notification_settings/${(await settingOf('gotify')).id}/`)
  await fails()
  await failing()
  expect(await reach()).toMatchObject({ reach: 'failing' })
})

test('a mail server that gives no answer: the next are told beside it, with the database and without', async () => {
  smtp.isSilent = true
  await fails()
  const standby = new Standby(app.ctx, 'NotWatching')
  await standby.keep(new Set([owner.id]))
  const over = new AbortController()
  const news = { key: 'away', code: 'database_down', printerId: printer.id, printId, picture: null }
  const accepted = standby.tell(asId({ userId: owner.id, named: NAMED, ...news }), over.signal)
  await told(2)
  over.abort()
  expect(titles().toSorted()).toEqual(['Vigil alert: no longer watching', 'Vigil failure alert'])
  expect(await byMail()).toMatchObject({ failing_since: expect.any(String) })
  // its try by mail is still on its way: a server that answers again would take it
  expect([...(await accepted).keys()]).toEqual([(await settingOf('gotify')).id])
  smtp.isSilent = false
  app.advance(600_000)
  expect(await ended(({ channel }) => channel === 'email')).toMatchObject({ outcome: 'accepted' })
})

test('who has seen an alert is told of it no more, by what fails or was held back either', async () => {
  const clock = (hours: number) =>
    new Date(app.ctx.clock.now() + hours * 3_600_000).toISOString().slice(11, 16)
  smtp.refuse = BUSY
  await fails()
  await told(1)
  await taken(1)
  await failing()
  await seen()
  // one try may be on its way just now: it is refused as those before
  app.advance(60_000)
  expect(await ended(({ channel }) => channel === 'email')).toMatchObject({ outcome: 'answered' })
  smtp.refuse = null

  const quiet = { time_zone: 'UTC', quiet_from: clock(-1), quiet_until: clock(7), quiet_spares_alerts: false }
  await api('PATCH', 'notification_rules/', quiet)
  await fails()
  await seen()
  app.advance(8 * 3_600_000)
  await eventually(async () => (await log()).filter(({ outcome }) => outcome === 'answered').length === 3)
  expect(gotify.asked, 'one, before it was seen').toHaveLength(1)
  expect(smtp.received.filter(({ to }) => to.includes(owner.email))).toEqual([])
})

async function settingOf(name: string): Promise<{ id: number }> {
  const all = (await api('GET', 'notification_settings/')) as { id: number; name: string }[]
  return all.find((one) => one.name === name)!
}
/** As the app says it: by the page's button. */
async function seen(): Promise<void> {
  await app.ctx.db
    .updateTable('printers')
    .set({ currentPrintId: asId(printId) })
    .where('id', '=', printer.id)
    .execute()
  await api('POST', `printers/${printer.id}/acknowledge_alert/`, {})
}
