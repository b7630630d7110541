import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Inspection } from '../../../engines/inference/port.ts'
import type { Condition } from '../../../engines/inference/quality.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import type { Frame } from '../watching/frame.ts'
import { gapMs } from '../watching/interval.rules.ts'
import { readWatchMark, watchFurther } from '../watching/watched-time.rules.ts'
import { wordOf } from '../temporal/decision.rules.ts'
import { inDecidingLane } from './lane.service.ts'
import { countDetection, insertDecision, lockPrediction, updatePrediction } from './predictions.queries.ts'
import { storedHeatOf } from './stored-look.rules.ts'
import { consider, type Verdict } from './temporal.rules.ts'

/** A frame that the detector has looked at. */
interface Looked extends Pick<Frame, 'watched' | 'frameId' | 'at' | 'printTime'> {
  /** Whatever is decided, nobody is warned and nothing paused: the record says so. */
  readonly isQuiet: boolean
  readonly inspection: Inspection
  /** Why the picture can't be judged, or null. */
  readonly blind: Condition | null
}

/**
 * Brings the printer's decision state forward by a look and writes the record of the decision, in one transaction
 * (docs/rules/watch.md 3, 4).
 */
export async function decide(ctx: Ctx, looked: Looked): Promise<Verdict> {
  return await inDecidingLane(ctx, () =>
    ctx.db.transaction().execute((tx) => decideIn({ ...ctx, db: tx }, looked)),
  )
}

async function decideIn(ctx: Ctx, looked: Looked): Promise<Verdict> {
  const { watched, at, inspection, blind, printTime } = looked
  const { printerId, printId } = watched
  const planMs = entitlementsOf(ctx, watched).detectionIntervalMs
  const row = await lockPrediction(ctx.db, printerId)
  const verdict = consider(
    row,
    {
      at: at * ctx.config.DETECTION_TIME_SCALE,
      kind: ctx.detector.kind,
      modelKey: inspection.modelKey,
      score: inspection.score,
      boxes: inspection.boxes,
      heat: inspection.heat,
      usable: blind === null,
      moved: blind === 'moved',
    },
    { sensitivity: watched.detectiveSensitivity, bendingFactor: watched.detectionBendingFactor },
  )
  const further =
    blind === null && printTime !== null
      ? watchFurther(readWatchMark(row.watchMark), at, printTime, gapMs(planMs))
      : null
  await updatePrediction(ctx.db, printerId, {
    ...verdict.next,
    steady: verdict.next.steady && JSON.stringify(verdict.next.steady),
    ...(further && { watchMark: JSON.stringify(further.mark) }),
  })
  await countDetection(ctx.db, printId, further && { seconds: further.seconds, of: further.mark.of })
  await insertDecision(ctx.db, recordOf(looked, verdict))
  return verdict
}

/** What a record needs of a look: a film that was uploaded has no printer. */
interface Recorded extends Omit<Looked, 'watched' | 'printTime'> {
  readonly watched: { readonly printerId: PrinterId | null } & Pick<
    Looked['watched'],
    'printId' | 'ignoreZones'
  >
}

/** The record of a decision, complete enough for replay. */
export function recordOf(
  { watched, frameId, at, inspection, blind, isQuiet }: Recorded,
  { next, decision }: Verdict,
) {
  const { steady, ...means } = next
  const known = steady && { taught: steady.taught, takenOff: steady.takenOff }
  return {
    printerId: watched.printerId,
    printId: watched.printId,
    frameId,
    createdAt: new Date(at),
    model: inspection.model,
    score: inspection.score,
    blind,
    boxes: JSON.stringify(inspection.boxes),
    ignoreZones: JSON.stringify(watched.ignoreZones),
    heat: inspection.heat && JSON.stringify(storedHeatOf(inspection.heat)),
    state: JSON.stringify({ ...means, ...known }),
    decision: isQuiet ? 'none' : wordOf(decision),
  }
}
