import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useMemo, useSyncExternalStore } from 'react'
import { readStored, subscribeStored, writeStored } from '../../../../lib/stored.ts'
import { driverOf } from '../../../../printer/driver/driver-of.ts'
import { agentCan } from '../../../../printer/driver/versions.ts'
import { mayControl } from '../../../../printer/rights.ts'
import { layoutKey, type Placed, readLayout, type WidgetName, writeLayout } from './layout.ts'

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
  const acts = mayControl(printer)
  const rows = useMemo(() => {
    const without: WidgetName[] = acts ? [] : ['toolhead', 'display']
    if (!terminal || !acts) without.push('terminal')
    if (!macros || !acts) without.push('macros')
    return readLayout(raw, without)
  }, [raw, terminal, macros, acts])
  return {
    rows,
    save: (next) => writeStored(key, writeLayout(next)),
    reset: () => writeStored(key, null),
  }
}
