import { hash, verify } from '@node-rs/argon2'
import type { Ctx } from '../../ctx.ts'
import { throttled } from '../../http/errors.ts'
import { clientOf } from './sharing.rules.ts'

const WINDOW_MS = 600_000
/** Wrong PINs in ten minutes: for one link from one address, and for one link from everywhere. */
const TRIES_PER_ADDRESS = 5
const TRIES_PER_LINK = 60

/** argon2id with the library's parameters (19 MiB, 2 passes): a PIN is short. */
export const hashPin = (pin: string) => hash(pin)

/**
 * True for the right PIN. A try is counted before it is checked, so that many at once cannot outrun the count; the
 * right one clears its address's. Raises 429 when there were too many.
 */
export async function isPin(
  ctx: Ctx,
  link: { readonly id: number; readonly pinHash: string },
  { pin, address }: { pin: string; address: string },
): Promise<boolean> {
  const end = (Math.floor(ctx.clock.now() / WINDOW_MS) + 1) * WINDOW_MS
  const leftMs = end - ctx.clock.now()
  const everyones = `share:pin:${link.id}:${end}`
  const own = `${everyones}:${clientOf(address)}`
  if ((await ctx.live.incr(own, leftMs)) > TRIES_PER_ADDRESS) throw throttled(leftMs / 1000)
  if ((await ctx.live.incr(everyones, leftMs)) > TRIES_PER_LINK) throw throttled(leftMs / 1000)
  const matches = await verify(link.pinHash, pin)
  if (matches) await ctx.live.put(own, null, 0)
  return matches
}
