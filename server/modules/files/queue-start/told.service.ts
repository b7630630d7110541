import type { Ctx } from '../../../ctx.ts'
import type { WrittenEvent } from '../../core/events/index.ts'
import { owe } from '../../tell/notifications/index.ts'
import { soilBeds } from './beds.queries.ts'
import { lookSoon } from './next.service.ts'
import { type BedRow, isWaitedFor } from '../queue-plan/queue.queries.ts'
import { endStartOf } from '../queue-plan/starts.queries.ts'

type Inside = Pick<Ctx, 'db' | 'jobs' | 'clock' | 'config'>

const SOILING: ReadonlySet<string> = new Set(['STARTED', 'ENDED', 'PRINTER_ERROR'])
const OUTCOMES: Readonly<Record<string, string>> = { print_finished: 'finished' }

/**
 * What happens to printers, in the transaction that writes it: a print that begins or ends, and an error of the printer's own,
 * take back what was said of its bed; the end of a print ends what the queue began.
 */
export async function hearEvents(ctx: Inside, events: readonly WrittenEvent[]): Promise<void> {
  // An error that we write ourselves is not the printer's.
  const soiling = events.filter(
    ({ type, code }) => SOILING.has(type) && !(type === 'PRINTER_ERROR' && code !== null),
  )
  if (soiling.length === 0) return
  const beds = await soilBeds(
    ctx.db,
    soiling.map(({ printerId }) => printerId),
  )
  for (const event of soiling) {
    const bed = beds.get(event.printerId)
    if (event.type === 'ENDED' && bed !== undefined) await hearEnd(ctx, event, bed)
  }
}

async function hearEnd(
  ctx: Inside,
  event: WrittenEvent,
  { bed, enabled }: Pick<BedRow, 'bed' | 'enabled'>,
): Promise<void> {
  const { code, printerId, printId, userId } = event
  const outcome = OUTCOMES[code ?? ''] ?? 'cancelled'
  const isOurs = printId !== null && (await endStartOf(ctx.db, printId, outcome, new Date(ctx.clock.now())))
  const isAwaited = await isWaitedFor(ctx.db, userId, printerId)
  if (isOurs || isAwaited) await lookSoon(ctx, userId)
  if (!isAwaited || !enabled) return
  const told = { key: `bed:${printerId}:${bed}`, kind: 'BedToClear', code: null, printerId, printId } as const
  await owe(ctx, { ...told, picture: event.image ?? null })
}
