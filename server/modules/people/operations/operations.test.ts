import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { detectionSeconds } from '../../../engines/metrics/index.ts'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { openTestSmtp, type TestSmtp } from '../../../test/smtp.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { noteDelays } from './delays.ts'

const NOBODY_DOES: JobKind<{ n: number }> = {
  name: 'nobody-does',
  schema: z.object({ n: z.number() }),
  retries: 0,
}
let smtp: TestSmtp
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  smtp = await openTestSmtp()
  app = await buildTestApp({
    env: { ...smtp.env, ACCOUNT_EMAIL_VERIFICATION: 'none', PUBLIC_URL: 'https://vigil.example.org' },
  })
  admin = await aUser(app, { isAdmin: true })
})
afterAll(async () => {
  await app.close()
  await smtp.close()
})
beforeEach(() => app.newWindows())

const by = (method: string, path: string, body?: unknown) =>
  call(app, method, `/api/v1/admin/${path}`, {
    cookie: admin.cookie,
    body,
  })

describe('jobs', () => {
  const jobs = async (state: string) => (await by('GET', `jobs/?state=${state}`)).json

  it('that wait are listed, and begin at once when asked', async () => {
    await app.ctx.jobs.enqueue(app.ctx.db, NOBODY_DOES, { n: 1 }, { startAfterMs: 3_600_000 })
    const { jobs: open, counts } = await jobs('open')
    const mine = open.find(({ kind }: { kind: string }) => kind === 'nobody-does')
    expect(mine).toMatchObject({ state: 'waiting', tries: 0, reason: null })
    expect(counts.open).toBeGreaterThanOrEqual(1)
    expect(Date.parse(mine.next_at)).toBeGreaterThan(Date.now() + 3_000_000)
    expect((await by('POST', `jobs/${mine.id}/retry/`)).status).toBe(204)
    const again = (await jobs('open')).jobs.find(({ id }: { id: string }) => id === mine.id)
    expect(Date.parse(again.next_at)).toBeLessThanOrEqual(Date.now() + 1000)
  })

  it('that failed for good say why, and begin anew', async () => {
    const id = randomUUID()
    // As pg-boss puts down what failed for good.
    const client = app.ctx.db.withoutPlugins()
    const { sql } = await import('kysely')
    await sql`insert into pgboss.job (id, name, data, source_name, source_id, source_retry_count, source_output)
      values (${id}, 'dead-letters', '{"n": 2}', 'nobody-does', ${randomUUID()}, 3, '{"message": "Error: no room"}')`.execute(
      client,
    )
    const { jobs: failed } = await jobs('failed')
    expect(failed.find((one: { id: string }) => one.id === id)).toMatchObject({
      kind: 'nobody-does',
      state: 'failed',
      tries: 3,
      next_at: null,
      reason: 'Error: no room',
    })
    expect((await by('POST', `jobs/${id}/retry/`)).status).toBe(204)
    expect((await by('POST', `jobs/${id}/retry/`)).status).toBe(404)
    expect((await jobs('failed')).jobs.map((one: { id: string }) => one.id)).not.toContain(id)
    const { rows } = await sql<{ n: number }>`
      select (data ->> 'n')::int as n from pgboss.job where name = 'nobody-does' and state = 'created'`.execute(
      client,
    )
    expect(rows).toContainEqual({ n: 2 })
    expect((await by('POST', 'jobs/7/retry/')).status).toBe(404)
  })
})

