import type { Printer } from '@vigil/contract/printers.ts'
import { useNow } from '../lib/clock.ts'
import { ms } from '../lib/format.ts'
import { useLine } from '../lib/line.ts'
import { type Watching, watching } from './watching.ts'

/** A look comes every 10 s; a verdict older than this is no longer one of now. */
const FRESH_MS = 30_000

/** Watched or not, as this page may claim it: what it can't know now, because the line is lost or the verdict is old, it doesn't claim. */
export function useWatching(printer: Printer): Watching {
  const { lost } = useLine()
  const now = useNow()
  const said = watching(printer)
  if (said.kind !== 'verdict' && said.kind !== 'starting') return said
  const checkedAt = ms(printer.watch.checked_at)
  if (!lost && (checkedAt === null || now - checkedAt <= FRESH_MS)) return said
  return said.kind === 'verdict'
    ? { kind: 'unheard', band: said.band, value: said.value }
    : { kind: 'unheard', band: null, value: null }
}
