import type { Obstacle, WaitReason } from '@vigil/contract/files/queue.ts'
import type { Id, PrinterId } from '../../../lib/id.ts'

/** Something that waits to be printed, as the rules want it; in the account's order. */
export interface Waiting {
  readonly id: Id<'queueEntries'>
  /** null: any printer that fits. */
  readonly printerId: PrinterId | null
  /** Copies that have not been started. */
  readonly left: number
  readonly onHold: boolean
  readonly isFileGone: boolean
  /** It may go to its printer although it does not seem to fit. */
  readonly fitsAnyway: boolean
  /** What its file says that it takes, or what it took before; null: nobody knows. */
  readonly seconds: number | null
}

/** A printer of the account. Times in milliseconds since 1970. */
export interface Machine {
  readonly id: PrinterId
  /** Why it cannot begin a print just now; null: it can. */
  readonly obstacle: Obstacle | null
  /** When its bed will be free, as far as that is known: now, unless it prints. */
  readonly freeAt: number | null
  /** How much longer its prints take than their files say: 1.1 is a tenth longer. */
  readonly pace: number
  readonly clearedAt: number | null
}

/** Whether an entry's file fits a printer, as far as is known. */
export type Fits = (entry: Waiting, machine: Machine) => 'fits' | 'warns' | 'unknown'

/** One copy, and the printer on which it is begun. */
export interface Beginning {
  readonly entryId: Id<'queueEntries'>
  readonly printerId: PrinterId
}

/** Printers on which it would not help to wait: somebody has to do something about them first. */
const AWAY: ReadonlySet<Obstacle> = new Set(['queue_off', 'offline', 'error', 'agent_old'])

const isStill = ({ onHold, isFileGone, left }: Waiting) => onHold || isFileGone || left <= 0

/** An entry may go to a printer. One that is for any printer goes only to one that it is known to fit. */
function maySuit(entry: Waiting, machine: Machine, fits: Fits): boolean {
  if (entry.printerId === null) return fits(entry, machine) === 'fits'
  return entry.printerId === machine.id && (entry.fitsAnyway || fits(entry, machine) !== 'warns')
}

/**
 * Who starts now: in the order of the list each entry takes the printers that are free for it, a copy each; of several the
 * one whose bed was cleared first. Nothing is started on a printer with any obstacle.
 */
export function whoStarts(
  entries: readonly Waiting[],
  machines: readonly Machine[],
  fits: Fits,
): Beginning[] {
  const free = machines
    .filter(({ obstacle }) => obstacle === null)
    .toSorted((a, b) => (a.clearedAt ?? 0) - (b.clearedAt ?? 0) || a.id - b.id)
  const taken = new Set<number>()
  const begun: Beginning[] = []
  for (const entry of entries) {
    if (isStill(entry)) continue
    const open = free.filter((machine) => !taken.has(machine.id) && maySuit(entry, machine, fits))
    for (const { id } of open.slice(0, entry.left)) {
      taken.add(id)
      begun.push({ entryId: entry.id, printerId: id })
    }
  }
  return begun
}

/** What is to be expected of an entry. Times in milliseconds since 1970; null: nobody can say. */
export interface Outlook {
  /** Why its next copy does not start now; null: it does. */
  readonly reason: WaitReason | null
  /** The printer that is waited for. */
  readonly printerId: PrinterId | null
  /** How many stand before it there. */
  readonly ahead: number
  readonly startsAt: number | null
  /** When the last copy will be done. */
  readonly endsAt: number | null
}

interface Line {
  readonly machine: Machine
  freeAt: number | null
  ahead: number
}

/**
 * What is to be expected of each entry: all copies are laid out over the printers in the order of the list, each where it
 * begins first. Beds are taken to be cleared as soon as a print ends, since nobody knows when somebody will come.
 */
export function outlook(
  entries: readonly Waiting[],
  machines: readonly Machine[],
  fits: Fits,
): Map<number, Outlook> {
  const lines: Line[] = machines.map((machine) => ({
    machine,
    freeAt: machine.obstacle !== null && AWAY.has(machine.obstacle) ? null : machine.freeAt,
    ahead: 0,
  }))
  return new Map(entries.map((entry) => [entry.id, expect(entry, lines, fits)]))
}

function expect(entry: Waiting, lines: readonly Line[], fits: Fits): Outlook {
  const nothing = { printerId: entry.printerId, ahead: 0, startsAt: null, endsAt: null }
  if (entry.isFileGone) return { ...nothing, reason: 'file_deleted' }
  if (entry.onHold) return { ...nothing, reason: 'on_hold' }
  const known = lines.filter(({ machine }) => entry.printerId === null || machine.id === entry.printerId)
  if (known.length === 0)
    return { ...nothing, reason: entry.printerId === null ? 'no_printer' : 'printer_deleted' }
  const open = known.filter(({ machine }) => maySuit(entry, machine, fits))
  if (open.length === 0) {
    const isOpen = known.some(({ machine }) => fits(entry, machine) === 'unknown')
    const none = isOpen ? 'fit_unknown' : 'fits_none'
    return { ...nothing, reason: entry.printerId === null ? none : 'does_not_fit' }
  }
  const first = soonest(open)
  const { ahead, machine } = first
  const reason = ahead > 0 ? 'behind' : machine.obstacle
  return { reason, printerId: machine.id, ahead, ...layOut(entry, open, first) }
}

/** Lays the copies out over the printers; from when to when. */
function layOut(
  { left, seconds }: Waiting,
  open: readonly Line[],
  first: Line,
): Pick<Outlook, 'startsAt' | 'endsAt'> {
  const startsAt = first.freeAt
  let endsAt: number | null = 0
  for (let copy = 0; copy < left; copy++) {
    const line = copy === 0 ? first : soonest(open)
    line.ahead++
    line.freeAt =
      line.freeAt === null || seconds === null ? null : line.freeAt + seconds * line.machine.pace * 1000
    endsAt = endsAt === null || line.freeAt === null ? null : Math.max(endsAt, line.freeAt)
  }
  return { startsAt, endsAt }
}

const soonest = (open: readonly Line[]): Line =>
  open.reduce((best, line) => (isSooner(line, best) ? line : best))

function isSooner(one: Line, other: Line): boolean {
  const away = Number(isAway(one)) - Number(isAway(other))
  if (away !== 0) return away < 0
  const time = (one.freeAt ?? Infinity) - (other.freeAt ?? Infinity)
  if (!Number.isNaN(time) && time !== 0) return time < 0
  if (one.ahead !== other.ahead) return one.ahead < other.ahead
  if ((one.machine.obstacle === null) !== (other.machine.obstacle === null))
    return one.machine.obstacle === null
  return (one.machine.clearedAt ?? 0) < (other.machine.clearedAt ?? 0)
}

const isAway = ({ machine }: Line) => machine.obstacle !== null && AWAY.has(machine.obstacle)
