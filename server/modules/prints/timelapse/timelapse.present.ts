import type { PrintFrames, Timelapse } from '@vigil/contract/prints/timelapse.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { unseenOf } from '../../watch/detection/index.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { columnUrl, mediaUrl } from '../../core/media/index.ts'
import type { PrintRow } from '../prints/index.ts'
import { picturesPerSecond } from '../films/choose.rules.ts'
import { findFrames, findLooks } from '../films/frames.queries.ts'
import { monthsAfter } from '../retention/retention.rules.ts'
import { chosenOf, scenesOf } from '../films/scenes.rules.ts'
import { findShown } from '../films/timelapse.queries.ts'
import { STRAIGHT, turnOf } from './turn.rules.ts'

const DAY_MS = 86_400_000

/** How far a print's time-lapse is. */
export async function presentTimelapse(ctx: Ctx, print: PrintRow): Promise<Timelapse> {
  const { row, isPro } = await findShown(ctx.db, print.id)
  const endedAt = print.cancelledAt ?? print.finishedAt ?? print.uploadedAt
  if (row === null || endedAt === null) return { ...NONE, state: endedAt === null ? 'none' : 'waiting' }
  const months = entitlementsOf(ctx, { isPro }).timelapseMonths
  const isLeaving = row.state === 'ready' && !row.kept && months !== Infinity
  const framesUntil = endedAt.getTime() + ctx.config.FRAME_RETENTION_DAYS * DAY_MS
  return {
    state: row.state as Timelapse['state'],
    progress: row.state === 'ready' ? 1 : row.progress,
    frames: row.frames,
    pictures_per_second: row.picturesPerSecond,
    num_bytes: row.fileBytes,
    frames_until: row.framesGoneAt === null ? new Date(framesUntil).toISOString() : null,
    videos_until: isLeaving ? monthsAfter(endedAt, months).toISOString() : null,
    kept: row.kept,
    unseen: await unseenOf(ctx.db, print.id),
    issues: row.issues,
    refusal: row.refusal as Timelapse['refusal'],
  }
}

const NONE: Omit<Timelapse, 'state'> = {
  progress: 0,
  frames: 0,
  pictures_per_second: picturesPerSecond(0),
  num_bytes: 0,
  frames_until: null,
  videos_until: null,
  kept: false,
  unseen: [],
  issues: 0,
  refusal: null,
}

/** The frames of a print that a film of it shows. */
export async function presentFrames(ctx: Ctx, print: PrintRow, edge: Edge): Promise<PrintFrames> {
  const [frames, looks] = [await findFrames(ctx.db, print.id), await findLooks(ctx.db, print.id)]
  const chosen = chosenOf(scenesOf(frames, looks))
  const { row, agentSettings } = await findShown(ctx.db, print.id)
  const turn = row?.turn ?? (print.printerId === null ? STRAIGHT : turnOf(agentSettings))
  return {
    pictures_per_second: picturesPerSecond(chosen.length),
    turn: { flip_h: turn.flipH, flip_v: turn.flipV, rotation: turn.rotation },
    frames: chosen.map(({ frame, look, known }) => ({
      at: frame.at.toISOString(),
      image_url: mediaUrl(ctx, frame.picture, edge),
      tagged_url: columnUrl(ctx, frame.tagged, edge),
      p: look?.state.currentP ?? null,
      normalized_p: known?.state.normalizedP ?? null,
      decision: look?.decision ?? null,
    })),
  }
}
