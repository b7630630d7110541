import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { cloneDatabase, type TestDatabase } from '../../test/pg.ts'
import { type OpenDb, openDb } from '../db/postgres.ts'
import { openJobs } from './boss.ts'
import type { JobKind, Jobs } from './port.ts'

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }

let database: TestDatabase
let store: OpenDb
const running: Jobs[] = []

beforeAll(async () => {
  database = await cloneDatabase()
  store = openDb(database.url, { log })
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.stop()))
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

const aKind = (more: Partial<JobKind<{ n: number }>> = {}): JobKind<{ n: number }> => ({
  name: `kind-${randomUUID()}`,
  schema: z.object({ n: z.number() }),
  ...more,
})

async function open(
  prepare: (jobs: Jobs) => void = () => undefined,
  { graceMs = 5_000, pollSeconds = 0.5 } = {},
): Promise<Jobs> {
  const jobs = await openJobs({
    connectionString: database.url,
    log,
    graceMs,
    retryDelaySeconds: 1,
    pollSeconds,
  })
  prepare(jobs)
  await jobs.start()
  running.push(jobs)
  return jobs
}

/** Jobs that run a handler which notes what it saw. */
async function openNoting(kind: JobKind<{ n: number }>, handler = async (_n: number) => {}) {
  const seen: number[] = []
  const jobs = await open((jobs) =>
    jobs.handle(kind, async ({ n }) => {
      seen.push(n)
      await handler(n)
    }),
  )
  return { jobs, seen }
}

test('runs what was committed, at once, and nothing that was rolled back', async () => {
  const kind = aKind()
  const { jobs, seen } = await openNoting(kind)
  const [written, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = store.db.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, kind, { n: 1 })
    written.resolve()
    await commit.promise
  })
  await written.promise
  // What comes later and is committed is run, so that there was a look.
  await jobs.enqueue(store.db, kind, { n: 0 })
  await vi.waitFor(() => expect(seen, 'not before the commit').toEqual([0])).finally(commit.resolve)
  await transaction
  const committed = performance.now()
  await vi.waitFor(() => expect(seen).toEqual([0, 1]))
  expect(performance.now() - committed).toBeLessThan(1_500)
  const failing = store.db.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, kind, { n: 2 })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await jobs.enqueue(store.db, kind, { n: 3 })
  await vi.waitFor(() => expect(seen).toEqual([0, 1, 3]))
})

test('any node runs what another one enqueued, each job once', async () => {
  const kind = aKind()
  const [one, two] = [await openNoting(kind), await openNoting(kind)]
  const web = await open()
  const numbers = Array.from({ length: 60 }, (_, n) => n)
  await Promise.all(numbers.map((n) => web.enqueue(store.db, kind, { n })))
  await vi.waitFor(() => expect([...one.seen, ...two.seen]).toHaveLength(60))
  expect([...one.seen, ...two.seen].toSorted((a, b) => a - b)).toEqual(numbers)
})

