import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../ctx.ts'
import type { MediaRef } from '../../engines/files/port.ts'
import { notFound } from '../../http/errors.ts'
import { isFirst } from '../../http/limits.ts'
import type { PrinterPrincipal } from '../../http/principal.ts'
import { topics } from '../presence/index.ts'
import { cleanPicture } from '../detection/index.ts'
import { type EventClass, type EventType, writeEvent } from '../events/index.ts'
import { findCurrentPrint } from '../prints/index.ts'
import { type AgentPrinter, findAgentPrinter, renamePrinter } from './agents.queries.ts'
import { plainText, webAddress } from './agents.rules.ts'
import {
  type FileRow,
  findBySignature,
  findReachableFile,
  insertFile,
  lockPrinterRow,
  updateFile,
} from './files.queries.ts'

const TOLD_EVERY_MS = 3_600_000

/** The agent's printer; raises 404 when it has just been deleted. */
export async function agentPrinterOf(ctx: Ctx, printerId: number): Promise<AgentPrinter> {
  const printer = await findAgentPrinter(ctx.db, printerId)
  if (printer === undefined) throw notFound()
  return printer
}

/** The agent's wizard names the printer (docs/wire/agents.md 3.1). */
export async function rename(ctx: Ctx, printerId: number, name: string | undefined): Promise<AgentPrinter> {
  if (name !== undefined) {
    await renamePrinter(ctx.db, printerId, name)
    ctx.live.publish(topics.news(printerId), '{"kind":"changed"}')
  }
  return await agentPrinterOf(ctx, printerId)
}

/** What an agent posts about its printer. */
export interface AgentEvent {
  readonly type: EventType
  readonly class: EventClass
  readonly title: string
  readonly text: string
  readonly infoUrl: string | undefined
  readonly picture: Buffer | null
}

/** Writes an agent's event for the current print, if any (docs/wire/agents.md 3.3). */
export async function takeEvent(
  ctx: Ctx,
  { printerId, userId }: PrinterPrincipal,
  event: AgentEvent,
): Promise<void> {
  const image = event.picture && (await storeSnapshot(ctx, printerId, event.picture))
  const print = await findCurrentPrint(ctx.db, printerId)
  const params = { printer: (await agentPrinterOf(ctx, printerId)).name, file: print?.filename ?? '' }
  const isFilament = event.type === 'FILAMENT_CHANGE'
  await ctx.db.transaction().execute((tx) =>
    writeEvent(
      { ...ctx, db: tx },
      {
        userId,
        printerId,
        printId: print?.id ?? null,
        type: event.type,
        class: event.class,
        code: isFilament ? 'filament_change' : null,
        params,
        image,
        infoUrl: webAddress(event.infoUrl),
        title: plainText(event.title),
        text: plainText(event.text),
      },
    ),
  )
}

async function storeSnapshot(ctx: Ctx, printerId: number, bytes: Buffer): Promise<MediaRef> {
  const picture = await cleanPicture(bytes)
  const name = `${ctx.clock.now()}-${randomBytes(4).toString('hex')}.jpg`
  const ref: MediaRef = { container: 'tsd-pics', path: `snapshots/${printerId}/${name}` }
  await ctx.files.put(ref, picture.bytes)
  return ref
}

/** What an agent says of a file. */
export interface FileClaim {
  readonly filename: string
  readonly safe_filename: string
  readonly num_bytes?: number | undefined
  readonly agent_signature?: string | undefined
  readonly url?: string | undefined
}

/**
 * The record of a file that is about to be printed: the one with this signature and name in the cloud or on this
 * printer, or a new one that lives on the printer (docs/wire/agents.md 3.4).
 */
export async function upsertFile(
  ctx: Ctx,
  { printerId, userId }: PrinterPrincipal,
  claim: FileClaim,
): Promise<{ file: FileRow; isNew: boolean }> {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockPrinterRow(tx, printerId)
    const signature = claim.agent_signature ?? null
    const known = await findBySignature(tx, { userId, printerId }, signature, claim.safe_filename)
    if (known?.residentPrinterId === null) return { file: known, isNew: false }
    const own = { filename: claim.filename, numBytes: claim.num_bytes ?? null, url: claim.url ?? null }
    if (known) return { file: await updateFile(tx, known.id, own), isNew: false }
    const file = await insertFile(tx, {
      ...own,
      userId,
      residentPrinterId: printerId,
      safeFilename: claim.safe_filename,
      agentSignature: signature,
    })
    return { file, isNew: true }
  })
}

/** Name and signature of a cloud file after it was stored on the printer; raises 404 for anybody else's. */
export async function signFile(
  ctx: Ctx,
  { printerId, userId }: PrinterPrincipal,
  fileId: number,
  claim: Pick<Partial<FileClaim>, 'safe_filename' | 'agent_signature'>,
): Promise<FileRow> {
  const file = await findReachableFile(ctx.db, { userId, printerId }, fileId)
  if (file === null) throw notFound()
  return await updateFile(ctx.db, file.id, {
    safeFilename: claim.safe_filename ?? file.safeFilename,
    agentSignature: claim.agent_signature ?? file.agentSignature,
  })
}

/** A second agent came with the token of a connected one; its owner hears of it once an hour (docs/wire/agents.md 8.2). */
export async function warnSharedToken(ctx: Ctx, printerId: number): Promise<void> {
  const printer = await agentPrinterOf(ctx, printerId)
  ctx.log.warn({ printerId }, 'two agents share one token')
  await warn(ctx, printer, 'agent_shared_token')
}

/** The agent's socket is open and nothing is reported on it (docs/wire/agents.md 8.2 d). */
export async function warnMute(
  ctx: Ctx,
  printer: { id: number; userId: number; name: string },
): Promise<void> {
  await warn(ctx, printer, 'agent_needs_restart')
}

async function warn(
  ctx: Ctx,
  printer: { id: number; userId: number; name: string },
  code: string,
): Promise<void> {
  if (!(await isFirst(ctx, `agent:${printer.id}:${code}`, TOLD_EVERY_MS))) return
  await ctx.db.transaction().execute((tx) =>
    writeEvent(
      { ...ctx, db: tx },
      {
        userId: printer.userId,
        printerId: printer.id,
        printId: null,
        type: 'PRINTER_ERROR',
        class: 'WARNING',
        code,
        params: { printer: printer.name },
      },
    ),
  )
}
