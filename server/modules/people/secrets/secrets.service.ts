import type { Ctx } from '../../../ctx.ts'
import { changeKeyring, currentKey, type Key, rootKey } from '../../../lib/keyring.ts'
import { seal, unseal } from '../../../lib/sealing.ts'
import { newToken } from '../../../lib/signing.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { sealAnew } from '../factors/factors.service.ts'
import { findKeyring, lockKeyring, saveKeyring } from './secrets.queries.ts'
import { kept, type Kept, newestOf, ringOf, type Told, toldOf, withKey } from './secrets.rules.ts'

const CHANGED = 'keyring:changed'
const PURPOSE = 'keyring'
/** A node that missed the word follows so much later, and a key that comes signs so much later at most. */
export const LOOK_MS = 10_000

/** Reads the keys, and has them count on this node; once a new one signs, one node seals anew what the others have sealed. */
async function load(ctx: Ctx): Promise<void> {
  const held = kept.parse((await findKeyring(ctx.db)) ?? {})
  const root = rootKey(ctx.config)
  const open = openWith(ctx, root)
  changeKeyring(ctx.config, ringOf(held, open, root, ctx.clock.now()))
  if (currentKey(ctx.config).number <= held.sealedBy) return
  await ctx.db.transaction().execute(async (db) => {
    const now = kept.parse(await lockKeyring(db))
    const { number: sealedBy } = currentKey(ctx.config)
    if (sealedBy <= now.sealedBy) return
    await sealAnew({ ...ctx, db })
    await saveKeyring(db, JSON.stringify({ ...now, sealedBy }))
  })
}

const openWith =
  (ctx: Ctx, root: Key) =>
  ({ number, sealed }: Kept['keys'][number]): Key | null => {
    if (sealed === null) return root
    try {
      return { number, secret: unseal([root.secret], PURPOSE, sealed) }
    } catch {
      ctx.log.error({ number }, 'a key cannot be opened: VIGIL_SECRET is another than the one that sealed it')
      return null
    }
  }

/** Follows the keys, until the returned function is called. */
export async function followSecrets(ctx: Ctx): Promise<() => void> {
  const stop = await ctx.live.subscribe(CHANGED, () => {
    load(ctx).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'the keys were changed, and could not be read'),
    )
  })
  const stopLooking = everyTick(ctx, LOOK_MS, () => load(ctx))
  await load(ctx)
  return () => {
    stopLooking()
    stop()
  }
}

type Needs = Pick<Ctx, 'db' | 'clock'>

/** The keys that there are, without what they are. */
export const showSecrets = async ({ db, clock }: Needs): Promise<Told[]> =>
  toldOf(kept.parse((await findKeyring(db)) ?? {}), clock.now())

/**
 * Makes a new key. All nodes know it within ten seconds and sign with it after thirty; what those before it have signed counts for
 * `overlapMs` from then on. Null: one that was made just now does not sign yet.
 */
export async function rotateSecrets(
  ctx: Pick<Ctx, 'db' | 'clock' | 'config' | 'live'>,
  overlapMs: number,
): Promise<Told[] | null> {
  const now = ctx.clock.now()
  const isMade = await ctx.db.transaction().execute(async (db) => {
    const before = kept.parse((await lockKeyring(db)) ?? {})
    if (newestOf(before).from > now) return false
    const sealed = seal(rootKey(ctx.config).secret, PURPOSE, newToken())
    await saveKeyring(db, JSON.stringify(withKey(before, { sealed, now, overlapMs })))
    return true
  })
  if (!isMade) return null
  ctx.live.publish(CHANGED, '')
  return await showSecrets(ctx)
}
