import type { Printer } from '@vigil/contract/printers/printers.ts'
import { ms } from '../../../../lib/format.ts'
import { type ShownState, shownState } from '../../../../printer/state.ts'
import { type Heater, readStatus } from '../../../../printer/status.ts'
import { type Watching, watching } from '../../../../printer/watching.ts'

/** All that a tile shows of its printer, no finer than it is written: most statuses change none of it. */
export interface TileFace extends ShownState {
  id: number
  name: string
  /** Whole percent. */
  completion: number | null
  /** Whole minutes, in seconds; below one as it is. */
  leftS: number | null
  /** Of an idle printer. */
  heaters: Heater[]
  /** Of an offline one, in ms. */
  seenAt: number | null
  watch: Watching | null
}

const rounded = (value: number, step: number) => Math.round(value / step) * step

export function tileFace(printer: Printer, transition: string | null): TileFace {
  const { id, name, current_print: print } = printer
  const reading = readStatus(printer)
  const left = print && reading && !reading.paused ? reading.leftS : null
  const completion = print ? (reading?.completion ?? null) : null
  const watch = reading ? watching(printer) : null
  return {
    id,
    name,
    ...shownState(printer, transition),
    completion: completion === null ? null : Math.floor(Math.min(100, Math.max(0, completion))),
    leftS: left === null ? null : rounded(left, left < 59.5 ? 1 : 60),
    heaters: print || !reading ? [] : reading.heaters.slice(0, 2).map(asWritten),
    seenAt: reading ? null : ms(printer.agent.last_seen_at),
    watch: watch?.kind === 'verdict' ? { ...watch, value: rounded(watch.value, 0.01) } : watch,
  }
}

const asWritten = ({ key, actual }: Heater): Heater => ({
  key,
  actual: Number(actual.toFixed(1)),
  target: null,
})

export const isSameFace = (a: TileFace, b: TileFace) => JSON.stringify(a) === JSON.stringify(b)
