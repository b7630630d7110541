import type { WatchCode } from '@vigil/contract/printers/printers.ts'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { type Presence, readPresences } from '../../core/presence/index.ts'
import { isPrinterLost, type WatchChange } from '../detection/index.ts'
import { stateOf } from '../printer-base/index.ts'
import { type Act, beginning, type Gap, type Kept, look, type Raised, type Sight } from './alarms.rules.ts'
import type { RunningRow } from './alarms.queries.ts'

/** What is the server's fault. */
const SERVERS: ReadonlySet<WatchCode> = new Set<WatchCode>([
  'detector_down',
  'disk_full',
  'database_down',
  'server_down',
])
/** How many of the prints that run are watched, and why the others are not. */
export type Tally = Map<WatchCode | 'watching', number>

/** What this node remembers of the prints that it looks after, by their printer. */
export type Memory = Map<number, Kept>

/** What is to be done about a print. */
export interface Doing {
  readonly row: RunningRow
  readonly presence: Presence
  readonly act: NonNullable<Act>
}

interface Round {
  /** The prints that run. */
  readonly pages: Iterable<readonly RunningRow[]> | AsyncIterable<readonly RunningRow[]>
  /** Why nobody looked until now, if that was long. */
  readonly gapOf?: (printerId: PrinterId) => Gap | null
  /** An alarm of this print stands, and how often it came back. */
  readonly raisedOf: (row: RunningRow) => Raised | null
  /** Somebody else watches this print, whatever we see. */
  readonly isWatchedElsewhere?: (presence: Presence) => boolean
  readonly carryOut: (doings: readonly Doing[]) => Promise<void>
  /** Hears what has changed about who is watched, which is kept with the print. */
  readonly changed?: (change: WatchChange) => void
}

/** The alarm of a print that was raised and not cleared, as the database had it. */
export const raisedOf = ({ alarmPrintId, printId, clearedAt, recurred }: RunningRow): Raised | null =>
  alarmPrintId === printId && clearedAt === null ? { recurred: recurred ?? 0 } : null

/** Looks once at every print that runs, and tells what is to be told. */
export async function lookAfter(ctx: Ctx, memory: Memory, round: Round): Promise<Tally> {
  const tally: Tally = new Map()
  const running = new Set<number>()
  const looks: Look[] = []
  for await (const rows of round.pages) {
    const known = await readPresences(
      ctx,
      rows.map(({ id }) => id),
    )
    for (const [i, row] of rows.entries()) {
      running.add(row.id)
      looks.push(lookAt(ctx, memory, { row, presence: known[i]!, round, tally }))
    }
  }
  const due = doings(memory, looks, round)
  if (due.length > 0) await round.carryOut(due)
  for (const printerId of memory.keys()) if (!running.has(printerId)) memory.delete(printerId)
  return tally
}

/** A print as it was just looked at. */
interface Look extends Omit<Doing, 'act'> {
  readonly sight: Sight
  readonly act: Act
}

/** What is to be done; what the server is to blame for is told of all prints of an owner at once that stand so. */
function doings(memory: Memory, looks: readonly Look[], round: Round): Doing[] {
  const own = looks.flatMap(({ act, ...of }) => (act === null ? [] : [{ ...of, act }]))
  const causes = new Set(
    own.flatMap(({ row, act }) =>
      act.do === 'raise' && SERVERS.has(act.code) ? [causeOf(row, act.code)] : [],
    ),
  )
  const others = looks.flatMap((one): Doing[] => {
    if (one.act !== null || one.row.pausedBy !== null || round.raisedOf(one.row) !== null) return []
    const kept = memory.get(one.row.id)
    const code = kept?.gap ?? (one.sight.kind === 'blind' ? one.sight.code : null)
    if (kept === undefined || code === null || !causes.has(causeOf(one.row, code))) return []
    memory.set(one.row.id, { ...kept, gap: null })
    return [{ row: one.row, presence: one.presence, act: { do: 'raise', code } }]
  })
  return [...own, ...others]
}
const causeOf = ({ userId }: RunningRow, code: WatchCode) => `${userId} ${code}`

/** A print that is seen for the first time here: one that was paused stood still when it was heard of last, whichever server heard it. */
const firstSight = ({ printId, pausedBy }: RunningRow, now: number): Kept => ({
  ...beginning(printId, now, null),
  isResting: pausedBy !== null,
})

function lookAt(
  ctx: Ctx,
  memory: Memory,
  { row, presence, round, tally }: { row: RunningRow; presence: Presence; round: Round; tally: Tally },
): Look {
  const seen = sightOf(ctx, row, presence)
  const isElsewhere = seen.sight.kind === 'blind' && round.isWatchedElsewhere?.(presence) === true
  const { sight, said } = isElsewhere ? { sight: { kind: 'watching' } as const, said: null } : seen
  tally.set(said ?? 'watching', (tally.get(said ?? 'watching') ?? 0) + 1)
  const now = ctx.clock.monotonic()
  const known = memory.get(row.id)
  const before = known?.printId === row.printId ? known : firstSight(row, now)
  const gap = round.gapOf?.(row.id) ?? null
  const { kept, act } = look(gap === null ? before : { ...before, gap }, sight, now, round.raisedOf(row))
  memory.set(row.id, kept)
  const code = unwatchedCode(sight, said, kept)
  if (code !== row.unwatchedCode) round.changed?.({ printId: row.printId, code })
  return { row, presence, sight, act }
}

/** Why time that is printed now is not watched: kept with the print. What stands still misses nothing. */
function unwatchedCode(sight: Sight, said: WatchCode | null, { isResting, gap }: Kept): WatchCode | null {
  if (sight.kind === 'rest') return said === 'not_printing' ? null : said
  if (isResting || sight.kind === 'watching') return null
  return gap ?? sight.code
}

/** How a print stands, and what its page says of it. */
function sightOf(ctx: Ctx, row: RunningRow, presence: Presence): { sight: Sight; said: WatchCode | null } {
  const { agent, status, watch } = stateOf(
    ctx,
    {
      printer: row,
      print: row,
      detectionHours: row.watchHours,
      isPro: row.isPro,
      brand: row.brand,
    },
    presence,
  )
  const { code: said } = watch
  // Of a print that nobody watches its owner hears, too, when its printer is lost.
  if (isPrinterLost({ print: row, status, agent: presence.agent }))
    return { said, sight: { kind: 'blind', code: 'printer_lost', hasStatus: true, isSure: false } }
  if (said === null) return { said, sight: { kind: 'watching' } }
  // Its agent has not come back yet, or not said what it does; of one that is muted nobody wants to know.
  const isUnheard = status === null && agent.state !== 'offline'
  if (isUnheard && (said === 'not_printing' || said === 'no_hours')) {
    if (row.alertMutedAt !== null) return { said: 'muted', sight: { kind: 'rest' } }
    return { said, sight: { kind: 'unknown', code: presence.agent === null ? 'agent_lost' : 'agent_mute' } }
  }
  // Somebody gave the reason, or the print itself.
  if (watch.state === 'not_watching') return { said, sight: { kind: 'rest' } }
  // A detector that is there and has not looked, an agent that gives no sign: both were waited for.
  const isLate = said === 'detector_down' && ctx.detector.health().state === 'ready'
  const isSure = isLate || agent.state === 'not_responding'
  return { said, sight: { kind: 'blind', code: said, hasStatus: status !== null, isSure } }
}
