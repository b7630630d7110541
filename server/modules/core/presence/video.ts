import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { Stream } from '../../../engines/live/stream.ts'
import { readAgent } from './agent.ts'
import { topics } from './names.ts'

/** Signalling of one viewer is some kilobytes; a reader who stands still costs no more than this. */
const WINDOW = { windowBytes: 262_144 }

/** Takes a stream to the node that speaks with the printer's agent; null when none does. `hello` says who comes. */
export async function openVideo(
  { live }: Pick<Ctx, 'live'>,
  printerId: PrinterId,
  hello: object,
): Promise<Stream | null> {
  const agent = await readAgent({ live }, printerId)
  // Epoch 0: the agent is waited for after a stop.
  if (agent === null || agent.epoch === 0) return null
  return await Stream.open(live, topics.video(printerId, agent.epoch), JSON.stringify(hello), WINDOW)
}

/** Calls `fn` for each viewer who comes to the line of this epoch, until the returned function is called. */
export async function acceptViewers(
  { live }: Pick<Ctx, 'live'>,
  { printerId, epoch }: { printerId: PrinterId; epoch: number },
  fn: (stream: Stream, hello: unknown) => void,
): Promise<() => void> {
  return await Stream.accept(
    live,
    topics.video(printerId, epoch),
    (stream, hello) => fn(stream, JSON.parse(hello)),
    WINDOW,
  )
}
