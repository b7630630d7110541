import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { Stream } from '../../../engines/live/stream.ts'
import { topics } from './names.ts'

type Live = Pick<Ctx, 'live'>

/** Of what is carried, on its way between two nodes at once. */
const WINDOW_BYTES = 1_048_576

/** Takes what other nodes carry to the agent on the line of this epoch, until the returned function is called. */
export async function acceptTunnels(
  { live }: Live,
  { printerId, epoch }: { printerId: PrinterId; epoch: number },
  fn: (stream: Stream, hello: string) => void,
): Promise<() => void> {
  return await Stream.accept(live, topics.tunnel(printerId, epoch), fn, { windowBytes: WINDOW_BYTES })
}

/** Opens a stream to the node that holds the line of this epoch; null when none does. */
export async function openTunnel(
  { live }: Live,
  { printerId, epoch }: { printerId: PrinterId; epoch: number },
  hello: string,
): Promise<Stream | null> {
  return await Stream.open(live, topics.tunnel(printerId, epoch), hello, { windowBytes: WINDOW_BYTES })
}
