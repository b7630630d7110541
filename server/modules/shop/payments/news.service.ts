import type { Told } from '../../../engines/billing/index.ts'
import * as queries from './news.queries.ts'
import { FOLLOW, type Shop } from './payments.jobs.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A provider remembers what it has told for a month. */
const MEMORY_MS = 29 * DAY_MS
/** So many are read or looked at in one go. */
const MOST_TOLD = 10_000
const BATCH = 500

/** Takes one news, once, however often it comes: what it is about is followed by a job. */
async function hear({ db, billing, clock, jobs }: Shop, told: Told): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const isNew = await queries.insertEvent(tx, {
      provider: billing.name,
      event: told.id,
      toldAt: told.at,
      receivedAt: new Date(clock.now()),
    })
    if (isNew && told.about !== null)
      await jobs.enqueue(tx, FOLLOW, told.about, { singletonKey: `${told.about.kind}:${told.about.id}` })
  })
}

/** What came by the webhook. Raises `forged` for what its provider has not signed. */
export async function receive(
  shop: Shop,
  raw: Buffer,
  headers: Readonly<Record<string, unknown>>,
): Promise<void> {
  const told = shop.billing.read(raw, headers)
  if (told === null) return shop.log.warn('a news of the billing provider cannot be read')
  await hear(shop, told)
}

/** Finds what was lost on its way: what was told and not heard, and whatever stands otherwise there than here. */
export async function reconcile(shop: Shop, signal?: AbortSignal): Promise<void> {
  const { db, billing, clock, jobs } = shop
  const now = new Date(clock.now())
  const last = await queries.findLastTold(db, billing.name)
  const from = Math.max(now.getTime() - MEMORY_MS, (last?.getTime() ?? 0) - HOUR_MS)
  const all = await billing.since(new Date(from), MOST_TOLD)
  for (const told of all) {
    if (signal?.aborted) return
    if (told !== null) await hear(shop, told)
  }
  const unread = all.filter((told) => told === null).length
  if (unread > 0) shop.log.warn({ unread }, 'news of the billing provider cannot be read')
  const doubtful = await queries.findDoubtful(db, billing.name, now, BATCH)
  await queries.closeUnopened(db, billing.name, now)
  const stale = await queries.findStale(db, billing.name, now, BATCH)
  const subjects = [
    ...doubtful.map((id) => ({ kind: 'subscription' as const, id })),
    ...stale.map((id) => ({ kind: 'checkout' as const, id })),
  ]
  await jobs.enqueueAll(
    db,
    FOLLOW,
    subjects.map((data) => ({ data, singletonKey: `${data.kind}:${data.id}` })),
  )
  await queries.deleteEventsBefore(db, new Date(now.getTime() - 3 * MEMORY_MS))
}
