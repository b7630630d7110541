import { MOST_ENTRIES } from '@vigil/contract/files/queue.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Db } from '../../../engines/db/port.ts'
import { AppError, invalid, notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { requirePrinter } from '../../core/access/index.ts'
import {
  deleteEntry,
  endDone,
  findPrintable,
  insertEntry,
  lastPlace,
  updateEntry,
} from '../queue-plan/entries.queries.ts'
import {
  type EntryRow,
  findOpen,
  lockQueue,
  placeEntries,
  raiseVersion,
} from '../queue-plan/queue.queries.ts'
import { lookSoon } from '../queue-start/next.service.ts'

const say = (key: string, params: Record<string, number> = {}) => text('queue-server', key, params)

type Changing = Ctx & { readonly version: number }

/** One change of an account's queue at a time; then it is looked what starts next. */
async function change<T>(ctx: Ctx, userId: UserId, work: (inside: Changing) => Promise<T>): Promise<T> {
  return await ctx.db.transaction().execute(async (tx) => {
    const version = await lockQueue(tx, userId)
    const inside = { ...ctx, db: tx, version }
    const done = await work(inside)
    await lookSoon(inside, userId)
    return done
  })
}

/** Raises 400 unless the printer is the caller's to print on. */
async function requireOwn(db: Db, principal: UserPrincipal, printerId: number | null) {
  if (printerId === null) return null
  const { id } = await requirePrinter({ db }, principal, printerId, 'control', { isOwn: true }).catch(
    (error: unknown) => {
      if (error instanceof AppError) throw invalid({ printer_id: say('noPrinter') })
      throw error
    },
  )
  return id
}

async function oneOpen(db: Db, userId: UserId, id: number): Promise<EntryRow> {
  const entry = (await findOpen(db, userId)).find((one) => one.id === id)
  if (entry === undefined) throw notFound()
  return entry
}

export interface Wish {
  readonly g_code_file_id: number
  readonly printer_id: number | null
  readonly copies: number
  readonly on_hold: boolean
  readonly fits_anyway: boolean
}

/** Puts a file at the end. Raises 400 for one that is not there, for a printer of somebody else, and when the queue is full. */
export async function addEntry(ctx: Ctx, principal: UserPrincipal, wish: Wish): Promise<void> {
  const { userId } = principal
  await change(ctx, userId, async ({ db }) => {
    const printerId = await requireOwn(db, principal, wish.printer_id)
    const file = await findPrintable(db, userId, wish.g_code_file_id)
    if (file === undefined) throw invalid({ g_code_file_id: say('noFile') })
    const last = await lastPlace(db, userId)
    if (last.count >= MOST_ENTRIES) throw invalid({ non_field_errors: say('full', { most: MOST_ENTRIES }) })
    await insertEntry(db, {
      userId,
      gCodeFileId: file.id,
      printerId,
      copies: wish.copies,
      onHold: wish.on_hold,
      fitsAnyway: wish.fits_anyway,
      place: last.place + 1,
      createdAt: new Date(ctx.clock.now()),
    })
  })
}

/** Changes what has not been started. Raises 404 for what is not in the queue, and 400 for fewer copies than were begun. */
export async function changeEntry(
  ctx: Ctx,
  principal: UserPrincipal,
  id: number,
  wish: { [K in 'printer_id' | 'copies' | 'on_hold' | 'fits_anyway']?: Wish[K] | undefined },
): Promise<void> {
  const { userId } = principal
  await change(ctx, userId, async ({ db }) => {
    const entry = await oneOpen(db, userId, id)
    const wished = wish.printer_id === undefined ? entry.printerId : wish.printer_id
    const isOther = wished !== entry.printerId
    const printerId = isOther ? await requireOwn(db, principal, wished) : entry.printerId
    const copies = wish.copies ?? entry.copies
    if (copies < entry.begun) throw invalid({ copies: say('begun', { count: entry.begun }) })
    // What was said of one printer is not said of another.
    const fitsAnyway = wish.fits_anyway ?? (entry.fitsAnyway && !isOther)
    await updateEntry(db, entry.id, { printerId, copies, fitsAnyway, onHold: wish.on_hold ?? entry.onHold })
  })
}

/** Takes out what has not been started; a print that runs goes on. Raises 404. */
export async function removeEntry(ctx: Ctx, userId: UserId, id: number): Promise<void> {
  await change(ctx, userId, async ({ db }) => {
    const entry = await oneOpen(db, userId, id)
    if (entry.begun === 0) return await deleteEntry(db, entry.id)
    await updateEntry(db, entry.id, { copies: entry.begun })
    await endDone(db, userId, new Date(ctx.clock.now()))
  })
}

/** Moves an entry behind another, or to the front. Raises 404, and 409 when the order is another than the caller has seen. */
export async function moveEntry(
  ctx: Ctx,
  userId: UserId,
  entryId: number,
  { after, version }: { readonly after: number | null; readonly version: number },
): Promise<void> {
  await change(ctx, userId, async (inside) => {
    const { id } = await oneOpen(inside.db, userId, entryId)
    const ids = (await findOpen(inside.db, userId)).map((entry) => entry.id)
    const order = moved(ids, id, after)
    if (order === null || version !== inside.version) throw new AppError(409, { detail: say('otherOrder') })
    await placeEntries(inside.db, userId, order)
    await raiseVersion(inside.db, userId)
  })
}

/** A list with `one` behind `after`, or at its front; null when one of them is not in it. */
export function moved<T>(list: readonly T[], one: T, after: T | null): T[] | null {
  if (!list.includes(one) || one === after) return null
  const rest = list.filter((other) => other !== one)
  const at = after === null ? 0 : rest.indexOf(after) + 1
  if (after !== null && at === 0) return null
  return [...rest.slice(0, at), one, ...rest.slice(at)]
}
