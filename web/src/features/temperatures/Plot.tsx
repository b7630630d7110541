import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow, useNow } from '../../lib/clock.ts'
import { clockTime, degrees } from '../../lib/format.ts'
import type { Heater } from '../../printer/status.ts'
import { useWords } from '../../printer/words.ts'
import { type Frame, type History, linePath, nearest, SPAN_MS, ticks, xOf, yOf } from './history.ts'
import styles from './Temperatures.module.css'

const HEIGHT = 150
const LEFT = 34
const RIGHT = 6
const TOP = 8
const BOTTOM = 20
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

  const marks = ticks(history)
  const inner = Math.max(0, width - LEFT - RIGHT)
  const frame: Frame = {
    width: inner,
    height: HEIGHT - TOP - BOTTOM,
    from: now - SPAN_MS,
    to: now,
    top: marks.at(-1) ?? 100,
  }
  const lines = heaters.map((heater, at) => ({ heater, at, points: history[heater.key] ?? [] }))
  const any = lines.some(({ points }) => points.length > 1)
  const at = pointed === null ? null : frame.from + (pointed / (inner || 1)) * SPAN_MS

  function point(event: PointerEvent<SVGSVGElement>) {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT
    setPointed(Math.min(inner, Math.max(0, x)))
  }

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
    <figure className={styles.plot}>
      <div ref={ref}>
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={t('plot.label', { values: spoken.join('; ') })}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(null)}
        >
          <g transform={`translate(${LEFT} ${TOP})`}>
            {marks.map((mark) => (
              <g key={mark} transform={`translate(0 ${yOf(mark, frame)})`}>
                <line className={styles.grid} x2={inner} />
                <text className={styles.mark} x={-8} dy="0.33em" textAnchor="end">
                  {mark}°
                </text>
              </g>
            ))}
            {MINUTES.map((minutes) => (
              <text
                key={minutes}
                className={styles.mark}
                x={xOf(now - minutes * 60_000, frame)}
                y={frame.height + 15}
                textAnchor={minutes === 0 ? 'end' : minutes === 30 ? 'start' : 'middle'}
              >
                {minutes === 0 ? t('plot.now') : t('plot.ago', { minutes })}
              </text>
            ))}
            {lines.map(({ heater, at: line, points }) => (
              <g key={heater.key} data-line={line % 4}>
                <path className={styles.target} d={linePath(points, 'target', frame)} />
                <path className={styles.actual} d={linePath(points, 'actual', frame)} />
              </g>
            ))}
            {pointed !== null && any && (
              <line className={styles.cursor} x1={pointed} x2={pointed} y2={frame.height} />
            )}
          </g>
        </svg>
      </div>
      <figcaption className={styles.caption}>
        {at !== null && any ? <Readout at={at} lines={lines} /> : <Caption any={any} state={state} />}
      </figcaption>
    </figure>
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
            {found.target ? ` / ${Math.round(found.target)}°` : ''}
          </span>
        )
      })}
    </>
  )
}
