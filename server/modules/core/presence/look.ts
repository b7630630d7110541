import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { keys } from './names.ts'

/** True at most once in `everyMs`, whichever node asks: the detector is to look at this printer now. */
export async function takeLook(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
  everyMs: number,
): Promise<boolean> {
  return await live.turn(keys.look(printerId), everyMs)
}

/** The next picture is looked at, whenever the last one was. */
export async function forgetLook({ live }: Pick<Ctx, 'live'>, printerId: PrinterId): Promise<void> {
  await live.put(keys.look(printerId), null, 0)
}