describe('what is owed', () => {
  it('is listed with its reason, and a message is sent once more', async () => {
    const maria = await aUser(app)
    const now = new Date()
    const { id } = await app.ctx.db
      .insertInto('deliveries')
      .values({
        userId: maria.id,
        channel: 'ntfy',
        noticeKey: randomUUID(),
        kind: 'PrintDone',
        notice: '{}',
        attempts: 4,
        dueAt: now,
        expiresAt: now,
        outcome: 'refused',
        problem: '403 Forbidden',
        endedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.ctx.db
      .insertInto('mails')
      .values({
        key: 'x',
        userId: maria.id,
        address: maria.email,
        template: 'reset',
        data: '{}',
        state: 'expired',
        createdAt: now,
        expiresAt: now,
        outcome: 'Connection refused',
      })
      .execute()
    const { owed, counts } = (await by('GET', 'outbox/?state=failed')).json
    expect(counts.failed).toBe(2)
    expect(owed).toContainEqual(
      expect.objectContaining({
        id: `d${id}`,
        channel: 'ntfy',
        person: { id: maria.id, email: maria.email },
        state: 'refused',
        tries: 4,
        reason: '403 Forbidden',
        can_retry: true,
      }),
    )
    const letter = owed.find(({ channel }: { channel: string }) => channel === 'letter')
    expect(letter).toMatchObject({
      kind: 'reset',
      state: 'expired',
      reason: 'Connection refused',
      can_retry: false,
    })
    expect((await by('POST', `outbox/${letter.id}/retry/`)).status).toBe(404)
    expect((await by('POST', `outbox/d${id}/retry/`)).status).toBe(204)
    expect((await by('GET', 'outbox/?state=failed')).json.counts.failed).toBe(1)
  })
})

it('a message that is on its way is not sent a second time beside it', async () => {
  const maria = await aUser(app)
  const now = app.ctx.clock.now()
  const owedUntil = async (ms: number) => {
    const { id } = await app.ctx.db
      .insertInto('deliveries')
      .values({
        userId: maria.id,
        channel: 'nobody-sends',
        noticeKey: randomUUID(),
        kind: 'PrintDone',
        notice: '{}',
        attempts: 1,
        dueAt: new Date(now + ms),
        expiresAt: new Date(now + 3_600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await by('POST', `outbox/d${id}/retry/`)).status).toBe(204)
    const row = app.ctx.db.selectFrom('deliveries').select('dueAt').where('id', '=', id)
    return (await row.executeTakeFirstOrThrow()).dueAt.getTime() - now
  }
  // As whoever sends it has taken it, and as it waits for its next try.
  expect(await owedUntil(15_000)).toBe(15_000)
  expect(await owedUntil(600_000)).toBeLessThan(15_000)
})

describe('a letter to try mail', () => {
  it('comes, and what the mail server said is told', async () => {
    expect((await by('POST', 'test_mail/', { email: 'ops@example.net' })).json).toMatchObject({
      accepted: true,
    })
    const letter = await smtp.letterTo('ops@example.net', /test of mail/)
    expect(letter.text).toContain(admin.email)
    expect((await by('POST', 'test_mail/', { email: 'nobody' })).json).toHaveProperty('email')
  })

  it('that is refused says why', async () => {
    const away = await buildTestApp({
      env: { ...smtp.env, EMAIL_PORT: '1', PUBLIC_URL: 'https://vigil.example.org' },
    })
    const boss = await aUser(away, { isAdmin: true })
    const { json } = await call(away, 'POST', '/api/v1/admin/test_mail/', {
      cookie: boss.cookie,
      body: { email: 'ops@example.net' },
    })
    expect(json).toMatchObject({ accepted: false, said: expect.stringMatching(/ECONNREFUSED|connect/i) })
    await away.close()
  })
})

describe('the system', () => {
  const system = async () => (await by('GET', 'system/')).json

  it('tells how many pictures are judged, how fast, and which wait', async () => {
    await noteDelays(app.ctx, app.ctx.clock.monotonic())
    for (let n = 0; n < 20; n++) detectionSeconds.observe(n === 0 ? 4 : 0.2)
    const { detector } = await system()
    expect(detector).toMatchObject({ state: 'ready', error: null, queued: 0, pictures_per_second: 0 })
    expect(detector.delay_seconds).toBeCloseTo(0.39)
    expect(detector.slow_delay_seconds).toBe(0.25)
  })

  it('has stored files counted by kind', async () => {
    const before = await system()
    expect(before.disk.database_bytes).toBeGreaterThan(1_000_000)
    for (const path of ['raw/1/a.jpg', 'raw/2/b.jpg', 'tagged/1/a.jpg', 'alone.jpg'])
      await app.ctx.files.put({ container: 'tsd-pics', path }, Readable.from([Buffer.alloc(1000)]))
    const { list } = app.ctx.files
    const asked = Promise.withResolvers<void>()
    app.ctx.files.list = async function* slowly(...how) {
      await asked.promise
      yield* list(...how)
    }
    expect((await by('POST', 'system/count/')).json.disk.is_counting).toBe(true)
    asked.resolve()
    app.ctx.files.list = list
    const { disk } = await eventually(async () => {
      const now = await system()
      return now.disk.counted_at === null || now.disk.is_counting ? undefined : now
    })
    expect(disk.kinds).toEqual([
      { kind: 'tsd-pics/raw', files: 2, bytes: 2000 },
      { kind: 'tsd-pics', files: 1, bytes: 1000 },
      { kind: 'tsd-pics/tagged', files: 1, bytes: 1000 },
    ])
  })

  it('tells of the nightly backup, and administrators hear when it failed', async () => {
    const { events, clock } = app.ctx
    expect((await system()).backup).toMatchObject({ is_nightly: true, done_at: null, reason: null })
    events.emit('backup.ended', { at: clock.now(), reason: null, bytes: 5000, whole: '/mnt/usb' })
    const shown = (what: (backup: { failed_at: string | null; done_at: string | null }) => boolean) =>
      eventually(async () => {
        const { backup } = await system()
        return what(backup) ? backup : undefined
      })
    expect(await shown(({ done_at: at }) => at !== null)).toMatchObject({
      bytes: 5000,
      place: '/mnt/usb',
      failed_at: null,
    })
    const reason = 'There is no folder /mnt/usb.'
    events.emit('backup.ended', { at: clock.now(), reason, bytes: 0, whole: null })
    expect(await shown(({ failed_at: at }) => at !== null)).toMatchObject({ bytes: 5000, reason })
    const letter = await smtp.letterTo(admin.email, /not backed up/)
    expect(letter.text).toContain(reason)
    expect(letter.text).toContain('/admin/system/')
    const day = clock.now()
    events.emit('backup.ended', { at: day, reason: null, bytes: 6000, whole: null })
    expect(await shown(({ failed_at: at }) => at === null)).toMatchObject({
      bytes: 6000,
      place: null,
      reason: null,
    })
  })
})
