import { LRUCache } from 'lru-cache'
import type { PrintId, PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inLane } from '../../../engines/db/lane.ts'
import { isFirst } from '../../../http/limits.ts'
import { inNameOf } from '../../../http/principal.ts'
import { showPhones } from '../../tell/notifications/index.ts'
import { getPrinter } from '../printers/index.ts'
import { progressOf } from './title.rules.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** So often a phone is told of a print (docs/wire/tell.md 6). */
const EVERY_MS = { android: 300_000, ios: 1_200_000 } as const
const SOONEST_MS = Math.min(...Object.values(EVERY_MS))
/** Agents report every few seconds, and not to the second. */
const SPARE_MS = 5_000
const AT_ONCE = 2
const LATE_MS = 60_000

/** Prints of which phones were told not long ago. */
const recentOf = ofServer(() => new LRUCache<number, true>({ max: 100_000, ttl: SOONEST_MS }))

interface Running {
  readonly printerId: PrinterId
  readonly printId: PrintId
}

/** Has the phones of a printer's owner told how its print gets on, if it is time. Nothing waits for it, and nothing is owed. */
export function noteProgress(ctx: Ctx, running: Running): void {
  if (ctx.config.FIREBASE_KEYS_FOLDER === undefined) return
  const known = recentOf(ctx)
  if (known.has(running.printId)) return
  known.set(running.printId, true)
  const asked = ctx.clock.monotonic()
  // What had to wait for long is not worth it any more: the next one comes.
  const tell = async () => {
    if (ctx.clock.monotonic() - asked < LATE_MS) await tellPhones(ctx, running)
  }
  inLane(ctx.db, 'phone-progress', AT_ONCE, tell).catch((error: unknown) =>
    ctx.log.warn({ err: error, ...running }, 'phones were not told how a print gets on'),
  )
}

async function tellPhones(ctx: Ctx, { printerId, printId }: Running): Promise<void> {
  await showPhones(
    ctx,
    { printerId, printId, worthMs: SOONEST_MS },
    async ({ userId, language, origin, platforms }) => {
      const due = new Set<string>()
      for (const platform of platforms) {
        const every = platform === 'android' ? EVERY_MS.android : EVERY_MS.ios
        const key = `phone-progress:${printId}:${platform}`
        if (await isFirst(ctx, key, every - SPARE_MS)) due.add(platform)
      }
      if (due.size === 0) return null
      const asker = { principal: inNameOf({ userId }), edge: { origin, prefix: '' }, language }
      const printer = await getPrinter(ctx, asker, printerId)
      const print = printer.current_print
      if (print?.id !== printId || printer.status === null) return null
      const shared = {
        type: 'printProgress',
        printId: String(printId),
        printerId: String(printerId),
        body: print.filename,
        picUrl: origin === '' ? '' : (printer.pic?.img_url ?? ''),
      }
      return ({ platform, timeZone }) =>
        due.has(platform) ? { ...shared, ...progressOf(printer, { now: ctx.clock.now(), timeZone }) } : null
    },
  )
}