test('what any node enqueues is announced, what came before or during an outage found: nobody waits for the next look', async () => {
  const [kind, second] = [aKind(), aKind()]
  const web = await open()
  await web.enqueue(store.db, kind, { n: 1 })
  const seen: number[] = []
  const note = async ({ n }: { n: number }) => void seen.push(n)
  await open(
    (jobs) => {
      jobs.handle(kind, note)
      jobs.handle(second, note)
    },
    { pollSeconds: 3_600 },
  )
  await vi.waitFor(() => expect(seen, 'left from before').toEqual([1]))
  await web.enqueue(store.db, kind, { n: 2 })
  await vi.waitFor(() => expect(seen, 'its worker waits').toEqual([1, 2]))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'LISTEN%'`.execute(store.db)
  await web.enqueue(store.db, second, { n: 3 })
  await vi.waitFor(() => expect(seen, 'nobody listened').toEqual([1, 2, 3]))
  await web.enqueue(store.db, second, { n: 4 })
  await vi.waitFor(() => expect(seen, 'it listens again').toEqual([1, 2, 3, 4]))
})

test('a backlog is worked off without pauses, so many at a time', async () => {
  const kind = aKind({ concurrency: 2 })
  const web = await open()
  for (let n = 0; n < 20; n++) await web.enqueue(store.db, kind, { n }, { owner: null })
  let now = 0
  let most = 0
  const both = Promise.withResolvers<void>()
  const before = performance.now()
  const { seen } = await openNoting(kind, async () => {
    most = Math.max(most, ++now)
    if (now === 2) both.resolve()
    await both.promise
    await sql`select 1`.execute(store.db)
    now--
  })
  await vi.waitFor(() => expect(seen).toHaveLength(20))
  expect(performance.now() - before).toBeLessThan(4_000)
  expect(most).toBe(2)
})

test('tries again, and says when it gives up', async () => {
  const kind = aKind({ retries: 1 })
  log.error.mockClear()
  const { jobs, seen } = await openNoting(kind, async (n) => {
    if (n === 2 || seen.length < 2) throw new Error('not yet')
  })
  await jobs.enqueue(store.db, kind, { n: 1 })
  await vi.waitFor(() => expect(seen).toEqual([1, 1]))
  await jobs.enqueue(store.db, kind, { n: 2 })
  await vi.waitFor(() => expect(seen).toEqual([1, 1, 2, 2]))
  await vi.waitFor(
    () =>
      expect(log.error).toHaveBeenCalledWith(
        expect.objectContaining({
          kind: kind.name,
          err: expect.objectContaining({ message: 'Error: not yet' }),
        }),
        'a job failed for good',
      ),
    { timeout: 12_000 },
  )
})

test('data that do not fit are refused at the door, and never tried when they are in the house', async () => {
  const kind = aKind()
  const { jobs, seen } = await openNoting(kind)
  await expect(jobs.enqueue(store.db, kind, { n: 'x' } as never)).rejects.toBeInstanceOf(z.ZodError)
  log.error.mockClear()
  await jobs.enqueue(store.db, { ...kind, schema: z.any() }, { old: true })
  await vi.waitFor(
    () =>
      expect(log.error).toHaveBeenCalledWith(
        expect.objectContaining({ kind: kind.name }),
        'a job failed for good',
      ),
    { timeout: 12_000 },
  )
  expect(seen).toEqual([])
})

test('waits as long as asked', async () => {
  const kind = aKind()
  const { jobs, seen } = await openNoting(kind)
  const began = performance.now()
  await jobs.enqueue(store.db, kind, { n: 1 }, { startAfterMs: 1_200 })
  await jobs.enqueue(store.db, kind, { n: 2 })
  await vi.waitFor(() => expect(seen).toEqual([2, 1]))
  expect(performance.now() - began).toBeGreaterThan(1_150)
})

test('of one singleton key one waits; it may wait again while one runs', async () => {
  const kind = aKind()
  const web = await open()
  const once = { singletonKey: 'printer 1/ä' }
  for (const n of [1, 2]) await web.enqueue(store.db, kind, { n }, once)
  await web.enqueue(store.db, kind, { n: 3 }, { singletonKey: 'printer 2' })
  for (const n of [4, 5]) await web.enqueue(store.db, kind, { n })
  const gate = Promise.withResolvers<void>()
  const { jobs, seen } = await openNoting(kind, (n) => (n === 1 ? gate.promise : Promise.resolve()))
  await vi.waitFor(() => expect(seen.toSorted()).toEqual([1, 3, 4, 5]))
  await jobs.enqueue(store.db, kind, { n: 6 }, once)
  await vi.waitFor(() => expect(seen).toContain(6))
  gate.resolve()
})

test('owners take turns: who asks for much is not served before others, and who asks on does not keep them waiting', async () => {
  const kind = aKind({ concurrency: 1 })
  const web = await open()
  const ask = (n: number, owner: number) => web.enqueue(store.db, kind, { n }, { owner })
  for (let n = 100; n < 110; n++) await ask(n, 1)
  for (const n of [200, 201]) await ask(n, 2)
  await ask(300, 3)
  const asked: Promise<void>[] = []
  const { seen } = await openNoting(kind, async (n) => {
    // Somebody comes with one after the other, while another's still wait.
    if (n >= 105 && n < 110) asked.push(ask(n + 300, 4))
    await Promise.all(asked)
  })
  await vi.waitFor(() => expect(seen).toHaveLength(18))
  expect(seen.slice(0, 5)).toEqual([100, 200, 300, 101, 201])
  expect(seen.indexOf(109)).toBeLessThan(seen.indexOf(409))
  expect(seen.filter((n) => n < 200)).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109])
})

test('what few may run at once says whose it is, so that nobody waits behind all of another’s', async () => {
  const web = await open()
  await expect(web.enqueue(store.db, aKind({ concurrency: 1 }), { n: 1 })).rejects.toThrow('whose is it?')
})

test('a transaction that enqueues the moment the server has started waits for no other connection', async () => {
  const kind = aKind()
  const begun = Promise.withResolvers<void>()
  const started = Promise.withResolvers<Jobs>()
  const done = store.db.transaction().execute(async (tx) => {
    begun.resolve()
    await (await started.promise).enqueue(tx, kind, { n: 1 })
  })
  await begun.promise
  const { jobs, seen } = await openNoting(kind)
  started.resolve(jobs)
  await done
  await vi.waitFor(() => expect(seen).toEqual([1]))
})

test('a transaction waits for no other connection, however early in a start it enqueues', async () => {
  const left = aKind()
  const kinds = Array.from({ length: 12 }, () => aKind())
  const early = await openJobs({ connectionString: database.url, log })
  await early.start()
  await early.enqueue(store.db, left, { n: 1 })
  await early.stop()
  const jobs = await openJobs({ connectionString: database.url, log, pollSeconds: 0.5 })
  running.push(jobs)
  const seen: number[] = []
  const enqueueAll = (n: number) =>
    store.db.transaction().execute(async (tx) => {
      for (const kind of kinds) await jobs.enqueue(tx, kind, { n })
    })
  // What was left over runs while others begin, and what looks each second may come in between, too.
  jobs.handle(left, () => enqueueAll(1))
  for (const kind of kinds)
    jobs.handle(kind, async ({ n }) => {
      seen.push(n)
    })
  const starting = jobs.start()
  const tries = async () => {
    let refused = 0
    while (!(await enqueueAll(2).then(() => true, notYet))) refused++
    return refused
  }
  const notYet = (error: unknown) => {
    expect(String(error)).toContain('jobs are not running')
    return false
  }
  expect(await tries()).toBeGreaterThan(0)
  await starting
  await vi.waitFor(() =>
    expect(seen.toSorted((a, b) => a - b)).toEqual([...kinds.map(() => 1), ...kinds.map(() => 2)]),
  )
})

test('a transaction with a key that waits already goes on', async () => {
  const kind = aKind()
  const web = await open()
  await web.enqueue(store.db, kind, { n: 1 }, { singletonKey: 'a' })
  await store.db.transaction().execute(async (tx) => {
    await web.enqueue(tx, kind, { n: 2 }, { singletonKey: 'a' })
    expect((await sql<{ one: number }>`select 1 as one`.execute(tx)).rows).toEqual([{ one: 1 }])
  })
})

test('stop lets what runs finish, aborts what does not, and it runs again elsewhere', async () => {
  const kind = aKind({ retries: 3 })
  const [begun, may] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let finished = 0
  const first = await open((jobs) =>
    jobs.handle(kind, async () => {
      begun.resolve()
      await may.promise
      finished++
    }),
  )
  await first.enqueue(store.db, kind, { n: 1 })
  await begun.promise
  const stopped = first.stop()
  await expect(first.enqueue(store.db, kind, { n: 2 })).rejects.toThrow('not running')
  may.resolve()
  await stopped
  expect(finished).toBe(1)

  const stuck = aKind({ retries: 3 })
  const isStuck = Promise.withResolvers<void>()
  let aborted = false
  const second = await open(
    (jobs) =>
      jobs.handle(stuck, async (_, signal) => {
        isStuck.resolve()
        await once(signal, 'abort')
        aborted = true
      }),
    { graceMs: 1_000 },
  )
  await second.enqueue(store.db, stuck, { n: 2 })
  await isStuck.promise
  const before = performance.now()
  await second.stop()
  expect(performance.now() - before).toBeLessThan(4_000)
  await vi.waitFor(() => expect(aborted).toBe(true))
  await expect(second.enqueue(store.db, stuck, { n: 3 })).rejects.toThrow('not running')
  const { seen } = await openNoting(stuck)
  await vi.waitFor(() => expect(seen).toEqual([2]))
})

test('a clock is written down once, and its job runs on one node', async () => {
  const name = `clock-${randomUUID()}`
  const ran = vi.fn(async () => undefined)
  const prepare = (jobs: Jobs) => jobs.schedule(name, '17 3 * * *', ran)
  await open(prepare)
  await open(prepare)
  const { rows } = await sql`select cron, timezone from pgboss.schedule where name = ${name}`.execute(
    store.db,
  )
  expect(rows).toEqual([{ cron: '17 3 * * *', timezone: 'UTC' }])
  // What its minute does.
  const asClock: JobKind<object> = { name, schema: z.any() }
  const web = await open()
  for (let i = 0; i < 3; i++) await web.enqueue(store.db, asClock, {}, { singletonKey: 'cron' })
  await vi.waitFor(() => expect(ran).toHaveBeenCalled())
})

test('the job of a clock is aborted after the time that it says', async () => {
  const name = `clock-${randomUUID()}`
  let wasAborted = false
  await open((jobs) =>
    jobs.schedule(
      name,
      '17 3 * * *',
      async (signal) => {
        await once(signal, 'abort')
        wasAborted = true
      },
      { timeoutMs: 1_000 },
    ),
  )
  await (await open()).enqueue(store.db, { name, schema: z.any() }, {})
  await vi.waitFor(() => expect(wasAborted).toBe(true))
})

test('what failed for good is tried again as what it was: beside one that waits with its key it adds none', async () => {
  const kind = aKind({ retries: 0 })
  let isBroken = true
  const { jobs, seen } = await openNoting(kind, async () => {
    if (isBroken) throw new Error('not yet')
  })
  const failed = async () =>
    (await jobs.list(store.db, { state: 'failed', start: 0, limit: 9 })).filter(
      (one) => one.kind === kind.name,
    )
  const open = async () =>
    (await jobs.list(store.db, { state: 'open', start: 0, limit: 99 })).filter(
      (one) => one.kind === kind.name,
    )
  await jobs.enqueue(store.db, kind, { n: 1 }, { singletonKey: 'one' })
  const [dead] = await vi.waitFor(async () => {
    const all = await failed()
    expect(all).toHaveLength(1)
    return all
  })
  await jobs.enqueue(store.db, kind, { n: 2 }, { singletonKey: 'one', startAfterMs: 3_600_000 })
  expect(await jobs.retry(store.db, dead!.id)).toBe(true)
  expect(await open()).toHaveLength(1)
  expect(await failed()).toEqual([])
  isBroken = false
  expect(await jobs.retry(store.db, (await open())[0]!.id)).toBe(true)
  await vi.waitFor(() => expect(seen).toEqual([1, 2]))
})

test('a database that throws everybody out is used again', async () => {
  const kind = aKind()
  const { jobs, seen } = await openNoting(kind)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'vigil-jobs%' and datname = current_database()`.execute(store.db)
  await vi.waitFor(() => jobs.enqueue(store.db, kind, { n: 1 }))
  await vi.waitFor(() => expect(seen).toContain(1))
})

test('handlers are named once, before the start', async () => {
  const kind = aKind()
  const jobs = await openJobs({ connectionString: database.url, log })
  jobs.handle(kind, async () => undefined)
  expect(() => jobs.handle(kind, async () => undefined)).toThrow('twice')
  await expect(jobs.enqueue(store.db, kind, { n: 1 })).rejects.toThrow('not running')
  await jobs.stop()
})
