import type { VerificationCode } from '@vigil/contract/printers/linking.ts'
import type { Id } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { byAddress, spendOnFailure } from '../../../http/limits.ts'
import { inNameOf, type UserPrincipal } from '../../../http/principal.ts'
import { authorizePrinters, byServer, requirePrinter } from '../../core/access/index.ts'
import { tellAccount, timeFor } from '../../people/emails/index.ts'
import { addPrinterTo, findViews, getPrinter, newAuthToken, updatePrinterRow } from '../printers/index.ts'
import {
  closeCode,
  type CodeRow,
  findCode,
  findOpenCode,
  insertCode,
  isTaken,
  lockCodes,
  lockOpenCode,
} from './linking.queries.ts'
import { printerLinked } from './linking.mails.ts'
import { CODE_LIFE_MS, householdOf, newCode } from './linking.rules.ts'

type AtEdge = Pick<Edge, 'origin' | 'prefix'>

const WINDOW_MS = 600_000
/** Failed codes: from one address, and from the whole world (docs/rules/people.md 3). */
const FAILED_HERE = { name: 'code-here', tries: 10, windowMs: WINDOW_MS }
const FAILED = { name: 'code', tries: 300, windowMs: WINDOW_MS }

async function present(
  ctx: Ctx,
  principal: UserPrincipal,
  edge: AtEdge,
  row: CodeRow,
): Promise<VerificationCode> {
  const [view] =
    row.printerId === null ? [] : await findViews(ctx.db, { principal, action: 'see' }, row.printerId)
  return {
    id: row.id,
    printer: view ? await getPrinter(ctx, { principal, edge }, view.printer.id) : null,
    code: row.code,
    expired_at: row.expiredAt.toISOString(),
    verified_at: row.verifiedAt?.toISOString() ?? null,
  }
}

/**
 * The caller's open code for a new printer, or for re-linking one of their own: asked twice, it is the same
 * code. A printer that is not theirs, archived or deleted is 404 (docs/wire/agents.md 2.1).
 */
export async function openCode(
  ctx: Ctx,
  { principal, edge, printerId }: { principal: UserPrincipal; edge: AtEdge; printerId: number | null },
): Promise<VerificationCode> {
  const now = new Date(ctx.clock.now())
  const printer = printerId === null ? null : await requirePrinter(ctx, principal, printerId, 'edit')
  const { userId } = principal
  const row = await ctx.db.transaction().execute(async (tx) => {
    await lockCodes(tx)
    const open = await findOpenCode(tx, userId, printer?.id ?? null, now)
    if (open) return open
    let code = newCode()
    while (await isTaken(tx, code, now)) code = newCode()
    const expiredAt = new Date(now.getTime() + CODE_LIFE_MS)
    return await insertCode(tx, {
      userId,
      printerId: printer?.id ?? null,
      relink: printer !== null,
      code,
      expiredAt,
    })
  })
  return await present(ctx, principal, edge, row)
}

/** One of the caller's codes, also when it has expired. */
export async function readCode(
  ctx: Ctx,
  principal: UserPrincipal,
  edge: AtEdge,
  id: number,
): Promise<VerificationCode> {
  const row = await findCode(ctx.db, principal.userId, id)
  if (row === undefined) throw notFound()
  return await present(ctx, principal, edge, row)
}

/** Topic of a code: told when an agent has handed it in. */
export const codeTopic = (codeId: Id<'verificationCodes'>) => `link:${codeId}`

/** A code that we handed to an agent ourselves is never refused for others' failures (docs/wire/agents.md 2.4). */
const handedKey = (code: string, edge: Edge) => `verify:handed:${householdOf(edge) ?? edge.address}:${code}`

/** Remembers that a poll from this household was given the code. */
export async function markHanded(ctx: Ctx, code: string, edge: Edge): Promise<void> {
  await ctx.live.put(handedKey(code, edge), '1', 120_000)
}

/**
 * An agent hands in a code: a new printer, or a new token for the printer that the code names; the old token
 * ends at once. Failures are budgeted by address and in all (docs/rules/people.md 3).
 */
export async function verify(ctx: Ctx, edge: Edge, code: string | undefined): Promise<VerificationCode> {
  if (code === undefined || code === '') throw new AppError(400, { code: ['This field is required.'] })
  const wasHanded = (await ctx.live.get(handedKey(code, edge))) !== null
  const guards = wasHanded ? [] : [...byAddress(FAILED_HERE, edge.address), { limit: FAILED, who: 'all' }]
  const linked = await spendOnFailure(ctx, guards, () => link(ctx, code, edge))
  if (linked === null) throw notFound('Invalid or expired code.')
  ctx.live.publish(codeTopic(linked.id), '')
  return await present(ctx, inNameOf(linked), edge, linked)
}

/** Links in one transaction; null when the code opens nothing. */
async function link(ctx: Ctx, code: string, edge: Edge): Promise<CodeRow | null> {
  const now = new Date(ctx.clock.now())
  const done = await ctx.db.transaction().execute(async (tx) => {
    await lockCodes(tx)
    const row = await lockOpenCode(tx, code, now)
    if (row === undefined) return null
    const inside = { ...ctx, db: tx }
    if (!row.relink) {
      const printer = await addPrinterTo(inside, { userId: row.userId, write: {} })
      await updatePrinterRow(tx, byServer(printer.id), { linkedAt: now })
      await announce(inside, row, { printer: { id: printer.id, name: null }, edge })
      return { row: await closeCode(tx, row.id, printer.id, now), relinked: null }
    }
    const ids = row.printerId === null ? [] : [row.printerId]
    const [printer] = await authorizePrinters(inside, inNameOf(row), ids, 'edit')
    if (printer === undefined) return null
    await updatePrinterRow(tx, printer, { authToken: newAuthToken(), linkedAt: now })
    const [view] = await findViews(tx, { principal: inNameOf(row), action: 'see' }, printer.id)
    await announce(inside, row, { printer: { id: printer.id, name: view?.printer.name ?? '' }, edge })
    return { row: await closeCode(tx, row.id, printer.id, now), relinked: printer.id }
  })
  if (done?.relinked != null)
    ctx.events.emit('printer.deleted', { printerId: done.relinked, why: 'relinked' })
  return done?.row ?? null
}

/** The owner hears of what speaks for their printers from now on, by mail, in the transaction that links. */
async function announce(
  inside: Ctx,
  { id, userId }: CodeRow,
  { printer, edge }: { printer: { id: number; name: string | null }; edge: Edge },
): Promise<void> {
  const at = inside.clock.now()
  const what = { address: edge.address, printerId: printer.id, name: printer.name }
  await tellAccount(inside, {
    userId,
    template: printerLinked,
    key: `linked:${id}`,
    data: (reader) => ({ ...what, email: reader.email, at: timeFor(at, reader) }),
  })
}
