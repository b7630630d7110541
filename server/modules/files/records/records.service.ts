import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import type { PrinterPrincipal } from '../../../http/principal.ts'
import { placeOnPrinter } from './names.rules.ts'
import {
  type FileRow,
  findBySignature,
  findCopied,
  findReachableFile,
  insertFile,
  keepCopy,
  lockPrinterRow,
  updateFile,
} from './records.queries.ts'

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
    const caller = { userId, printerId }
    const known =
      (await findCopied(tx, caller, signature, claim.safe_filename)) ??
      (await findBySignature(tx, caller, signature, claim.safe_filename))
    if (known?.residentPrinterId === null) {
      await keep(ctx, tx, printerId, known, claim)
      return { file: known, isNew: false }
    }
    const own = {
      filename: claim.filename,
      numBytes: claim.num_bytes ?? null,
      url: placeOnPrinter(claim.url ?? ''),
    }
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
  const safeFilename = claim.safe_filename ?? file.safeFilename
  return await ctx.db.transaction().execute(async (tx) => {
    if (file.residentPrinterId === null)
      await keep(ctx, tx, printerId, file, { ...claim, safe_filename: safeFilename })
    return await updateFile(tx, file.id, {
      safeFilename,
      agentSignature: claim.agent_signature ?? file.agentSignature,
    })
  })
}

/** The printer has a file of the cloud, known to its agent by this name and signature. */
async function keep(
  { clock }: Pick<Ctx, 'clock'>,
  db: Ctx['db'],
  printerId: PrinterId,
  file: FileRow,
  claim: Partial<FileClaim> & { readonly safe_filename: string },
): Promise<void> {
  const { agent_signature: agentSignature, safe_filename: safeFilename, num_bytes, url } = claim
  if (agentSignature === undefined) return
  await keepCopy(db, {
    printerId,
    agentSignature,
    safeFilename,
    gCodeFileId: file.id,
    updatedAt: new Date(clock.now()),
    ...(num_bytes === undefined ? {} : { numBytes: num_bytes }),
    ...(url === undefined ? {} : { url: placeOnPrinter(url) }),
  })
}
