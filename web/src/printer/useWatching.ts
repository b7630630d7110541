import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useNow } from '../lib/clock.ts'
import { useLine } from '../lib/line.ts'
import { isFresh, type Watching, watching } from './watching.ts'

/** Watched or not, as this page may claim it: what it can't know now, because the line is lost or the verdict is old, it doesn't claim. */
export function useWatching(printer: Printer): Watching {
  const { lost } = useLine()
  const now = useNow()
  const said = watching(printer)
  if (said.kind !== 'verdict' && said.kind !== 'starting') return said
  if (!lost && isFresh(printer.watch, now)) return said
  return said.kind === 'verdict'
    ? { kind: 'unheard', band: said.band, value: said.value }
    : { kind: 'unheard', band: null, value: null }
}
