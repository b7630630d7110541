import type { WatchCode } from '@vigil/contract/printers.ts'
import type { Ctx } from '../../ctx.ts'
import { inLane } from '../../engines/db/lane.ts'
import { watchAlarms } from '../../engines/metrics/index.ts'
import type { MediaRef } from '../../engines/files/port.ts'
import { writeEvent } from '../events/index.ts'
import { type Presence, readPresences, tell } from '../presence/index.ts'
import { stateOf } from '../printerbase/index.ts'
import {
  type Act,
  beginning,
  type Gap,
  type Kept,
  look,
  RECURS_WITHIN_MS,
  type Sight,
} from './alarms.rules.ts'
import { clear, findRunning, raise, type RunningRow } from './alarms.queries.ts'

/** Many prints may be blind in the same second: connections that they share. */
const AT_ONCE = 2

/** Reasons that somebody gave, or the print itself. */
const RESTS: ReadonlySet<WatchCode> = new Set<WatchCode>(['disabled', 'no_hours', 'muted', 'not_printing'])
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

interface Round {
  readonly parts: readonly number[]
  /** Why nobody looked until now, if that was long. */
  readonly gapOf: (printerId: number) => Gap | null
}

/** Looks once at every print of these parts that runs, and tells what is to be told. */
export async function lookAfter(ctx: Ctx, memory: Memory, { parts, gapOf }: Round): Promise<Tally> {
  const tally: Tally = new Map()
  const running = new Set<number>()
  for await (const rows of findRunning(ctx.db, parts)) {
    const known = await readPresences(
      ctx,
      rows.map(({ id }) => id),
    )
    const acting = rows.map((row, i) => {
      running.add(row.id)
      return lookAt(ctx, memory, { row, presence: known[i]!, gap: gapOf(row.id), tally })
    })
    await Promise.all(acting)
  }
  for (const printerId of memory.keys()) if (!running.has(printerId)) memory.delete(printerId)
  return tally
}

async function lookAt(
  ctx: Ctx,
  memory: Memory,
  { row, presence, gap, tally }: { row: RunningRow; presence: Presence; gap: Gap | null; tally: Tally },
): Promise<void> {
  const { sight, said } = sightOf(ctx, row, presence)
  tally.set(said ?? 'watching', (tally.get(said ?? 'watching') ?? 0) + 1)
  const now = ctx.clock.monotonic()
  const known = memory.get(row.id)
  const before = known?.printId === row.printId ? known : beginning(row.printId, now, null)
  const isRaised = row.alarmPrintId === row.printId && row.clearedAt === null
  const { kept, act } = look(
    gap === null ? before : { ...before, gap },
    sight,
    now,
    isRaised ? { recurred: row.recurred ?? 0 } : null,
  )
  memory.set(row.id, kept)
  if (act !== null) await inLane(ctx.db, 'alarms', AT_ONCE, () => carryOut(ctx, { row, presence, act }))
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
  if (said === null) return { said, sight: { kind: 'watching' } }
  // Its agent has not said yet what it does.
  if (said === 'not_printing' && status === null && agent.state !== 'offline')
    return { said, sight: { kind: 'unknown' } }
  if (RESTS.has(said)) return { said, sight: { kind: 'rest' } }
  // A detector that is there and has not looked, an agent that gives no sign: both were waited for.
  const isLate = said === 'detector_down' && ctx.detector.health().state === 'ready'
  const isSure = isLate || agent.state === 'not_responding'
  return { said, sight: { kind: 'blind', code: said, hasStatus: status !== null, isSure } }
}

/** Writes the alarm, or its end, with the event and what is owed of it; once, whoever else looks. */
async function carryOut(
  ctx: Ctx,
  { row, presence, act }: { row: RunningRow; presence: Presence; act: NonNullable<Act> },
): Promise<void> {
  const { id: printerId, printId, userId } = row
  const now = new Date(ctx.clock.now())
  const named = { printer: row.name, file: row.filename }
  const event = { userId, printerId, printId, type: 'PRINTER_ERROR' } as const
  await ctx.db.transaction().execute(async (db) => {
    const tx = { ...ctx, db }
    if (act.do === 'clear') {
      if (!(await clear(db, { printerId, printId, now }))) return
      return await writeEvent(tx, { ...event, class: 'SUCCESS', code: 'watching_again', params: named })
    }
    const { code } = act
    const recursAfter = new Date(now.getTime() - RECURS_WITHIN_MS)
    if (!(await raise(db, { printerId, printId, code, now, recursAfter }))) return
    const params = { ...named, why: code }
    const image = pictureFor(code, presence)
    await writeEvent(tx, { ...event, class: 'WARNING', code: 'not_watching', params, image })
  })
  watchAlarms.inc({ why: act.do === 'raise' ? act.code : 'cleared' })
  ctx.log.info({ printerId, printId, ...act }, 'an owner is told whether a print is watched')
  tell(ctx, printerId, 'live')
}

const pictureFor = (code: WatchCode, { picture }: Presence): MediaRef | null =>
  picture !== null && SHOWN.has(code) ? picture.raw : null
