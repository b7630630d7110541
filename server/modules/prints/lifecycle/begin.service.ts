import type { Id } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { MediaRef } from '../../../engines/files/port.ts'
import { writeEvents } from '../../core/events/index.ts'
import { beginPrints, type LockedPrinter, type PrintRow } from './prints.queries.ts'

/** A print that begins on a printer which is locked. */
export interface Beginning {
  readonly printer: LockedPrinter
  readonly extId: number
  readonly filename: string
  readonly fileId: Id<'gCodeFiles'> | null
  /** What the camera shows. */
  readonly still: MediaRef | null
}

/** Writes prints that begin, each the current one of its printer, with their events, by as many statements as one. Returns them in their order. */
export async function writeBeginnings(ctx: Ctx, all: readonly Beginning[], now: number): Promise<PrintRow[]> {
  const rows = all.map(({ printer, extId, filename, fileId }) => ({
    userId: printer.userId,
    printerId: printer.id,
    extId,
    filename,
    gCodeFileId: fileId,
  }))
  const begun = await beginPrints(ctx.db, rows, new Date(now))
  const prints = all.flatMap(({ printer }) => begun.get(printer.id) ?? [])
  await writeEvents(
    ctx,
    all.map(({ printer, filename, still }, at) => ({
      userId: printer.userId,
      printerId: printer.id,
      printId: prints[at]?.id ?? null,
      type: 'STARTED',
      class: 'INFO',
      code: 'print_started',
      params: { printer: printer.name, file: filename },
      image: still,
    })),
  )
  return prints
}
