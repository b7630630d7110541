import type { Ctx } from '../../ctx.ts'
import { inNameOf } from '../../http/principal.ts'
import { type Authorized, requirePrinter } from '../access/index.ts'
import { pauseArgs, type Refusal, sendCommand } from '../commands/index.ts'
import { acknowledge } from '../detection/index.ts'
import { type AlertLinkRow, giveBackAlertLink, useAlertLink } from '../notifications/index.ts'
import { findStanding } from './standing.queries.ts'

/** What a link can do: pause the print, say that it is no failure, say that somebody has seen the alert. */
export const ACTS = ['pause', 'fine', 'seen'] as const
export type Act = (typeof ACTS)[number]

/** What came of it. `outdated`: it was about another print or an older alert; nothing was done. */
export type Done = 'done' | 'used' | 'outdated' | Refusal

/** Does what a link is for, once, to the print and for the alert that it is of. Raises 404 when the printer is gone. */
export async function act(ctx: Ctx, link: AlertLinkRow, what: Act): Promise<Done> {
  const printer = await requirePrinter(ctx, inNameOf(link), link.printerId, 'control')
  const standing = await findStanding(ctx.db, link)
  if (standing === 'over' || (standing === 'newer' && what !== 'pause')) return 'outdated'
  return what === 'pause' ? await pause(ctx, link, printer) : await answer(ctx, link, printer, what)
}

type Controlled = Awaited<ReturnType<typeof requirePrinter<'control'>>>

async function pause(ctx: Ctx, link: AlertLinkRow, printer: Controlled): Promise<Done> {
  if (!(await useAlertLink(ctx.db, link.id, 'pausedAt', new Date(ctx.clock.now())))) return 'used'
  const sent = await sendCommand(ctx, {
    printer,
    printId: link.notice.print.id,
    cmd: 'pause',
    args: pauseArgs(printer),
    initiator: 'web',
    userId: link.userId,
  })
  if (sent.sent) return 'done'
  // It may be on its way: only what surely was not sent may be tried again.
  if (sent.reason !== 'unanswered') await giveBackAlertLink(ctx.db, link.id, 'pausedAt')
  return sent.reason
}

async function answer(
  ctx: Ctx,
  link: AlertLinkRow,
  printer: Authorized<'control'>,
  what: 'fine' | 'seen',
): Promise<Done> {
  const { kind, print } = link.notice
  const { id, alertedAt } = print
  if (!(await useAlertLink(ctx.db, link.id, 'answeredAt', new Date(ctx.clock.now())))) return 'used'
  const overwrite = what === 'fine' ? 'NOT_FAILED' : null
  if (kind === 'PrintFailure' && alertedAt !== null)
    await acknowledge(ctx, { printer, printId: id, overwrite, alertedAt })
  return 'done'
}
