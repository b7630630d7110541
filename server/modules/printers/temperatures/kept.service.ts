import { LRUCache } from 'lru-cache'
import type { PrinterId, PrintId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { everyTick } from '../../../lib/ticks.ts'
import type { PrintRow } from '../../prints/prints/index.ts'
import { KEPT_MS, type Sample, unpack } from './history.rules.ts'
import { linesSince } from './history.service.ts'
import { POINT_EVERY_MS, thinned, timeOf } from './kept.rules.ts'
import * as queries from './kept.queries.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** Points are written together, all printers of this node at once: a status itself runs no SQL. */
const WRITE_EVERY_MS = 5 * 60_000
/** Rows of one statement. */
const ROUND = 500
/** So many pieces of a print that goes on become one. */
const MAX_PIECES = 288
/** A printer's points that could not be written yet. */
const MAX_WAITING = 120
const MAX_PRINTERS = 10_000

interface Waiting {
  at: number
  lines: string[]
  /** Pieces of the print that were written here. */
  pieces: number
}

const waitingOf = ofServer(() => new LRUCache<PrinterId, Waiting>({ max: MAX_PRINTERS }))

/** Takes every sixth sample or so for the print, if there is one. Called with every sample: only memory is touched. */
export function notePoint(ctx: Ctx, printerId: PrinterId, line: string): void {
  const waiting = waitingOf(ctx)
  const now = ctx.clock.now()
  const known = waiting.get(printerId)
  if (known === undefined) return void waiting.set(printerId, { at: now, lines: [line], pieces: 0 })
  if (Math.abs(now - known.at) < POINT_EVERY_MS * 0.9) return
  known.at = now
  known.lines.push(line)
  if (known.lines.length > MAX_WAITING) known.lines.shift()
}

/** Writes what has come in the meantime, of printers that print; what idle ones said is dropped. */
export async function writePoints(ctx: Ctx): Promise<void> {
  const taken = new Map<PrinterId, string[]>()
  for (const [printerId, waiting] of waitingOf(ctx).entries())
    if (waiting.lines.length > 0) taken.set(printerId, waiting.lines.splice(0))
  if (taken.size === 0) return
  try {
    const printing = await queries.findPrinting(ctx.db, [...taken.keys()])
    const pieces = printing.flatMap(({ printerId, printId, startedAt, createdAt }) =>
      pieceOf(printId, startedAt ?? createdAt, taken.get(printerId) ?? []),
    )
    for (let at = 0; at < pieces.length; at += ROUND)
      await queries.insertPieces(ctx.db, pieces.slice(at, at + ROUND))
    for (const { printerId, printId } of printing) await tidy(ctx, printerId, printId)
  } catch (error) {
    // A database that is away is back soon: they wait for the next turn.
    for (const [printerId, lines] of taken)
      waitingOf(ctx)
        .get(printerId)
        ?.lines.unshift(...lines)
    throw error
  }
}

/** The lines of this print alone: what was said before it began belongs to none. */
function pieceOf(printId: PrintId, begin: Date, lines: readonly string[]): queries.Piece[] {
  const own = lines.filter((line) => timeOf(line) * 1000 >= begin.getTime() - POINT_EVERY_MS)
  const [first] = own
  return first === undefined ? [] : [{ printId, at: new Date(timeOf(first) * 1000), lines: own.join('\n') }]
}

/** A print of days leaves no thousand rows. */
async function tidy(ctx: Ctx, printerId: PrinterId, printId: PrintId): Promise<void> {
  const waiting = waitingOf(ctx).get(printerId)
  if (waiting === undefined || ++waiting.pieces < MAX_PIECES) return
  waiting.pieces = 0
  await makeOne(ctx, printId)
}

async function makeOne({ db }: Ctx, printId: PrintId): Promise<void> {
  await queries.replacePieces(db, printId, (pieces) => {
    const [first] = pieces
    if (first === undefined) return null
    const lines = pieces.flatMap((piece) => piece.lines.split('\n'))
    return { printId, at: first.at, lines: thinned(lines).join('\n') }
  })
}

/** The print is over: its last points are written, and all of them become one row. */
async function closePrint(ctx: Ctx, printerId: PrinterId, printId: PrintId): Promise<void> {
  const waiting = waitingOf(ctx).get(printerId)
  const lines = waiting?.lines.splice(0) ?? []
  waitingOf(ctx).delete(printerId)
  const print = await queries.findBegin(ctx.db, printId)
  if (print === undefined) return
  await queries.insertPieces(ctx.db, pieceOf(printId, print.startedAt ?? print.createdAt, lines))
  await makeOne(ctx, printId)
}

/** Every heater over the whole print; of one that still runs up to now. */
export async function temperaturesOfPrint(ctx: Ctx, print: PrintRow): Promise<Record<string, Sample[]>> {
  const pieces = await queries.findPieces(ctx.db, print.id)
  const kept = pieces.flatMap(({ lines }) => lines.split('\n'))
  const runs = print.cancelledAt === null && print.finishedAt === null
  if (!runs || print.printerId === null) return unpack(kept, 0)
  const begin = (print.startedAt ?? print.createdAt).getTime()
  const known = timeOf(kept.at(-1) ?? '') * 1000 + POINT_EVERY_MS
  const since = Math.max(known, begin, ctx.clock.now() - KEPT_MS)
  return unpack([...thinned(kept), ...spaced(await linesSince(ctx, print.printerId, since))], 0)
}

/** As many as a print keeps, of what is sampled more often. */
function spaced(lines: readonly string[]): string[] {
  let last = 0
  return lines.filter((line) => {
    const at = timeOf(line) * 1000
    const isDue = at - last >= POINT_EVERY_MS * 0.9
    if (isDue) last = at
    return isDue
  })
}

/** Writes every few minutes, at the end of each print, and before the server stops. */
export function keepTemperatures(ctx: Ctx): { close(): Promise<void> } {
  everyTick(ctx, WRITE_EVERY_MS, () => writePoints(ctx))
  const ends = new Set<Promise<void>>()
  ctx.events.on('print.ended', ({ printerId, printId }) => {
    const end = closePrint(ctx, printerId, printId)
      .catch((error: unknown) => ctx.log.warn({ err: error, printId }, 'the last temperatures were not kept'))
      .finally(() => ends.delete(end))
    ends.add(end)
  })
  return {
    async close() {
      await Promise.all(ends)
      await writePoints(ctx).catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'the last temperatures were not kept'),
      )
    },
  }
}
