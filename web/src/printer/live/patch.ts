import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { PrinterPatch } from '@vigil/contract/sockets.ts'

/** Each key replaces; a status is merged key by key and not deeper, `null` is offline (contract/sockets.ts). */
export function applyPatch(held: Printer, { status, ...rest }: PrinterPatch): Printer {
  const next: Printer = { ...held, ...rest }
  if (status === undefined) return next
  next.status = status === null ? null : ({ ...held.status, ...status } as Printer['status'])
  return next
}
