import type { GalleryOffer } from '@vigil/contract/prints/gallery.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction, lockList } from '../../../engines/db/transaction.ts'
import { AppError } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import { writeAudit } from '../../core/events/index.ts'
import { requirePrint } from '../prints/index.ts'
import { REMOVE_COPIES } from './copies.service.ts'
import { changeEntry, countWaiting, type EntryRow, findOfPrint, putOffer } from './gallery.queries.ts'
import { filmOf, MOST_WAITING } from './gallery.rules.ts'
import { announceChange } from './shelf.ts'

const say = (key: string) => text('gallery-server', key, { most: MOST_WAITING })

type Print = Awaited<ReturnType<typeof requirePrint>>

/** How a print of the caller's stands with the gallery. Raises 404 for any other print. */
export async function readOffer(ctx: Ctx, principal: UserPrincipal, printId: number): Promise<GalleryOffer> {
  const print = await requirePrint(ctx, principal, printId, 'see')
  return await present(ctx, print, await findOfPrint(ctx.db, print.id))
}

async function present(ctx: Ctx, print: Print, entry: EntryRow | undefined): Promise<GalleryOffer> {
  const stands = entry !== undefined && entry.state !== 'withdrawn'
  const obstacle = await obstacleOf(ctx, print, entry)
  if (!stands) return { ...NONE, print_id: print.id, obstacle }
  return {
    print_id: print.id,
    state: entry.state as GalleryOffer['state'],
    creator_name: entry.creatorName,
    reason: entry.reason,
    offered_at: entry.consentedAt.toISOString(),
    public_at: entry.publicAt?.toISOString() ?? null,
    obstacle,
  }
}

const NONE = { state: 'none', creator_name: null, reason: null, offered_at: null, public_at: null } as const

async function obstacleOf(ctx: Ctx, print: Print, entry: EntryRow | undefined) {
  if (entry?.state === 'offered') return null
  if (entry !== undefined && entry.state !== 'withdrawn') return 'decided'
  if (filmOf(print) === null) return 'no_video'
  return (await countWaiting(ctx.db, print.userId)) >= MOST_WAITING ? 'too_many' : null
}

/** Offers a print, or names its creator anew while nobody has decided. Raises 400, 404, 409. */
export async function offer(
  ctx: Ctx,
  principal: UserPrincipal,
  printId: number,
  creatorName: string,
): Promise<GalleryOffer> {
  const print = await requirePrint(ctx, principal, printId, 'edit')
  const { userId } = print
  const entry = await inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx }
    await lockList(tx, 'offersOfUser', userId)
    const before = await findOfPrint(tx, print.id)
    const obstacle = await obstacleOf(inside, print, before)
    if (obstacle === 'decided') throw new AppError(409, { detail: say('decided') })
    if (obstacle !== null) throw new AppError(400, { detail: say(obstacle) })
    const consentedAt = new Date(ctx.clock.now())
    const made = await putOffer(tx, { printId: print.id, userId, state: 'offered', creatorName, consentedAt })
    if (made === undefined) throw new AppError(409, { detail: say('decided') })
    await writeAudit(inside, { ...auditOf(made, userId), action: 'gallery.offer', outcome: 'offered' })
    return made
  })
  return await present(ctx, print, entry)
}

/** Takes a print out of the gallery, whether it was shown already or not: from now on nobody gets it any more. */
export async function withdraw(ctx: Ctx, principal: UserPrincipal, printId: number): Promise<GalleryOffer> {
  const print = await requirePrint(ctx, principal, printId, 'edit')
  const before = await findOfPrint(ctx.db, print.id)
  if (before === undefined) return await present(ctx, print, undefined)
  const after = await inTransaction(ctx.db, async (tx) => {
    const gone = await changeEntry(tx, before, ['offered', 'accepted', 'public'], {
      state: 'withdrawn',
      creatorName: '',
      reason: null,
      problem: null,
      publicAt: null,
    })
    if (gone === undefined) return before
    const inside = { ...ctx, db: tx }
    await writeAudit(inside, {
      ...auditOf(gone, print.userId),
      action: 'gallery.withdraw',
      outcome: 'withdrawn',
    })
    if (gone.key !== null) await ctx.jobs.enqueue(tx, REMOVE_COPIES, { key: gone.key })
    return gone
  })
  announceChange(ctx, after.key)
  return await present(ctx, print, after)
}

/** The common part of what is written down of an entry: who did it to whose print. */
export const auditOf = ({ id, printId }: EntryRow, userId: UserId) => ({
  actor: 'user',
  userId,
  printerId: null,
  printId,
  detail: { entry: id },
})
