import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { notifications } from '../../../engines/metrics/index.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { TRY_LEASE_MS } from '../../../lib/tries.ts'
import { CHANNELS } from '../channels/index.ts'
import { createBreaker } from '../sending/breaker.rules.ts'
import { deliver } from '../sending/deliver.service.ts'
import { deleteOld, type DeliveryRow, takeDue } from '../deliveries/deliveries.queries.ts'
import { releaseHeld } from './held.service.ts'
import { deleteAlertLinks } from '../sending/links.queries.ts'
import { DELIVER } from '../sending/outbox.service.ts'

/** Of each channel, so many at once on a node: one that hangs holds up no other. */
const AT_ONCE = 16
const LOOK_EVERY_MS = 2_000
/** A server that stops waits for so long for what is on its way. */
const LAST_MS = 5_000
const KEPT_MS = 30 * 24 * 3_600_000
const BATCH = 5_000

/** Sends what is due, on nodes that work, until the server stops. */
export function registerDispatch(app: FastifyInstance, ctx: Ctx): void {
  // What begins with its first failure has not risen to it: the alert would miss that.
  for (const channel of CHANNELS.keys())
    for (const outcome of ['refused', 'expired']) notifications.inc({ channel, outcome }, 0)
  const breaker = createBreaker()
  const busy = new Map<string, Set<Promise<void>>>()
  let isLooking = false
  let isAsked = false

  const under = (channel: string) => {
    const known = busy.get(channel) ?? new Set<Promise<void>>()
    busy.set(channel, known)
    return known
  }
  const freeSlots = () =>
    new Map(
      [...CHANNELS.keys()]
        .map((name) => [name, AT_ONCE - under(name).size] as const)
        .filter(([, slots]) => slots > 0),
    )
  const start = (row: DeliveryRow, wasFull: boolean) => {
    const running = deliver(ctx, breaker, row)
      .then(lookAgainAt, (error: unknown) =>
        ctx.log.error({ err: error, id: row.id }, 'a delivery is tried again later'),
      )
      .finally(() => {
        under(row.channel).delete(running)
        if (wasFull) void look()
      })
    under(row.channel).add(running)
  }
  const lookAgainAt = (dueAt: number | null) => {
    const ms = (dueAt ?? Infinity) - ctx.clock.now()
    if (ms < LOOK_EVERY_MS) setTimeout(() => void look(), Math.max(ms, 0) + 1).unref()
  }
  const take = async () => {
    const free = freeSlots()
    const now = ctx.clock.now()
    const rows = await takeDue(ctx.db, { free, now: new Date(now), until: new Date(now + TRY_LEASE_MS) })
    for (const row of rows) {
      const taken = rows.filter(({ channel }) => channel === row.channel).length
      start(row, taken >= (free.get(row.channel) ?? 0))
    }
  }
  /** Takes what is due; asked while it does, it looks once more. */
  const look = async (): Promise<void> => {
    isAsked = true
    if (isLooking) return
    isLooking = true
    try {
      while (isAsked && !ctx.stopping.aborted) {
        isAsked = false
        await take()
      }
    } catch (error) {
      ctx.log.error({ err: error }, 'messages that are due could not be taken')
    } finally {
      isLooking = false
    }
  }

  ctx.jobs.handle(DELIVER, look)
  ctx.jobs.schedule('forget-deliveries', '41 3 * * *', async (signal) => {
    const before = new Date(ctx.clock.now() - KEPT_MS)
    while (!signal.aborted && (await deleteOld(ctx.db, before, BATCH)) > 0);
    await deleteAlertLinks(ctx.db, before)
  })
  const lookAtAll = async () => {
    await releaseHeld(ctx).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'messages that were held back could not be let go'),
    )
    await look()
  }
  // Not before the jobs run: that a channel fails commits with what has it told by the others.
  if (ctx.config.ROLE !== 'web')
    app.addHook('onReady', async () => void everyTick(ctx, LOOK_EVERY_MS, lookAtAll))
  app.addHook('onClose', async () => {
    const all = [...busy.values()].flatMap((running) => [...running])
    await Promise.race([Promise.allSettled(all), new Promise((done) => setTimeout(done, LAST_MS).unref())])
  })
}
