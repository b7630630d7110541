/**
 * What each camera showed before, so that a picture that is frozen, moved or covered is told. It lives in the memory of
 * the node that takes the pictures; what was learnt of the view is also kept in the database, where the next start of
 * the server, or another node, finds it.
 */
import { LRUCache } from 'lru-cache'
import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { packView, unpackView } from '../../../engines/inference/kept-view.ts'
import {
  type Condition,
  followPicture,
  type PictureHistory,
  type Quality,
} from '../../../engines/inference/quality.ts'
import { deleteView, findView, saveViews } from './views.queries.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** Milliseconds between two writes of a view: it is learnt in minutes and takes 6 kB. */
const KEEP_MS = 5 * 60_000
/** Views written in one statement. */
const ROUND = 200

interface Camera {
  history: PictureHistory | null
  /** The view that the database has. */
  kept: PictureHistory['view'] | null
  /** When the view may be written again. */
  dueAt: number
}

const camerasOf = ofServer(() => new LRUCache<PrinterId, Camera>({ max: 20_000 }))

/** Judges a printer's picture against what its camera showed before; null when it is a good one. */
export async function followCamera(
  ctx: Ctx,
  printerId: PrinterId,
  { quality, at, intervalMs }: { quality: Quality; at: number; intervalMs: number },
): Promise<Condition | null> {
  const camera = await recall(ctx, printerId, at)
  const { history, condition } = followPicture(camera.history, quality, at, intervalMs)
  camera.history = history
  if (at >= camera.dueAt && hasLearnt(camera)) {
    camera.dueAt = at + KEEP_MS
    await keepViews(ctx, [printerId])
  }
  return condition
}

/**
 * Something is strange about what a printer's camera shows, as far as this node knows, and more pictures will tell what:
 * it may stand still, or show something else.
 */
export function isCameraStrange(ctx: Ctx, printerId: PrinterId): boolean {
  const history = camerasOf(ctx).peek(printerId)?.history
  if (!history) return false
  const { strange, soft, sameLook, said } = history
  return strange > 0 || soft > 0 || (sameLook > 1 && said === null)
}

/** So many pictures in a row that do not fit are worth being said, before enough of them tell what it is. */
const SAID_AFTER = 2

/** A camera that may have been moved, covered or unfocused: its page says so at once, its owner is told when it is sure. */
export function isCameraInDoubt(ctx: Ctx, printerId: PrinterId): boolean {
  const history = camerasOf(ctx).peek(printerId)?.history
  return !!history && history.said === null && Math.max(history.strange, history.soft) >= SAID_AFTER
}

const hasLearnt = ({ history, kept }: Camera) => history !== null && history.view !== kept

/** The camera, read from the database the first time that this node sees it. */
async function recall(ctx: Ctx, printerId: PrinterId, at: number): Promise<Camera> {
  const cameras = camerasOf(ctx)
  if (!cameras.has(printerId)) {
    const stored = await findView(ctx.db, printerId)
    const history = stored && unpackView(stored)
    // All cameras come back at once after a restart: their writes are spread over five minutes.
    const dueAt = at + KEEP_MS * (0.5 + (printerId % 30) / 30)
    // Another picture may have been faster.
    if (!cameras.has(printerId)) cameras.set(printerId, { history, kept: history?.view ?? null, dueAt })
  }
  return cameras.get(printerId)!
}

/**
 * Writes what these cameras, or all of this node, have learnt since it was written last. A failure is logged: the next
 * write makes up for it.
 */
export async function keepViews(ctx: Ctx, printerIds?: readonly PrinterId[]): Promise<void> {
  const cameras = camerasOf(ctx)
  const learnt = [...(printerIds ?? cameras.keys())].filter((printerId) => {
    const camera = cameras.peek(printerId)
    return camera !== undefined && hasLearnt(camera)
  })
  try {
    for (let from = 0; from < learnt.length; from += ROUND) await keep(ctx, learnt.slice(from, from + ROUND))
  } catch (error) {
    ctx.log.warn({ err: error }, 'what cameras show could not be kept')
  }
}

async function keep(ctx: Ctx, printerIds: readonly PrinterId[]): Promise<void> {
  const rows = printerIds.flatMap((printerId) => {
    const camera = camerasOf(ctx).peek(printerId)
    const history = camera?.history
    const view = history && packView(history)
    return view ? [{ camera, printerId, view, learnt: history.view }] : []
  })
  if (rows.length === 0) return
  await saveViews(ctx.db, rows)
  for (const { camera, learnt } of rows) camera.kept = learnt
}

/** A printer is deleted: what its camera shows goes with it. */
export async function forgetCamera(ctx: Ctx, printerId: PrinterId): Promise<void> {
  camerasOf(ctx).delete(printerId)
  await deleteView(ctx.db, printerId).catch((error: unknown) => {
    ctx.log.error({ err: error, printerId }, 'the view of a deleted printer is still there')
  })
}
