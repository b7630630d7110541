import { Box } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverNow, useNow } from '../../../lib/clock.ts'
import { clockTime, degrees } from '../../../lib/format.ts'
import type { Heater } from '../../../printer/status.ts'
import { useWords } from '../../../printer/words.ts'
import { HeaterPlot, plotFrame } from './HeaterPlot.tsx'
import { type History, nearest, SPAN_MS, xOf } from './history.ts'
import styles from './Temperatures.module.css'

const HEIGHT = 150
const MINUTES = [30, 20, 10, 0]
/** The plot moves on once in so many ms, not with every tick of the clock. */
const STEP_MS = 5_000

interface PlotProps {
  history: History
  heaters: Heater[]
  state: 'loading' | 'failed' | 'ready'
}

/** Actual and target of the last 30 minutes. What is under the finger or the pointer is told in numbers. */
export function Plot({ history, heaters, state }: PlotProps) {
  const { t } = useTranslation('temperatures')
  const words = useWords()
  const [ref, width] = useWidth()
  const now = Math.max(Math.floor(useNow() / STEP_MS) * STEP_MS, lastOf(history))
  const [pointed, setPointed] = useState<number | null>(null)

  const lines = heaters.map((heater) => ({ key: heater.key, heater, points: history[heater.key] ?? [] }))
  const frame = plotFrame({ width, height: HEIGHT, from: now - SPAN_MS, to: now, lines })
  const any = lines.some(({ points }) => points.length > 1)
  const at = pointed === null ? null : frame.from + (pointed / (frame.width || 1)) * SPAN_MS

  const spoken = heaters.map((heater) =>
    heater.target
      ? t('plot.value', {
          name: words.heater(heater),
          actual: degrees(heater.actual),
          target: degrees(heater.target),
        })
      : t('plot.valueOff', { name: words.heater(heater), actual: degrees(heater.actual) }),
  )

  return (
    <Box component="figure" m="12px 0 0">
      <HeaterPlot
        place={ref}
        width={width}
        height={HEIGHT}
        frame={frame}
        lines={lines}
        label={t('plot.label', { values: spoken.join('; ') })}
        times={MINUTES.map((minutes) => ({
          x: xOf(now - minutes * 60_000, frame),
          text: minutes === 0 ? t('plot.now') : t('plot.ago', { minutes }),
        }))}
        onPoint={setPointed}
      >
        {pointed !== null && any && (
          <line className={styles.cursor} x1={pointed} x2={pointed} y2={frame.height} />
        )}
      </HeaterPlot>
      <figcaption className={styles.caption}>
        {at !== null && any ? <Readout at={at} lines={lines} /> : <Caption any={any} state={state} />}
      </figcaption>
    </Box>
  )
}

/** An element's width, from its first paint on. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

function lastOf(history: History): number {
  const last = Math.max(0, ...Object.values(history).map((points) => points.at(-1)?.at ?? 0))
  // A clock that runs ahead must not push the plot into the future.
  return last > serverNow() + STEP_MS ? 0 : last
}

function Caption({ any, state }: { any: boolean; state: PlotProps['state'] }) {
  const { t } = useTranslation('temperatures')
  if (state === 'loading') return t('plot.loading')
  if (state === 'failed' && !any) return t('plot.failed')
  if (!any) return t('plot.waiting')
  return (
    <>
      <span>{t('plot.span')}</span>
      <span>{t('plot.dashed')}</span>
    </>
  )
}

function Readout({ at, lines }: { at: number; lines: { heater: Heater; points: History[string] }[] }) {
  const words = useWords()
  return (
    <>
      <strong>{clockTime(at)}</strong>
      {lines.map(({ heater, points }) => {
        const found = nearest(points, at)
        if (!found || found.actual === null) return null
        return (
          <span key={heater.key}>
            {words.heater(heater)} {degrees(found.actual)}
            {found.target ? ` / ${degrees(found.target, 0)}` : ''}
          </span>
        )
      })}
    </>
  )
}
