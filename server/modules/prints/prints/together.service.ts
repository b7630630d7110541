import type { PrinterId } from '../../../lib/id.ts'
import { batched } from '../../../lib/batch.ts'
import { keptBy } from '../../../lib/of-server.ts'
import type { Ctx } from '../../../ctx.ts'
import { inLane } from '../../../engines/db/lane.ts'
import { isDatabaseDown, isDiskFull } from '../../../engines/db/postgres.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { Authorized } from '../../core/access/index.ts'
import { resetPredictions } from '../../watch/detection/index.ts'
import { writeBeginnings } from '../lifecycle/begin.service.ts'
import { type Action, decide, type Report } from '../lifecycle/lifecycle.rules.ts'
import * as queries from '../lifecycle/prints.queries.ts'
import type { LockedPrinter, PrintRow } from '../lifecycle/prints.queries.ts'
import { dropStill, takeStill } from '../lifecycle/still.service.ts'

/** So many prints begin in one transaction: whoever waits for one of their printers waits for a moment. */
const AT_ONCE = 100
/** A print that begins waits so long for others that do. */
const GATHER_MS = 20
/** Pictures that are copied at the same time. */
const STILLS_AT_ONCE = 4

interface Asked {
  readonly printerId: PrinterId
  readonly action: Action & { do: 'start' }
  readonly still: MediaRef | null
}

/** A print that has begun. */
export interface Begun {
  readonly printer: LockedPrinter
  readonly print: PrintRow
  /** The file that was named is not its owner's. */
  readonly refusedFileId: number | null
}

/** The beginning that a report means for a printer on which nothing runs, if it means that and no more. */
export function beginningOf(report: Report, now: number): (Action & { do: 'start' }) | null {
  const [first, ...others] = decide(null, report, now)
  return first?.do === 'start' && others.length === 0 ? first : null
}

const beginnerOf = keptBy((ctx: Ctx) =>
  batched((asked: readonly Asked[]) => beginAll(ctx, asked), {
    atMost: AT_ONCE,
    gatherMs: GATHER_MS,
    isOneItems: (error) => !isDatabaseDown(error) && !isDiskFull(error),
  }),
)

/**
 * Begins a print on a printer of which nothing is known to run; those that begin in the same moment share a transaction of a few
 * statements. Null when the rows know more (something runs, its key is known, or the printer is gone): nothing was written.
 */
export async function beginTogether(
  ctx: Ctx,
  { id: printerId }: Authorized<'control'>,
  action: Action & { do: 'start' },
): Promise<Begun | null> {
  const still = await inLane(ctx.db, 'stills', STILLS_AT_ONCE, () => takeStill(ctx, printerId))
  let isShown = false
  try {
    const begun = await beginnerOf(ctx)({ printerId, action, still })
    isShown = begun !== null
    if (begun !== null) ctx.events.emit('print.started', { printerId, printId: begun.print.id })
    return begun
  } finally {
    if (!isShown) await dropStill(ctx, still)
  }
}

async function beginAll(ctx: Ctx, asked: readonly Asked[]): Promise<(Begun | null)[]> {
  const now = ctx.clock.now()
  // Of two sockets of one printer the second is told by the rows what the first has begun.
  const firsts = new Map(asked.toReversed().map((one) => [one.printerId, one]))
  const begun = await ctx.db.transaction().execute(async (tx) => {
    const idle = (await queries.lockPrinters(tx, [...firsts.keys()])).flatMap((printer) => {
      const one = printer.currentPrintId === null ? firsts.get(printer.id) : undefined
      return one ? [{ ...one, printer }] : []
    })
    const known = await queries.findKnown(
      tx,
      idle.map(({ printerId, action }) => ({ printerId, extId: action.extId })),
    )
    const beginning = idle.filter(({ printerId }) => !known.has(printerId))
    return beginning.length === 0 ? [] : await write({ ...ctx, db: tx }, beginning, now)
  })
  const of = new Map(begun.map((one) => [one.printer.id, one]))
  return asked.map((one) => (firsts.get(one.printerId) === one ? (of.get(one.printerId) ?? null) : null))
}

async function write(
  ctx: Ctx,
  all: readonly (Asked & { readonly printer: LockedPrinter })[],
  now: number,
): Promise<Begun[]> {
  // In the order in which detection locks: prediction, then print.
  await resetPredictions(
    ctx.db,
    all.map(({ printerId }) => printerId),
  )
  const named = all.flatMap(({ printer: { userId }, action: { fileId } }) =>
    fileId === null ? [] : [{ userId, fileId }],
  )
  const files = await queries.findOwnFiles(ctx.db, named)
  const beginnings = all.map(({ printer, action: { extId, filename, fileId }, still }) => {
    const file = files.find(({ id, userId }) => id === fileId && userId === printer.userId)
    return { printer, extId, filename, fileId: file?.id ?? null, still }
  })
  const prints = await writeBeginnings(ctx, beginnings, now)
  return all.flatMap(({ printer, action: { fileId } }, at) => {
    const print = prints[at]
    return print ? [{ printer, print, refusedFileId: print.gCodeFileId === null ? fileId : null }] : []
  })
}
