import type { FarmFigures } from '../web/dev/farm.ts'
import { type Benchmark, CannotMeasure, type Measurement } from './lib/benchmark.ts'
import { withClient } from './lib/client.ts'
import { median } from './lib/numbers.ts'

const PRINTERS = 200
const WINDOWS = 5
const WINDOW_SECONDS = 5
/** Of a core, for one status a second of each printer (docs/rules/pages.md 2). */
const AIM_PERCENT = 5
/** At 60 frames a second. */
const FRAME_MS = 1000 / 60

function figuresOf(view: string, figures: FarmFigures): Measurement[] {
  const { main, script, styleAndLayout, drawn, sockets, viewed, scroll } = figures
  if (median(drawn) < 0.9) throw new CannotMeasure(`${view}: the machine is too busy to draw once a second`)
  return [
    { what: `${view}: main thread`, unit: '% of a core', values: main, aim: { below: AIM_PERCENT } },
    { what: 'of which script', unit: '% of a core', values: script },
    { what: 'of which style and layout', unit: '% of a core', values: styleAndLayout },
    { what: 'drawn', unit: 'times a second', values: drawn },
    { what: 'websockets', unit: '', values: [sockets] },
    { what: 'agents that hear of a viewer', unit: `of ${PRINTERS}`, values: [viewed] },
    {
      what: 'main thread for a frame of scrolling',
      unit: 'ms',
      values: [scroll.mainMs],
      aim: { below: FRAME_MS },
    },
    { what: `frames over 50 ms, of ${scroll.frames}`, unit: '', values: [scroll.slow] },
  ]
}

const farm: Benchmark = {
  name: 'farm',
  conditions:
    `The list of an account with ${PRINTERS} printers in chromium, 1440x900, no GPU: each reports once a second over the ` +
    `account's one socket; ${WINDOWS} windows of ${WINDOW_SECONDS} s. Processor time of the page's main thread, so that ` +
    'other work on the machine is not in it; then the list is scrolled from end to end, a step a frame, and there ' +
    'frames over 50 ms are by the clock.',
  run: (say) =>
    withClient(async (dist) => {
      // The browser is loaded for this benchmark alone.
      const { measureFarm } = await import('../web/dev/farm.ts')
      const options = { dist, count: PRINTERS, windows: WINDOWS, seconds: WINDOW_SECONDS }
      const { cards, grid } = await measureFarm(options, say)
      return [...figuresOf('cards', cards), ...figuresOf('grid', grid)]
    }),
}

export const benchmarks = [farm]
