import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { AccountFrameOut, PrinterPatch } from '@vigil/contract/sockets.ts'
import { asPrinterFrame, mergePrinter } from './merge.ts'

/** What a frame says of printers, from whichever address it came (contract/sockets.ts). */
export type News = Required<Pick<AccountFrameOut, 'patches' | 'gone'>> & { printers: Partial<Printer>[] }

/** Null for what is no news of a printer itself: answers, events, terminal lines, rubbish. */
export function newsOf(message: unknown): News | null {
  const { printers = [], patches = [], gone = [] } = (message ?? {}) as AccountFrameOut
  if (printers.length + patches.length + gone.length > 0) return { printers, patches, gone }
  const printer = asPrinterFrame(message)
  return printer && { printers: [printer], patches, gone }
}

/** What the owner must see at once: a print that began, ended or alerts, and a printer that is gone. */
export function isUrgent({ printers, patches, gone }: News): boolean {
  return (
    printers.length + gone.length > 0 ||
    patches.some(({ patch }) => 'current_print' in patch || patch.status === null)
  )
}

/** A list of printers after the news. `nowMs` is the server's time. */
export function applyToList(
  list: readonly Printer[],
  { printers, patches, gone }: News,
  nowMs: number,
): Printer[] {
  const whole = new Map(printers.map((printer) => [printer.id, printer]))
  const part = new Map(patches.map(({ id, patch }) => [id, patch]))
  return list.flatMap((held) => {
    if (gone.includes(held.id)) return []
    const said = whole.get(held.id)
    const patch = part.get(held.id)
    const printer = said ? mergePrinter(held, said, nowMs) : held
    return [patch ? applyPatch(printer, patch) : printer]
  })
}

/** Each key replaces; a status is merged key by key and not deeper, `null` is offline (contract/sockets.ts). */
export function applyPatch(held: Printer, { status, ...rest }: PrinterPatch): Printer {
  const next: Printer = { ...held, ...rest }
  if (status === undefined) return next
  next.status = status === null ? null : ({ ...held.status, ...status } as Printer['status'])
  return next
}
