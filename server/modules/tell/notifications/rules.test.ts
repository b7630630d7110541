import { happens, NAMED, ofBenchy } from './events.fixture.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import type { NotificationRules } from '@vigil/contract/tell/notification-rules.ts'
import type { Delivery } from '@vigil/contract/tell/notifications.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { writeAudit } from '../../core/events/index.ts'
import { aStandIn, type Asked, type StandIn, status } from './standin.fixture.ts'
import { credit } from '../../shop/hours/index.ts'
import { filmSettled } from './index.ts'
import { Standby } from '../outbox/index.ts'
import { withOutcome } from '../sending/outcome.service.ts'
import { asId } from '../../../test/ids.ts'

const NTFY = 'https://ntfy.example'
const GOTIFY = 'https://gotify.example'
const HOOK = 'https://hooks.example'
const HOUR = 3_600_000
let app: TestApp
const at: Record<string, StandIn> = {}
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let printId: number

beforeAll(async () => {
  for (const name of [NTFY, GOTIFY, HOOK]) at[name] = await aStandIn()
  app = await buildTestApp({
    env: {
      OUTGOING_STAND_INS: Object.entries(at)
        .map(([name, { url }]) => `${name}=${url}`)
        .join(','),
      PUBLIC_URL: 'https://vigil.example',
    },
  })
})
afterAll(async () => {
  await app.close()
  for (const standIn of Object.values(at)) await standIn.close()
})
beforeEach(async () => {
  for (const standIn of Object.values(at)) {
    standIn.asked.length = 0
    standIn.answers(() => ({}))
  }
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Voron')
  const row = await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, printerId: printer.id, filename: 'benchy.gcode', startedAt: new Date(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  printId = row.id
  await setUp('ntfy', { ntfy_url: `${NTFY}/topic` })
})

const api = async (method: string, path: string, body?: unknown) =>
  await call(app, method, `/api/v1/${path}`, {
    cookie: owner.cookie,
    body,
  })
const all = { notify_on_print_start: true, notify_on_print_cancelled: true }
async function setUp(name: string, config: object, more: object = all): Promise<void> {
  const made = await api('POST', 'notification_settings/', { name, config, ...more })
  if (made.status !== 201) throw new Error(`${name} was answered ${made.status}`)
}
const rule = (body: Partial<NotificationRules>) => api('PATCH', 'notification_rules/', body)
const log = async () => (await api('GET', 'notification_deliveries/')).json as Delivery[]
const event = (code: string, type: string) =>
  happens(app, ofBenchy({ userId: owner.id, printerId: printer.id, printId: asId(printId) }, code, type))
/** Fails now, as the detector writes it down. */
async function fails(code = 'failure_alerted'): Promise<void> {
  const alertedAt = new Date(app.ctx.clock.now())
  await app.ctx.db.updateTable('prints').set({ alertedAt }).where('id', '=', asId(printId)).execute()
  await event(code, 'FAILURE_ALERTED')
}
const asked = (name: string, count: number): Promise<Asked[]> =>
  eventually(async () => (at[name]!.asked.length >= count ? at[name]!.asked : undefined))
const ended = (test: (one: Delivery) => boolean) =>
  eventually(async () => (await log()).find((one) => one.outcome !== null && test(one)))
/** Everything that is due by now has been looked at: a message that is due at once comes after it. */
async function settled(): Promise<void> {
  const { id } = (await api('GET', 'notification_settings/')).json.find(
    (one: { name: string }) => one.name === 'ntfy',
  )
  await app.ctx.db
    .insertInto('deliveries')
    .values({
      userId: owner.id,
      settingId: id,
      channel: 'ntfy',
      noticeKey: `settled:${printId}:${Math.random()}`,
      kind: 'Test',
      notice: JSON.stringify(await someNotice()),
      dueAt: new Date(app.ctx.clock.now()),
      expiresAt: new Date(app.ctx.clock.now() + HOUR),
    })
    .execute()
  await ended(({ kind }) => kind === 'Test')
  await app.ctx.db.deleteFrom('deliveries').where('kind', '=', 'Test').execute()
  at[NTFY]!.asked.splice(-1)
}
const someNotice = async () =>
  (
    await app.ctx.db
      .selectFrom('deliveries')
      .select('notice')
      .where('userId', '=', owner.id)
      .executeTakeFirstOrThrow()
  ).notice

/** Quiet hours that began an hour ago and last for eight. */
function quiet(): Partial<NotificationRules> {
  const clock = (shift: number) => new Date(app.ctx.clock.now() + shift * HOUR).toISOString().slice(11, 16)
  return { time_zone: 'UTC', quiet_from: clock(-1), quiet_until: clock(7) }
}

describe('the rules of an account', () => {
  test('are none at first, are changed one by one, and refused by field', async () => {
    const usual: NotificationRules = {
      time_zone: null,
      quiet_from: null,
      quiet_until: null,
      quiet_spares_alerts: true,
      digest: 'off',
      digest_at: '18:00',
      escalate_after: null,
      escalation_steps: { email: 0, ntfy: 0 },
    }
    expect((await api('GET', 'notification_rules/')).json).toEqual(usual)
    const write = { time_zone: 'Europe/Berlin', quiet_from: '22:30', quiet_until: '07:00' }
    expect((await rule(write)).json).toEqual({ ...usual, ...write })
    const more = {
      digest: 'daily',
      digest_at: '08:15',
      escalate_after: 5,
      quiet_spares_alerts: false,
    } as const
    await rule({ ...more, escalation_steps: { email: 2, pigeon: 1 } })
    expect((await api('GET', 'notification_rules/')).json).toEqual({
      ...usual,
      ...write,
      ...more,
      escalation_steps: { email: 2, ntfy: 0 },
    })
    for (const [wrong, field] of [
      [{ quiet_from: null }, 'quiet_from'],
      [{ quiet_until: '22:30' }, 'quiet_until'],
      [{ quiet_from: '25:00' }, 'quiet_from'],
      [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
      [{ escalate_after: 60 }, 'escalate_after'],
      [{ digest: 'weekly' }, 'digest'],
    ] as const)
      expect(await rule(wrong as Partial<NotificationRules>)).toMatchObject({
        status: 400,
        json: { [field]: [expect.any(String)] },
      })
    expect((await rule({ quiet_from: null, quiet_until: null })).json.quiet_from).toBeNull()
  })
})

describe('quiet hours', () => {
  test('hold back all but alerts and what programs read; then it comes as one message', async () => {
    await setUp('webhook', { custom_webhook_URL: `${HOOK}/a` })
    await rule(quiet())
    await event('print_started', 'STARTED')
    await event('print_finished', 'ENDED')
    await fails()
    expect((await asked(HOOK, 3)).map(({ json }) => json.event.type).toSorted()).toEqual([
      'PrintDone',
      'PrintFailure',
      'PrintStarted',
    ])
    expect((await asked(NTFY, 1))[0]?.headers['title']).toMatch(/failure alert$/)
    const held = (await log()).filter(({ channel, kind }) => channel === 'ntfy' && kind !== 'PrintFailure')
    expect(held).toHaveLength(2)
    for (const one of held) expect(one).toMatchObject({ waits_for: 'quiet', outcome: null, attempts: 0 })
    app.advance(7 * HOUR)
    const [, one] = await asked(NTFY, 2)
    expect(one?.headers['title']).toBe('Vigil: 2 messages')
    const lines = String(one?.text).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatch(/^\w{3} \d\d:\d\d benchy\.gcode has started on Voron\.$/)
    expect(lines[2]).toMatch(/^\w{3} \d\d:\d\d benchy\.gcode is ready on Voron\.$/)
    await ended(({ kind }) => kind === 'Summary')
    expect((await log()).filter(({ outcome }) => outcome === 'summarized')).toHaveLength(2)
    await settled()
    expect(at[NTFY]!.asked).toHaveLength(2)
  })

  test('that held back one message give it back as it is; alerts too, for who wants it so', async () => {
    await rule({ ...quiet(), quiet_spares_alerts: false })
    await fails()
    expect(await log()).toMatchObject([{ kind: 'PrintFailure', waits_for: 'quiet' }])
    app.advance(7 * HOUR)
    expect((await asked(NTFY, 1))[0]?.headers['title']).toMatch(/failure alert$/)
    expect(await ended(({ kind }) => kind === 'PrintFailure')).toMatchObject({ outcome: 'accepted' })
  })

  test('that are taken back give back at once what they held', async () => {
    await rule(quiet())
    await event('filament_change', 'FILAMENT_CHANGE')
    await rule({ quiet_from: null, quiet_until: null })
    expect((await asked(NTFY, 1))[0]?.text).toContain('needs a filament change')
  })
})

test('a digest takes what is not urgent, and nothing else', async () => {
  await rule({ time_zone: 'Asia/Kolkata', digest: 'hourly' })
  await event('print_started', 'STARTED')
  await event('filament_change', 'FILAMENT_CHANGE')
  await event('print_cancelled', 'ENDED')
  expect((await asked(NTFY, 1))[0]?.text).toContain('needs a filament change')
  expect((await log()).map(({ waits_for: why }) => why).toSorted()).toEqual(['digest', 'digest', null])
  app.advance(HOUR)
  expect((await asked(NTFY, 2))[1]?.headers['title']).toBe('Vigil: 2 messages')
})

describe('an alert that nobody answers', () => {
  beforeEach(async () => {
    await setUp('gotify', { gotify_url: GOTIFY, app_token: 'A' })
    await rule({ escalate_after: 5, escalation_steps: { ntfy: 0, gotify: 2 } })
  })

  test('goes on to the next channel, in its owner’s order', async () => {
    await fails()
    await asked(NTFY, 1)
    expect(await log()).toContainEqual(
      expect.objectContaining({ channel: 'gotify', waits_for: 'escalation', outcome: null }),
    )
    app.advance(4 * 60_000)
    await settled()
    expect(at[GOTIFY]!.asked).toHaveLength(0)
    app.advance(60_000)
    expect((await asked(GOTIFY, 1))[0]?.json.message).toContain('looks a bit fishy')
  })

  test.each([
    [
      'was acknowledged',
      () =>
        app.ctx.db
          .updateTable('prints')
          .set({ alertAcknowledgedAt: new Date(app.ctx.clock.now()) })
          .where('id', '=', asId(printId))
          .execute(),
    ],
    [
      'was followed by a command',
      () =>
        writeAudit(app.ctx, {
          actor: 'web',
          userId: owner.id,
          printerId: printer.id,
          printId: asId(printId),
          action: 'command.pause',
          outcome: 'sent',
        }),
    ],
    ['was followed by an act at the printer', () => event('print_resumed', 'RESUMED')],
  ])('goes no further once it %s', async (_, answer) => {
    await fails()
    await asked(NTFY, 1)
    app.advance(1000)
    await answer()
    app.advance(5 * 60_000)
    expect(await ended(({ channel }) => channel === 'gotify')).toMatchObject({ outcome: 'answered' })
    expect(at[GOTIFY]!.asked).toHaveLength(0)
  })

  test('goes no further once what it was about is over: watched again', async () => {
    await event('not_watching', 'PRINTER_ERROR')
    await asked(NTFY, 1)
    app.advance(1000)
    await event('watching_again', 'PRINTER_ERROR')
    app.advance(5 * 60_000)
    expect(await ended(({ channel, kind }) => channel === 'gotify' && kind === 'NotWatching')).toMatchObject({
      outcome: 'answered',
    })
  })

  test('and that was not even accepted goes on at once', async () => {
    at[NTFY]!.answers(status(403))
    await fails()
    await asked(GOTIFY, 1)
    expect(await ended(({ channel }) => channel === 'gotify')).toMatchObject({ outcome: 'accepted' })
  })
})

describe('without the database', () => {
  /** Who was told that a print is not watched, by what is kept of them. */
  async function told(): Promise<string[]> {
    const standby = new Standby(app.ctx, 'NotWatching')
    await standby.keep(new Set([owner.id]))
    const news = { key: 'away', code: 'database_down', printerId: printer.id, printId, picture: null }
    const accepted = await standby.tell(
      asId({ userId: owner.id, named: NAMED, ...news }),
      new AbortController().signal,
    )
    const settings = (await api('GET', 'notification_settings/')).json as { id: number; name: string }[]
    return settings.flatMap(({ id, name }) => (accepted.has(asId(id)) ? [name] : [])).toSorted()
  }

  test('the same rules hold: steps in their order, quiet hours that spare no alert, switches', async () => {
    await setUp('gotify', { gotify_url: GOTIFY, app_token: 'A' })
    await setUp('webhook', { custom_webhook_URL: `${HOOK}/a` })
    await rule({ escalation_steps: { ntfy: 0, gotify: 2 } })
    expect(await told()).toEqual(['ntfy', 'webhook'])
    at[NTFY]!.answers(status(403))
    expect(await told()).toEqual(['gotify', 'webhook'])
    await rule({ ...quiet(), quiet_spares_alerts: false })
    expect(await told()).toEqual(['webhook'])
    await api('PATCH', 'users/me/', { notification_enabled: false })
    expect(await told()).toEqual([])
  })
})

describe('a print that is done', () => {
  /** Ends after two hours, with a picture of it. */
  async function ends(): Promise<void> {
    const now = new Date(app.ctx.clock.now())
    await app.ctx.db
      .updateTable('prints')
      .set({ startedAt: new Date(now.getTime() - 2 * HOUR), finishedAt: now })
      .where('id', '=', asId(printId))
      .execute()
    await app.ctx.db
      .insertInto('frames')
      .values(
        asId({
          printerId: printer.id,
          printId,
          picture: JSON.stringify({ container: 'tsd-pics', path: 'raw/1.jpg' }),
          numBytes: 1,
          width: 1,
          height: 1,
        }),
      )
      .execute()
    await event('print_finished', 'ENDED')
  }

  /** So many pictures of it are chosen for its owner to answer. */
  async function asksAbout(count: number): Promise<void> {
    const image = JSON.stringify({ container: 'tsd-pics', path: 'shot.jpg' })
    await app.ctx.db
      .insertInto('printShotFeedbacks')
      .values(
        asId(
          Array.from({ length: count }, (_, at) => ({ printId, image, takenAt: new Date(at), score: 0.5 })),
        ),
      )
      .execute()
  }

  test('is told with its time-lapse once there is one', async () => {
    await ends()
    expect(await log()).toMatchObject([{ kind: 'PrintDone', waits_for: 'film', attempts: 0 }])
    const video = JSON.stringify({ container: 'tsd-timelapses', path: `private/${printId}.mp4` })
    const at = { container: 'tsd-pics', path: `poster/${printId}.jpg` } as const
    const picture = sharp({ create: { width: 32, height: 24, channels: 3, background: 'teal' } })
    const bytes = await picture.jpeg().toBuffer()
    await app.ctx.files.put(at, bytes)
    const poster = JSON.stringify(at)
    await app.ctx.db.updateTable('prints').set({ video, poster }).where('id', '=', asId(printId)).execute()
    await asksAbout(2)
    await filmSettled(app.ctx, asId(printId))
    const [one] = await asked(NTFY, 1)
    expect(one?.body.equals(bytes), 'its picture is the poster').toBe(true)
    expect(one?.headers['actions']).toContain(`https://vigil.example/prints/shot-feedback/${printId}/`)
    expect(one?.headers['click']).toBe(`https://vigil.example/prints/${printId}/`)
    expect(one?.headers['actions']).toContain('Watch the time-lapse')
  })

  test('or cancelled asks only what can still be answered, and tells of hours only where they count', async () => {
    await event('print_cancelled', 'ENDED')
    const notice = await someNotice()
    const ent = { ...app.ctx, config: { ...app.ctx.config, IS_ENT: true } }
    const told = async (ctx = app.ctx) => {
      const { asks, hours } = await withOutcome(ctx, owner.id, notice)
      return { asks, hours }
    }
    expect(await told()).toEqual({})
    await app.ctx.db
      .updateTable('prints')
      .set({ alertedAt: new Date(app.ctx.clock.now()) })
      .where('id', '=', asId(printId))
      .execute()
    expect(await told()).toEqual({ asks: 'verdict' })
    await asksAbout(1)
    expect(await told()).toEqual({ asks: 'pictures' })
    await app.ctx.db
      .updateTable('printShotFeedbacks')
      .set({ answeredAt: new Date(), answer: 'LOOKS_OK' })
      .execute()
    await app.ctx.db
      .updateTable('prints')
      .set({ alertOverwrite: 'NOT_FAILED' })
      .where('id', '=', asId(printId))
      .execute()
    const { left } = (await told(ent)).hours ?? { left: 0 }
    await credit(app.ctx, {
      userId: owner.id,
      kind: 'usage',
      bucket: 'included',
      hours: -2,
      reason: 'watching',
      printId: asId(printId),
      key: `usage:${printId}`,
    })
    expect(await told(ent)).toEqual({ hours: { used: 2, left: left - 2 } })
    expect(await told()).toEqual({})
  })

  test('is told without, when that takes too long', async () => {
    await ends()
    app.advance(11 * 60_000)
    // Beside it others become due, of the prints before.
    await eventually(async () =>
      at[NTFY]!.asked.find(({ headers }) => headers['click']?.includes(`/printers/${printer.id}/control/`)),
    )
  })
})
