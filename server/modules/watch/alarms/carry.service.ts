import type { WatchCode } from '@vigil/contract/printers/printers.ts'
import { statusOf } from '@vigil/contract/core/status.ts'
import type { Id } from '../../../lib/id.ts'
import { inPieces } from '../../../lib/pieces.ts'
import type { Ctx } from '../../../ctx.ts'
import { againOnConflict, isDatabaseDown } from '../../../engines/db/postgres.ts'
import { watchAlarms } from '../../../engines/metrics/index.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { type NewEvent, writeEvents } from '../../core/events/index.ts'
import { type Presence, tell } from '../../core/presence/index.ts'
import { RECURS_WITHIN_MS } from './alarms.rules.ts'
import { clear, lockRunning, raise, type RunningRow } from './alarms.queries.ts'
import type { Doing } from './alarms.service.ts'

/** So many are written at once: whoever waits for one of their rows waits for a moment. */
const AT_ONCE = 200

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

/** An alarm of a print. */
export interface Raising extends Pick<Doing, 'row' | 'presence'> {
  readonly code: WatchCode
}

/**
 * Writes alarms, and their ends, with the events and what is owed of them; once, whoever else looks. Those that fail keep no other
 * from being written.
 */
export async function carryOut(ctx: Ctx, doings: readonly Doing[]): Promise<void> {
  const failures: unknown[] = []
  for (const some of inPieces(doings, AT_ONCE)) failures.push(...(await carryOutSome(ctx, some)))
  if (failures.length > 0) throw failures[0]
}

/** Returns what went wrong: where one is to blame the others are written without it. */
async function carryOutSome(ctx: Ctx, doings: readonly Doing[]): Promise<unknown[]> {
  try {
    const done = await againOnConflict(async () => await write(ctx, doings))
    for (const { row, act } of doings) {
      if (!done.has(row.id)) continue
      const { id: printerId, printId } = row
      watchAlarms.inc({ why: act.do === 'raise' ? act.code : 'cleared' })
      ctx.log.info({ printerId, printId, ...act }, 'an owner is told whether a print is watched')
      tell(ctx, printerId, 'live')
    }
    return []
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    if (doings.length === 1) return [error]
    ctx.log.warn(
      { err: error, count: doings.length },
      'alarms that could not be written together are written one by one',
    )
    const failures: unknown[] = []
    for (const one of doings) failures.push(...(await carryOutSome(ctx, [one])))
    return failures
  }
}

/** Returns the printers of which there was something to be written. */
async function write(ctx: Ctx, doings: readonly Doing[]): Promise<ReadonlySet<number>> {
  const raising = doings.flatMap(({ row, presence, act }) =>
    act.do === 'raise' ? [{ row, presence, code: act.code }] : [],
  )
  const over = doings.flatMap(({ row, act }) => (act.do === 'clear' ? [row] : []))
  return await ctx.db.transaction().execute(async (tx) => {
    const running = await lockRunning(
      tx,
      raising.map(({ row }) => alarmOf(row)),
    )
    const raised = await raiseThose(
      { ...ctx, db: tx },
      raising.filter(({ row }) => running.has(row.id)),
    )
    const cleared = await clear(tx, over.map(alarmOf), new Date(ctx.clock.now()))
    const again = over.filter((row) => cleared.has(row.id) && isToBeTold(row))
    await writeEvents({ ...ctx, db: tx }, [...raised.map(eventOf), ...again.map(endOf)])
    return new Set([...raised.map(({ row }) => row.id), ...cleared])
  })
}

/** Writes alarms, but for those that stand; `also` writes more of their events in the same transaction. */
export async function raiseAlarms(
  ctx: Ctx,
  raising: readonly Raising[],
  also: (tx: Ctx['db'], eventIds: readonly Id<'printerEvents'>[]) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const raised = await raiseThose({ ...ctx, db: tx }, raising)
    await also(tx, await writeEvents({ ...ctx, db: tx }, raised.map(eventOf)))
  })
}

/** Returns those that did not stand. */
async function raiseThose(
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  all: readonly Raising[],
): Promise<Raising[]> {
  const now = clock.now()
  const alarms = all.map(({ row, code }) => ({ ...alarmOf(row), code }))
  const raised = await raise(db, alarms, {
    now: new Date(now),
    recursAfter: new Date(now - RECURS_WITHIN_MS),
  })
  return all.filter(({ row }) => raised.has(row.id))
}

const alarmOf = ({ id, printId }: RunningRow) => ({ printerId: id, printId })

/** Nobody watched the others before. */
const isToBeTold = ({ watchingEnabled, alertMutedAt }: RunningRow) => watchingEnabled && alertMutedAt === null

const shared = ({ id, printId, userId, name, filename }: RunningRow) => ({
  userId,
  printerId: id,
  printId,
  type: 'PRINTER_ERROR' as const,
  params: { printer: name, file: filename },
})

function endOf(row: RunningRow): NewEvent {
  return { ...shared(row), class: 'SUCCESS', code: 'watching_again' }
}

function eventOf({ row, presence, code }: Raising): NewEvent {
  const isLost = code === 'printer_lost'
  const { params, ...event } = shared(row)
  return {
    ...event,
    class: isLost ? 'ERROR' : 'WARNING',
    code: isLost ? 'print_interrupted' : 'not_watching',
    params: { ...params, why: code, ...(isLost && lostWords(presence)) },
    image: pictureFor(row, code, presence),
  }
}

/** What Klipper is, and what it or OctoPrint says of it, cut to a line. */
export function lostWords({ agent, status }: Presence): { klipper: string | null; said: string | null } {
  const said = agent?.away ? agent.away.message : (statusOf(status)?.error ?? null)
  const [line = ''] = (said ?? '').slice(0, MAX_WORDS).split('\n')
  return { klipper: agent?.away?.state ?? null, said: line.trim() || null }
}

/** A frame of this print, which stays as long as it does: of another print, or of an idle printer, none would stay. */
function pictureFor({ id, printId }: RunningRow, code: WatchCode, { picture }: Presence): MediaRef | null {
  const raw = SHOWN.has(code) ? (picture?.raw ?? null) : null
  return raw?.path.startsWith(`raw/${id}/${printId}/`) ? raw : null
}
