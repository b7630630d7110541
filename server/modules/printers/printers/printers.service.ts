import type { CommandResult, Printer, PrinterWrite } from '@vigil/contract/printers/printers.ts'
import type { PrinterId, UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { actorOf } from '../../../http/acting.ts'
import type { Db } from '../../../engines/db/port.ts'
import { inTransaction, lockList } from '../../../engines/db/transaction.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { inNameOf, type UserPrincipal } from '../../../http/principal.ts'
import { type Language, type Text, text } from '../../../http/texts.ts'
import type { Refusal } from '../../core/commands/index.ts'
import { mute, pushShouldWatch } from '../../watch/detection/index.ts'
import { readPresence, tell } from '../../core/presence/index.ts'
import type { PrinterRow } from '../../watch/printer-base/index.ts'
import * as prints from '../../prints/prints/index.ts'
import { userById } from '../../people/accounts/index.ts'
import { printerAllowance } from '../../shop/subscriptions/index.ts'
import { type PrinterAction, type PrinterScope, requirePrinter } from '../../core/access/index.ts'
import { answer, order } from './orders.service.ts'
import { auditAlert, auditPrinter } from './audit.service.ts'
import { presentPrinter } from '../rows/printers.present.ts'
import {
  findNames,
  findViews,
  insertPrinter,
  type PrinterView,
  updatePrinterRow,
} from '../rows/printers.queries.ts'
import { columnsOf, newAuthToken } from '../rows/printers.rules.ts'

/** Who asks, how they reached us, and whether archived printers count. */
export interface Asker {
  readonly principal: UserPrincipal
  readonly edge: Pick<Edge, 'origin' | 'prefix'>
  readonly withArchived?: boolean
  /** In which a refused command is told; English when not given. */
  readonly language?: Language
}

/** A view that its owner may do `action` to; raises 404 for anything else. */
export async function viewFor(ctx: Ctx, scope: PrinterScope, printerId: number): Promise<PrinterView> {
  const [view] = await findViews(ctx.db, scope, printerId)
  if (view === undefined) throw notFound()
  return view
}

/** What the caller may do this to; raises 404 for anything else. */
const allowed = <A extends PrinterAction>(
  ctx: Ctx,
  { principal, withArchived = false }: Asker,
  id: number,
  action: A,
) => requirePrinter(ctx, principal, id, action, { withArchived })

const scopeOf = ({ principal, withArchived }: Asker, action: PrinterAction): PrinterScope => ({
  principal,
  action,
  withArchived: withArchived ?? false,
})

async function present(ctx: Ctx, asker: Asker, view: PrinterView): Promise<Printer> {
  return presentPrinter(ctx, view, await readPresence(ctx, view.printer.id), asker.edge)
}

/** One printer of the caller. */
export async function getPrinter(ctx: Ctx, asker: Asker, printerId: number): Promise<Printer> {
  return await present(ctx, asker, await viewFor(ctx, scopeOf(asker, 'see'), printerId))
}

/**
 * Raises 403 when the account has as many printers in use as its plan allows. Held until the transaction ends, so that two at
 * once do not both find room.
 */
async function requireRoom(ctx: Ctx, userId: UserId): Promise<void> {
  const user = await userById(ctx, userId)
  const allowed = user ? await printerAllowance(ctx, user) : 0
  if (allowed === Infinity) return
  await lockList(ctx.db, 'printersOfUser', userId)
  const own = await findViews(ctx.db, { principal: inNameOf({ userId }), action: 'see', isOwn: true })
  if (own.length < allowed) return
  const error = 'Your plan does not allow more printers.'
  throw new AppError(403, { detail: error, error, reason: 'plan_limit' })
}

const DEFAULT_NAME = 'My Awesome Printer'

/** A name that none of the owner's printers has, archived ones included. */
async function freeName(db: Db, userId: UserId): Promise<string> {
  await lockList(db, 'printersOfUser', userId)
  const taken = new Set(await findNames(db, userId))
  for (let i = 1; ; i++) {
    const name = i === 1 ? DEFAULT_NAME : `${DEFAULT_NAME} ${i}`
    if (!taken.has(name)) return name
  }
}

/** Adds a printer to an account; raises 403 beyond the plan's number. */
export async function addPrinter(
  ctx: Ctx,
  { userId, write }: { userId: UserId; write: Partial<PrinterWrite> },
): Promise<PrinterRow> {
  return await inTransaction(ctx.db, async (tx) => {
    await requireRoom({ ...ctx, db: tx }, userId)
    const columns = columnsOf(write)
    return await insertPrinter(tx, {
      ...columns,
      name: write.name ?? (await freeName(tx, userId)),
      userId,
      authToken: newAuthToken(),
    })
  })
}

/** Adds a printer for an app without an agent, and shows it. */
export async function createPrinter(ctx: Ctx, asker: Asker, write: Partial<PrinterWrite>): Promise<Printer> {
  const { id } = await addPrinter(ctx, { userId: asker.principal.userId, write })
  return await getPrinter(ctx, asker, id)
}

/** Changes what an owner may write; the agent and the browsers hear of it (docs/wire/rest.md 6). */
export async function updatePrinter(
  ctx: Ctx,
  asker: Asker,
  printerId: number,
  write: Partial<PrinterWrite>,
): Promise<Printer> {
  const printer = await allowed(ctx, asker, printerId, 'edit')
  const columns = columnsOf(write)
  if (Object.keys(columns).length > 0) {
    await updatePrinterRow(ctx.db, printer, columns)
    await auditPrinter(ctx, asker, printer.id, 'changed', { fields: Object.keys(columns) })
    if (write.watching_enabled !== undefined) await pushShouldWatch(ctx, printer.id)
    tell(ctx, printer.id, 'changed')
  }
  return await getPrinter(ctx, asker, printerId)
}

/** Deletes or archives: its agent is disconnected at once, its browsers are told (docs/wire/rest.md 2). */
export async function removePrinter(
  ctx: Ctx,
  asker: Asker,
  printerId: number,
  why: 'deleted' | 'archived',
): Promise<void> {
  const printer = await allowed(ctx, asker, printerId, 'edit')
  const now = new Date(ctx.clock.now())
  await updatePrinterRow(ctx.db, printer, why === 'deleted' ? { deletedAt: now } : { archivedAt: now })
  await auditPrinter(ctx, asker, printer.id, why)
  ctx.events.emit('printer.deleted', { printerId: printer.id, why })
  tell(ctx, printer.id, 'gone')
}

/** Takes a printer out of the archive: its agent's token works again. Raises 403 beyond the plan's number. */
export async function unarchivePrinter(ctx: Ctx, asker: Asker, printerId: number): Promise<void> {
  const { principal } = asker
  const { id } = await ctx.db.transaction().execute(async (tx) => {
    const printer = await requirePrinter({ db: tx }, principal, printerId, 'edit', { withArchived: true })
    if (printer.archivedAt === null) return printer
    await requireRoom({ ...ctx, db: tx }, printer.userId)
    await updatePrinterRow(tx, printer, { archivedAt: null })
    await auditPrinter({ ...ctx, db: tx }, asker, printer.id, 'unarchived')
    return printer
  })
  tell(ctx, id, 'changed')
}

const say = (reason: Refusal | 'no_print') => text('commands-server', reason)

/** The printer that is meant, and the print, when the caller says which: a page may be behind. */
export interface Meant {
  readonly id: number
  readonly print_id?: number | undefined
  /** What is said of an open alert by it. */
  readonly alert_overwrite?: 'FAILED' | 'NOT_FAILED' | undefined
}

const isOther = ({ print_id }: Meant, print: { id: number }) =>
  print_id !== undefined && print_id !== print.id

async function result(
  ctx: Ctx,
  asker: Asker,
  printerId: number,
  refusal: Text | null,
): Promise<CommandResult> {
  const printer = await getPrinter(ctx, asker, printerId)
  if (refusal === null) return { succeeded: true, printer }
  return { succeeded: false, detail: refusal.in(asker.language ?? 'en'), printer }
}

/**
 * Pause, resume or cancel of the current print: succeeded only when it was written to a live agent
 * (docs/rules/prints.md 2). Resume and cancel answer an open alert (docs/rules/watch.md 5).
 */
export async function command(
  ctx: Ctx,
  asker: Asker,
  meant: Meant,
  cmd: 'pause' | 'resume' | 'cancel',
): Promise<CommandResult> {
  const printer = await allowed(ctx, asker, meant.id, 'control')
  const printerId = printer.id
  const print = await prints.findCurrentPrint(ctx.db, printerId)
  if (print === null) return await result(ctx, asker, printerId, say('no_print'))
  if (isOther(meant, print)) return await result(ctx, asker, printerId, say('other_print'))
  const overwrite = meant.alert_overwrite
  const told = await order(ctx, { printer, printId: print.id, cmd, overwrite, ...namesOf(asker) })
  return await result(ctx, asker, printerId, told === 'sent' ? null : say(told))
}

const namesOf = ({ principal }: Asker) =>
  ({ initiator: principal.via === 'session' ? 'web' : 'api', userId: actorOf(principal) }) as const

/** Mutes or un-mutes failure detection for the current print. */
export async function muteCurrentPrint(
  ctx: Ctx,
  asker: Asker,
  meant: Meant,
  muted: boolean,
): Promise<CommandResult> {
  const printer = await allowed(ctx, asker, meant.id, 'control')
  const printerId = printer.id
  const print = await prints.findCurrentPrint(ctx.db, printerId)
  if (print !== null && isOther(meant, print)) return await result(ctx, asker, printerId, say('other_print'))
  const done = print !== null && (await mute(ctx, { printer, printId: print.id, muted }))
  if (done) await auditAlert(ctx, asker, { printerId, printId: print.id }, muted ? 'muted' : 'unmuted')
  return await result(ctx, asker, printerId, done ? null : say('no_print'))
}

/**
 * Answers an alert as a failure, as none (a print that we have paused for it goes on), or as seen; 404 when not printing
 * (docs/wire/rest.md 6).
 */
export async function acknowledgeAlert(
  ctx: Ctx,
  asker: Asker,
  meant: Meant,
  overwrite: 'FAILED' | 'NOT_FAILED' | null,
): Promise<CommandResult> {
  const printer = await allowed(ctx, asker, meant.id, 'control')
  const printerId = printer.id
  const print = await prints.findCurrentPrint(ctx.db, printerId)
  if (print === null) throw notFound('Not currently printing.')
  if (isOther(meant, print)) return await result(ctx, asker, printerId, say('other_print'))
  const told = await answer(ctx, { printer, printId: print.id, overwrite, ...namesOf(asker) })
  const said = overwrite === null ? 'seen' : overwrite.toLowerCase()
  await auditAlert(ctx, asker, { printerId, printId: print.id }, said)
  return await result(ctx, asker, printerId, told === 'answered' || told === 'resumed' ? null : say(told))
}

/** An app says that a print has begun; one that still runs counts as finished (docs/wire/rest.md 6). */
export async function startPrint(
  ctx: Ctx,
  asker: Asker,
  printerId: number,
  filename: string,
): Promise<CommandResult> {
  const printer = await allowed(ctx, asker, printerId, 'control')
  await prints.startPrint(ctx, printer, filename)
  await tellOfPrint(ctx, printer.id)
  return await result(ctx, asker, printerId, null)
}

/** An app says that the print has ended; 404 when not printing. */
export async function finishPrint(
  ctx: Ctx,
  asker: Asker,
  printerId: number,
  outcome: 'finished' | 'cancelled',
): Promise<CommandResult> {
  const printer = await allowed(ctx, asker, printerId, 'control')
  if (!(await prints.finishPrint(ctx, printer, outcome))) throw notFound('Not currently printing.')
  await tellOfPrint(ctx, printer.id)
  return await result(ctx, asker, printerId, null)
}

async function tellOfPrint(ctx: Ctx, printerId: PrinterId): Promise<void> {
  tell(ctx, printerId, 'changed')
  await pushShouldWatch(ctx, printerId)
}
