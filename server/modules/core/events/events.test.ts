import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openJobs } from '../../../engines/jobs/boss.ts'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { topics } from '../presence/names.ts'
import { fillIn, isNewsToBrowsers } from '../event-log/events.rules.ts'
import { eventTexts, registerChannel, writeAudit, writeEvent } from './index.ts'
import { expireFrames } from '../event-log/partitions.service.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>

beforeAll(async () => {
  app = await buildTestApp()
  owner = await aUser(app)
  printer = await aPrinter(app, owner)
})
afterAll(() => app.close())

const paused = () =>
  ({
    userId: owner.id,
    printerId: printer.id,
    printId: null,
    type: 'PAUSED',
    class: 'INFO',
    code: 'print_paused',
    params: { printer: 'Ender', file: 'a.gcode' },
  }) as const
const unseen = async () =>
  (
    await app.ctx.db
      .selectFrom('users')
      .select('unseenPrinterEvents')
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow()
  ).unseenPrinterEvents
const count = async () =>
  Number(
    (
      await app.ctx.db
        .selectFrom('printerEvents')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

describe('an event', () => {
  it('is written, counted and told together, or not at all', async () => {
    const told: string[] = []
    const stop = await app.ctx.live.subscribe(topics.passthru(printer.id), (message) =>
      told.push(message.toString()),
    )
    await expect(
      app.ctx.db.transaction().execute(async (tx) => {
        await writeEvent({ ...app.ctx, db: tx }, paused())
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect([await count(), await unseen()]).toEqual([0, 0])
    await app.ctx.db.updateTable('users').set({ language: 'zh' }).where('id', '=', owner.id).execute()
    await app.ctx.db.transaction().execute((tx) => writeEvent({ ...app.ctx, db: tx }, paused()))
    expect([await count(), await unseen()]).toEqual([1, 1])
    await eventually(() => (told.length === 1 ? true : undefined))
    expect(told[0]).toContain('打印任务已暂停')
    stop()
  })

  it('is told by each channel on its own: one that fails is told again, the others are not', async () => {
    const jobs = await openJobs({
      connectionString: app.databaseUrl,
      log: app.ctx.log,
      retryDelaySeconds: 1,
      pollSeconds: 1,
    })
    const node = { ...app.ctx, jobs }
    const told = { steady: [] as string[], broken: [] as string[] }
    registerChannel(node, { name: 'steady', tell: async (_ctx, { title }) => void told.steady.push(title) })
    registerChannel(node, {
      name: 'broken',
      tell: async (_ctx, { title }) => {
        if (told.broken.push(title) < 3) throw new Error('the mail server is away')
      },
    })
    await jobs.start()
    try {
      await app.ctx.db.transaction().execute((tx) => writeEvent({ ...node, db: tx }, paused()))
      await eventually(() => (told.broken.length === 3 ? true : undefined))
      expect(told.steady).toHaveLength(1)
    } finally {
      await jobs.stop()
    }
  })

  it('hundreds at once are told as one where all of an owner’s are told together', async () => {
    const jobs = await openJobs({ connectionString: app.databaseUrl, log: app.ctx.log, runs: false })
    const node = { ...app.ctx, jobs }
    const tell = () => Promise.resolve()
    registerChannel(node, { name: 'each', tell })
    registerChannel(node, { name: 'together', isOfOwner: true, tell })
    await jobs.start()
    try {
      for (let n = 0; n < 3; n++)
        await app.ctx.db.transaction().execute((tx) => writeEvent({ ...node, db: tx }, paused()))
      const { rows } = await sql<{ name: string }>`select name from pgboss.job
        where name in ('event-each', 'event-together') and state = 'created'`.execute(app.ctx.db)
      expect(rows.map(({ name }) => name).toSorted()).toEqual([
        'event-each',
        'event-each',
        'event-each',
        'event-together',
      ])
    } finally {
      await jobs.stop()
    }
  })

  it('speaks the reader’s language, and keeps an agent’s own words', () => {
    const event = {
      code: 'print_lost',
      params: { printer: 'P', file: 'f', progress: '42%' },
      eventTitle: null,
      eventText: null,
    }
    expect(eventTexts(event, 'en').text).toBe(
      'P no longer prints f, and never reported how it ended. Last known progress: 42%.',
    )
    expect(eventTexts(event, 'zh').title).toBe('打印任务已丢失')
    expect(eventTexts(event, 'xx').title).toBe('Print job lost')
    const own = { code: null, params: {}, eventTitle: 'T {{file}}', eventText: 'x' }
    expect(eventTexts(own, 'zh')).toEqual({ title: 'T {{file}}', text: 'x', html: 'x' })
    expect(fillIn('{{a}} {{ b }}{{c}}', { a: 1, b: 'x' })).toBe('1 x')
    for (const p of [null, '', '?'])
      expect(fillIn('{{a}} has no end. Last known progress: {{p}}.', { a: 1, p })).toBe('1 has no end.')
    expect(fillIn('没有结束。最后已知进度：{{p}}。', {})).toBe('没有结束。')
    expect(fillIn('Refused: {{words}}', { words: '' })).toBe('Refused')
  })

  it('that the agent has shown already is no news', () => {
    expect(isNewsToBrowsers({ code: null, type: 'PRINTER_ERROR' })).toBe(false)
    expect(isNewsToBrowsers({ code: null, type: 'FILAMENT_CHANGE' })).toBe(true)
    expect(isNewsToBrowsers({ code: 'agent_needs_restart', type: 'PRINTER_ERROR' })).toBe(true)
  })
})

it('an audit row says who did what, and what came of it', async () => {
  await writeAudit(app.ctx, {
    actor: 'system',
    userId: null,
    printerId: printer.id,
    printId: asId(3),
    action: 'command.pause',
    outcome: 'sent',
    detail: { args: {} },
  })
  const row = await app.ctx.db.selectFrom('audit').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    actor: 'system',
    action: 'command.pause',
    outcome: 'sent',
    detail: { args: {} },
  })
})

describe('frames', () => {
  it('of ended prints go with their files after the retention, and empty months with them', async () => {
    const { db, files, config } = app.ctx
    const day = (ago: number) => new Date(app.ctx.clock.now() - ago * 86_400_000)
    const old = day(config.FRAME_RETENTION_DAYS + 45)
    await sql`select ensure_partitions(${old}::timestamptz::date)`.execute(db)
    const partition = `frames_${old.toISOString().slice(0, 7).replace('-', '_')}`
    const print = async (extId: number) =>
      (
        await db
          .insertInto('prints')
          .values({ userId: owner.id, printerId: printer.id, extId, filename: 'f' })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const [ended, running] = [await print(1), await print(2)]
    await db.updateTable('printers').set({ currentPrintId: running }).where('id', '=', printer.id).execute()
    const frame = async (printId: number, createdAt: Date) => {
      const ref = { container: 'tsd-pics', path: `raw/1/${printId}/${createdAt.getTime()}.jpg` } as const
      await files.put(ref, Buffer.from('x'))
      const picture = JSON.stringify(ref)
      await db
        .insertInto('frames')
        .values(
          asId({ printerId: printer.id, printId, picture, numBytes: 1, width: 1, height: 1, createdAt }),
        )
        .execute()
      await db
        .insertInto('decisions')
        .values(asId({ printerId: printer.id, printId, state: '{}', decision: 'none', createdAt }))
        .execute()
      return ref
    }
    const gone = await frame(ended, old)
    const young = await frame(ended, day(1))
    const kept = await frame(running, day(config.FRAME_RETENTION_DAYS + 5))
    await expireFrames(app.ctx, new AbortController().signal)
    expect(await files.stat(gone)).toBeNull()
    expect([await files.stat(young), await files.stat(kept)]).not.toContain(null)
    const left = await db.selectFrom('frames').select('printId').orderBy('createdAt').execute()
    expect(left.map(({ printId }) => printId)).toEqual([running, ended])
    expect(await db.selectFrom('decisions').select('id').execute()).toHaveLength(2)
    const { rows } = await sql<{ found: string | null }>`select to_regclass(${partition}) as found`.execute(
      db,
    )
    expect(rows[0]?.found).toBeNull()
  })
})
