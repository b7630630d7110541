import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import type { Turn } from '../../../engines/programs/ffmpeg.ts'
import type { PrintId, UserId } from '../../../lib/id.ts'
import { turned } from './films.service.ts'
import type { Scene } from './scenes.rules.ts'
import { type EndedPrint, insertShot } from './timelapse.queries.ts'

/** A frame that was looked at. */
interface Scored {
  readonly at: Date
  /** Of the picture alone, 0 to 1. */
  readonly p: number
}

/** A frame that scores no more is none to ask about (docs/rules/watch.md 3). */
const CANDIDATE_ABOVE = 0.38 * 0.2
const MOST = 7
const APART_MS = 120_000

/**
 * The frames that an owner is asked about: the highest scores, none within two minutes of another, seven at most, in the
 * order of time.
 */
export function chooseShots<F extends Scored>(frames: readonly F[]): F[] {
  const chosen: F[] = []
  const byScore = frames.filter(({ p }) => p > CANDIDATE_ABOVE).toSorted((a, b) => b.p - a.p)
  for (const frame of byScore) {
    if (chosen.length === MOST) break
    const isApart = ({ at }: F) => Math.abs(at.getTime() - frame.at.getTime()) >= APART_MS
    if (chosen.every(isApart)) chosen.push(frame)
  }
  return chosen.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/**
 * Keeps the pictures that the owner is asked about: copies, as they are meant to be seen, which outlive the frames.
 * Made again, they are the same, and answers stay.
 */
export async function keepShots(
  ctx: Ctx,
  { id: printId, userId }: Pick<EndedPrint, 'id' | 'userId'>,
  turn: Turn,
  scenes: readonly Scene[],
): Promise<void> {
  const looked = scenes.flatMap((scene) => {
    const { look } = scene
    return look === null || look.blind !== null ? [] : [{ scene, at: scene.frame.at, p: look.state.currentP }]
  })
  for (const { scene, at, p } of chooseShots(looked)) {
    const picture = await turned(ctx, scene, turn)
    if (picture === null) continue
    const image: MediaRef = {
      container: 'tsd-pics',
      path: `${shotsFolderOf(userId, printId)}/${(at.getTime() / 1000).toFixed(3)}.jpg`,
    }
    await ctx.files.put(image, picture)
    await insertShot(ctx.db, { printId, image: JSON.stringify(image), takenAt: at, score: p })
  }
}

/** Where the pictures lie that an owner is asked about. */
export const shotsFolderOf = (userId: UserId, printId: PrintId): string =>
  `ff_printshots/${userId}/${printId}`
