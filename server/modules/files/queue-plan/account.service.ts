import { agentCan } from '@vigil/contract/core/abilities.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { type Bed, isClear, NEW_BED, obstacleOf, type Sight } from './bed.rules.ts'
import { fitsOf, type Knowledge } from './fits.service.ts'
import { findPaces, findTimesTaken } from './paces.queries.ts'
import { type EntryRow, findOpen, findPrinters, type PrinterRow } from './queue.queries.ts'
import type { Fits, Machine, Waiting } from './schedule.rules.ts'

/** A printer of the account, with its bed and what it is to the rules. */
export interface Place {
  readonly row: PrinterRow
  readonly bed: Bed
  readonly isClear: boolean
  readonly machine: Machine
}

/** An account's queue as the rules want it. */
export interface Account {
  readonly rows: readonly EntryRow[]
  readonly entries: readonly Waiting[]
  readonly places: readonly Place[]
  readonly machines: readonly Machine[]
  readonly fits: Fits
}

/** Reads what waits, and the printers that it waits for, as they stand in the rows and as far as they are known. */
export async function readAccount(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  userId: UserId,
  { sights, machines: known }: Knowledge,
): Promise<Account> {
  const { db } = ctx
  const now = ctx.clock.now()
  const rows = await findOpen(db, userId)
  const printers = await findPrinters(db, userId)
  const ids = printers.map(({ id }) => id)
  const paces = rows.length === 0 ? new Map<number, number>() : await findPaces(db, ids)
  const untold = rows.flatMap((row) => (row.estimatedTime === null ? [row.gCodeFileId] : []))
  const taken = await findTimesTaken(db, untold)
  const entries = rows.map((row) => waitingOf(row, taken))
  const secondsOf = new Map(entries.map((entry) => [entry.id, entry.seconds]))
  const places = printers.map((row) => {
    const sight = sights.get(row.id) ?? NOT_SEEN
    const pace = paceOf(paces.get(row.id))
    const underWay = row.entryUnderWay === null ? null : (secondsOf.get(row.entryUnderWay) ?? null)
    return placeOf(row, sight, { now, pace, underWay })
  })
  const machines = places.map(({ machine }) => machine)
  return { rows, entries, places, machines, fits: fitsOf(rows, known) }
}

const NOT_SEEN: Sight = { agent: null, status: null }

/** What took three times as long, or a third, was something else. */
const paceOf = (pace = 1) => Math.min(3, Math.max(1 / 3, pace))

const time = (date: Date | null) => date?.getTime() ?? null

function waitingOf(row: EntryRow, taken: ReadonlyMap<number, number>): Waiting {
  return {
    id: row.id,
    printerId: row.printerId,
    left: Math.max(0, row.copies - row.begun),
    onHold: row.onHold,
    isFileGone: row.fileDeletedAt !== null,
    fitsAnyway: row.fitsAnyway,
    seconds: row.estimatedTime ?? taken.get(row.gCodeFileId) ?? null,
  }
}

/** A bed as the rules want it; one that nobody has spoken of is new. */
export function bedOf(
  row: Pick<PrinterRow, 'enabled' | 'bed' | 'clearedBed' | 'clearedAt' | 'seenAt' | 'tryAfter'>,
): Bed {
  if (row.bed === null || row.enabled === null) return NEW_BED
  return {
    enabled: row.enabled,
    bed: row.bed,
    clearedBed: row.clearedBed,
    clearedAt: time(row.clearedAt),
    seenAt: time(row.seenAt),
    tryAfter: time(row.tryAfter),
  }
}

interface Moment {
  readonly now: number
  readonly pace: number
  /** Seconds that the entry on its way to it takes. */
  readonly underWay: number | null
}

function placeOf(row: PrinterRow, sight: Sight, { now, pace, underWay }: Moment): Place {
  const bed = bedOf(row)
  const isAgentOld = !agentCan({ agent_name: row.agentName, agent_version: row.agentVersion }, 'printFiles')
  const hasWork = row.currentPrintId !== null || row.entryUnderWay !== null || row.isHandedOver === true
  const obstacle = obstacleOf(bed, sight, { hasWork, isAgentOld, now })
  const machine = {
    id: row.id,
    obstacle,
    freeAt: obstacle === 'busy' ? freeAt(row, sight, { now, pace, underWay }) : now,
    pace,
    clearedAt: bed.clearedAt,
  }
  return { row, bed, isClear: isClear(bed, now), machine }
}

/** When a print will be over: as the printer says, else as its file and this printer's other prints let expect. */
function freeAt(row: PrinterRow, { status }: Sight, { now, pace, underWay }: Moment): number | null {
  const left = statusOf(status)?.leftS ?? null
  if (row.currentPrintId === null) return underWay === null ? null : now + underWay * pace * 1000
  if (left !== null && left > 0) return now + left * 1000
  if (row.startedAt === null || row.estimatedTime === null) return null
  return Math.max(now, row.startedAt.getTime() + row.estimatedTime * pace * 1000)
}
