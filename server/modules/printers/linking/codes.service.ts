import type { VerificationCode } from '@vigil/contract/printers/linking.ts'
import type { Id, PrinterId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { byAddress, spendOnFailure } from '../../../http/limits.ts'
import { inNameOf, type UserPrincipal } from '../../../http/principal.ts'
import { authorizePrinters, byServer, requirePrinter } from '../../core/access/index.ts'
import { writeAudit } from '../../core/events/index.ts'
import { userById } from '../../people/accounts/index.ts'
import { requireRule, ruledBy } from '../../people/household/index.ts'
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
const FAILED_HERE = { name: 'code-here', tries: 10, windowMs: WINDOW_MS, grows: true } as const
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

interface Wish {
  readonly principal: UserPrincipal
  readonly edge: AtEdge
  readonly printerId: number | null
  /** Whose a new printer becomes; null: the caller's. */
  readonly account: number | null
}

/**
 * The caller's open code for a new printer, or for re-linking one that they may change: asked twice, it is the same
 * code. Another printer, an archived or deleted one is 404 (docs/wire/agents.md 2.1), as is an account whose household they do not run.
 */
export async function openCode(
  ctx: Ctx,
  { principal, edge, printerId, account }: Wish,
): Promise<VerificationCode> {
  const now = new Date(ctx.clock.now())
  const printer = printerId === null ? null : await requirePrinter(ctx, principal, printerId, 'edit')
  const { userId } = principal
  const isOther = printer === null && account !== null && account !== userId
  const accountId = isOther ? (await requireRule(ctx, principal, account)).id : null
  const purpose = { userId, printerId: printer?.id ?? null, accountId }
  const row = await ctx.db.transaction().execute(async (tx) => {
    await lockCodes(tx)
    const open = await findOpenCode(tx, purpose, now)
    if (open) return open
    let code = newCode()
    while (await isTaken(tx, code, now)) code = newCode()
    const expiredAt = new Date(now.getTime() + CODE_LIFE_MS)
    return await insertCode(tx, { ...purpose, relink: printer !== null, code, expiredAt })
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
  ctx.live.publish(codeTopic(linked.row.id), '')
  // The agent is told the token, which its owner alone may hold, whoever has asked for the code.
  return await present(ctx, inNameOf({ userId: linked.ownerId }), edge, linked.row)
}

interface Linked {
  readonly row: CodeRow
  /** Whose printer it is. */
  readonly ownerId: UserId
}

/** Links in one transaction; null when the code opens nothing. */
async function link(ctx: Ctx, code: string, edge: Edge): Promise<Linked | null> {
  const now = new Date(ctx.clock.now())
  const done = await ctx.db.transaction().execute(async (tx) => {
    await lockCodes(tx)
    const row = await lockOpenCode(tx, code, now)
    if (row === undefined) return null
    const inside = { ...ctx, db: tx }
    // Whoever was shut out since gets no agent's token of others.
    if (!(await userById(inside, row.userId))?.isActive) return null
    const found = row.relink ? await linkAgain(inside, row, now) : await linkNew(inside, row, now)
    if (found === null) return null
    await announce(inside, row, found, edge)
    return { row: await closeCode(tx, row.id, found.id, now), found }
  })
  if (done === null) return null
  const { row, found } = done
  if (found.name !== null) ctx.events.emit('printer.deleted', { printerId: found.id, why: 'relinked' })
  return { row, ownerId: found.ownerId }
}

interface Found {
  readonly id: PrinterId
  readonly ownerId: UserId
  /** Of one that was linked before. */
  readonly name: string | null
}

/** A printer of the code's user, or of the account that they run still. */
async function linkNew(inside: Ctx, row: CodeRow, now: Date): Promise<Found | null> {
  const { userId, accountId } = row
  const ownerId = accountId === null ? userId : await ruledBy(inside, inNameOf(row), accountId)
  if (ownerId === null) return null
  const { id } = await addPrinterTo(inside, { userId: ownerId, write: {} })
  await updatePrinterRow(inside.db, byServer(id), { linkedAt: now })
  return { id, ownerId, name: null }
}

/** Another agent speaks for a printer that the code's user may change still. */
async function linkAgain(inside: Ctx, row: CodeRow, now: Date): Promise<Found | null> {
  const ids = row.printerId === null ? [] : [row.printerId]
  const [printer] = await authorizePrinters(inside, inNameOf(row), ids, 'edit')
  if (printer === undefined) return null
  await updatePrinterRow(inside.db, printer, { authToken: newAuthToken(), linkedAt: now })
  return { id: printer.id, ownerId: printer.userId, name: printer.name }
}

/** The owner hears of what speaks for their printers from now on, by mail, and the log who did it, in the transaction that links. */
async function announce(
  inside: Ctx,
  { id, userId }: CodeRow,
  { ownerId, ...printer }: Found,
  edge: Edge,
): Promise<void> {
  const at = inside.clock.now()
  const what = { address: edge.address, printerId: printer.id, name: printer.name }
  const action = printer.name === null ? 'printer.linked' : 'printer.relinked'
  await writeAudit(inside, {
    actor: 'web',
    userId,
    printerId: printer.id,
    action,
  })
  await tellAccount(inside, {
    userId: ownerId,
    template: printerLinked,
    key: `linked:${id}`,
    data: (reader) => ({ ...what, email: reader.email, at: timeFor(at, reader) }),
  })
}
