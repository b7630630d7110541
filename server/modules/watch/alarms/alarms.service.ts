import type { WatchCode } from '@vigil/contract/printers/printers.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { Id, PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inLane } from '../../../engines/db/lane.ts'
import { watchAlarms } from '../../../engines/metrics/index.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { writeEvent } from '../../core/events/index.ts'
import { type Presence, readPresences, tell } from '../../core/presence/index.ts'
import { isPrinterLost, type WatchChange } from '../detection/index.ts'
import { stateOf } from '../printer-base/index.ts'
import {
  type Act,
  beginning,
  type Gap,
  type Kept,
  look,
  type Raised,
  RECURS_WITHIN_MS,
  type Sight,
} from './alarms.rules.ts'
import { clear, isRunning, raise, type RunningRow } from './alarms.queries.ts'

/** Many prints may be blind in the same second: connections that they share. */
const AT_ONCE = 2

/** Reasons that somebody gave, or the print itself. */
const RESTS: ReadonlySet<WatchCode> = new Set<WatchCode>(['disabled', 'no_hours', 'muted', 'not_printing'])
/** What is the server's fault. */
const SERVERS: ReadonlySet<WatchCode> = new Set<WatchCode>([
  'detector_down',
  'disk_full',
  'database_down',
  'server_down',
])
/** Of a printer's own words, in a message. */
const MAX_WORDS = 200
/** What the last picture shows. */
const SHOWN: ReadonlySet<WatchCode> = new Set<WatchCode>([
  'picture_frozen',
  'picture_dark',
  'picture_bright',
  'picture_blurred',
  'camera_covered',
  'camera_moved',
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
  readonly carryOut: (doing: Doing) => Promise<void>
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
  await Promise.all(doings(memory, looks, round).map((doing) => round.carryOut(doing)))
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
  const before = known?.printId === row.printId ? known : beginning(row.printId, now, null)
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
      detectionHours: row.dhBalance,
      isPro: row.isPro,
    },
    presence,
  )
  const { code: said } = watch
  // Of a print that nobody watches its owner hears, too, when its printer is lost.
  if (isPrinterLost({ print: row, status, agent: presence.agent }))
    return { said, sight: { kind: 'blind', code: 'printer_lost', hasStatus: true, isSure: false } }
  if (said === null) return { said, sight: { kind: 'watching' } }
  // Its agent has not come back yet, or not said what it does.
  if (said === 'not_printing' && status === null && agent.state !== 'offline')
    return { said, sight: { kind: 'unknown', code: presence.agent === null ? 'agent_lost' : 'agent_mute' } }
  if (RESTS.has(said)) return { said, sight: { kind: 'rest' } }
  // A detector that is there and has not looked, an agent that gives no sign: both were waited for.
  const isLate = said === 'detector_down' && ctx.detector.health().state === 'ready'
  const isSure = isLate || agent.state === 'not_responding'
  return { said, sight: { kind: 'blind', code: said, hasStatus: status !== null, isSure } }
}

/** Writes the alarm, or its end, with the event and what is owed of it; once, whoever else looks. */
export async function carryOut(ctx: Ctx, { row, presence, act }: Doing): Promise<void> {
  const { id: printerId, printId } = row
  const isDone = await inLane(ctx.db, 'alarms', AT_ONCE, () =>
    act.do === 'clear'
      ? clearAlarm(ctx, row)
      : raiseAlarm(ctx, { row, presence, code: act.code, mustRun: true }),
  )
  if (!isDone) return
  watchAlarms.inc({ why: act.do === 'raise' ? act.code : 'cleared' })
  ctx.log.info({ printerId, printId, ...act }, 'an owner is told whether a print is watched')
  tell(ctx, printerId, 'live')
}

const eventOf = ({ id, printId, userId }: RunningRow) =>
  ({ userId, printerId: id, printId, type: 'PRINTER_ERROR' }) as const

async function clearAlarm(ctx: Ctx, row: RunningRow): Promise<boolean> {
  const now = new Date(ctx.clock.now())
  const params = { printer: row.name, file: row.filename }
  // Nobody watched it before.
  const isToBeTold = row.watchingEnabled && row.dhBalance >= 0 && row.alertMutedAt === null
  return await ctx.db.transaction().execute(async (db) => {
    if (!(await clear(db, { printerId: row.id, printId: row.printId, now }))) return false
    if (isToBeTold)
      await writeEvent({ ...ctx, db }, { ...eventOf(row), class: 'SUCCESS', code: 'watching_again', params })
    return true
  })
}

/** Writes an alarm, unless it stands; `also` writes more of its event in the same transaction. */
export async function raiseAlarm(
  ctx: Ctx,
  {
    row,
    presence,
    code,
    mustRun = false,
  }: Pick<Doing, 'row' | 'presence'> & {
    readonly code: WatchCode
    /** Of a print that has ended since it was looked at nothing is told. */
    readonly mustRun?: boolean
  },
  also: (tx: Ctx['db'], eventId: Id<'printerEvents'>) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const now = new Date(ctx.clock.now())
  const recursAfter = new Date(now.getTime() - RECURS_WITHIN_MS)
  const isLost = code === 'printer_lost'
  const params = { printer: row.name, file: row.filename, why: code, ...(isLost && lostWords(presence)) }
  const image = pictureFor(code, presence)
  return await ctx.db.transaction().execute(async (db) => {
    if (mustRun && !(await isRunning(db, row.id, row.printId))) return false
    if (!(await raise(db, { printerId: row.id, printId: row.printId, code, now, recursAfter }))) return false
    const event = {
      ...eventOf(row),
      class: isLost ? 'ERROR' : 'WARNING',
      code: isLost ? 'print_interrupted' : 'not_watching',
      params,
      image,
    } as const
    await also(db, await writeEvent({ ...ctx, db }, event))
    return true
  })
}

/** What Klipper is, and what it or OctoPrint says of it, cut to a line. */
export function lostWords({ agent, status }: Presence): { klipper: string | null; said: string | null } {
  const said = agent?.away ? agent.away.message : (statusOf(status)?.error ?? null)
  const [line = ''] = (said ?? '').slice(0, MAX_WORDS).split('\n')
  return { klipper: agent?.away?.state ?? null, said: line.trim() || null }
}

const pictureFor = (code: WatchCode, { picture }: Presence): MediaRef | null =>
  picture !== null && SHOWN.has(code) ? picture.raw : null
