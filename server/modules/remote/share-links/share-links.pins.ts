import type { Ctx } from '../../../ctx.ts'
import { byAddress, forgive, spendOnFailure } from '../../../http/limits.ts'
import { hashPassword, isPassword } from '../../people/accounts/index.ts'

const WINDOW_MS = 600_000
/** Wrong PINs of one link: from one address, and from everywhere. */
const WRONG_HERE = { name: 'pin-here', tries: 5, windowMs: WINDOW_MS, grows: true } as const
const WRONG = { name: 'pin', tries: 60, windowMs: WINDOW_MS }

/** As passwords are, and in turn with them: a PIN is short. */
export const hashPin = hashPassword

/**
 * True for the right PIN. Wrong ones are counted by address first, and those of everywhere keep out only who never
 * knew this PIN (`isKnown`). The right one forgets those from its address. Raises 429 when there were too many.
 */
export async function isPin(
  ctx: Ctx,
  link: { readonly id: number; readonly pinHash: string },
  { pin, address, isKnown }: { pin: string; address: string; isKnown: boolean },
): Promise<boolean> {
  const who = String(link.id)
  const here = byAddress(WRONG_HERE, address, who)
  const guards = [...here, ...(isKnown ? [] : [{ limit: WRONG, who }])]
  const right = await spendOnFailure(ctx, guards, async () =>
    (await isPassword(link.pinHash, pin)) ? true : null,
  )
  if (right === null) return false
  await forgive(ctx, here)
  return true
}
