import type { Ctx } from '../../../ctx.ts'
import { inNameOf } from '../../../http/principal.ts'
import { requirePrinter } from '../../core/access/index.ts'
import type { Refusal } from '../../core/commands/index.ts'
import { type AlertLinkRow, giveBackAlertLink, useAlertLink } from '../../tell/notifications/index.ts'
import { answer, order } from '../printers/index.ts'
import { findStanding } from './standing.queries.ts'

/** What a link can do: pause the print, say that it is no failure, say that somebody has seen the alert. */
export const ACTS = ['pause', 'fine', 'seen'] as const
export type Act = (typeof ACTS)[number]

/** What came of it. `resumed`: so it was, as we had paused it; `outdated`: it was about another print or an older alert, nothing was done. */
export type Done = 'done' | 'resumed' | 'used' | 'outdated' | Refusal

/** Does what a link is for, once, to the print and for the alert that it is of. Raises 404 when the printer is gone. */
export async function act(ctx: Ctx, link: AlertLinkRow, what: Act): Promise<Done> {
  const printer = await requirePrinter(ctx, inNameOf(link), link.printerId, 'control')
  const standing = await findStanding(ctx.db, link)
  if (standing === 'over' || (standing === 'newer' && what !== 'pause')) return 'outdated'
  // Of several prints none is meant.
  if (link.notice.others !== undefined && what !== 'seen') return 'outdated'
  return what === 'pause' ? await pause(ctx, link, printer) : await answerOnce(ctx, link, printer, what)
}

type Controlled = Awaited<ReturnType<typeof requirePrinter<'control'>>>

async function pause(ctx: Ctx, link: AlertLinkRow, printer: Controlled): Promise<Done> {
  if (!(await useAlertLink(ctx.db, link.id, 'pausedAt', new Date(ctx.clock.now())))) return 'used'
  const told = await order(ctx, { ...orderOf(link, printer), cmd: 'pause' })
  if (told === 'sent') return 'done'
  await giveBack(ctx, link, 'pausedAt', told)
  return told
}

const orderOf = ({ notice, userId }: AlertLinkRow, printer: Controlled) =>
  ({ printer, printId: notice.print.id, initiator: 'web', userId }) as const

/** It may be on its way: only what surely was not sent may be tried again. */
async function giveBack(
  ctx: Ctx,
  { id }: AlertLinkRow,
  used: 'pausedAt' | 'answeredAt',
  why: Refusal,
): Promise<void> {
  if (why !== 'unanswered') await giveBackAlertLink(ctx.db, id, used)
}

async function answerOnce(
  ctx: Ctx,
  link: AlertLinkRow,
  printer: Controlled,
  what: 'fine' | 'seen',
): Promise<Done> {
  const { kind, print } = link.notice
  const { alertedAt } = print
  if (!(await useAlertLink(ctx.db, link.id, 'answeredAt', new Date(ctx.clock.now())))) return 'used'
  if (kind !== 'PrintFailure' || alertedAt === null) return 'done'
  const overwrite = what === 'fine' ? 'NOT_FAILED' : null
  const told = await answer(ctx, { ...orderOf(link, printer), overwrite, alertedAt })
  if (told === 'answered') return 'done'
  if (told !== 'resumed') await giveBack(ctx, link, 'answeredAt', told)
  return told
}
