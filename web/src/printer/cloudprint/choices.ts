import type { Fit, PrinterFit } from '@vigil/contract/files/machines.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'

/** A printer that a file may be printed on. */
export interface Choice {
  readonly printer: Printer
  readonly fit: Fit | undefined
  /** Why it can't print now; null: it can. */
  readonly why: string | null
  /** It is free, and nothing speaks against it. */
  readonly isReady: boolean
}

/** Printers as they are offered: those that are free and known to fit, those of which it is not known, then all others. */
export function choicesOf(
  printers: readonly Printer[],
  fits: readonly PrinterFit[] | undefined,
  whyNot: (printer: Printer) => string | null,
): { ready: Choice[]; others: Choice[] } {
  const all = printers.map((printer): Choice => {
    const why = whyNot(printer)
    const fit = fits?.find((one) => one.printer.id === printer.id)?.fit
    return { printer, fit, why, isReady: why === null && fit?.verdict !== 'warns' }
  })
  const rank = ({ why, fit }: Choice) => Number(why !== null) * 2 + Number(fit?.verdict !== 'fits')
  const inOrder = all.toSorted((a, b) => rank(a) - rank(b))
  return {
    ready: inOrder.filter(({ isReady }) => isReady),
    others: inOrder.filter(({ isReady }) => !isReady),
  }
}
