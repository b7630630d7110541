import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useMemo, useSyncExternalStore } from 'react'
import { readStored, subscribeStored, writeStored } from '../../../../lib/stored.ts'
import { driverOf } from '../../../../printer/driver/driver-of.ts'
import { agentCan } from '../../../../printer/driver/versions.ts'
import { layoutKey, type Placed, readLayout, writeLayout } from './layout.ts'

export interface Layout {
  rows: Placed[]
  save: (rows: readonly Placed[]) => void
  reset: () => void
}

/** The order and visibility of one printer's widgets, kept in this browser. */
export function useLayout(printer: Printer): Layout {
  const key = layoutKey(printer.id)
  const raw = useSyncExternalStore(subscribeStored, () => readStored(key))
  const terminal = agentCan(printer, 'terminal')
  const macros = driverOf(printer).kind === 'klipper'
  const rows = useMemo(
    () =>
      readLayout(raw, [...(terminal ? [] : ['terminal' as const]), ...(macros ? [] : ['macros' as const])]),
    [raw, terminal, macros],
  )
  return {
    rows,
    save: (next) => writeStored(key, writeLayout(next)),
    reset: () => writeStored(key, null),
  }
}
