import { Button } from '@mantine/core'
import type { Print } from '@vigil/contract/prints.ts'
import { useElementSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type PointerEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clockTime, degrees } from '../../lib/format.ts'
import { useWords } from '../../printer/words.ts'
import { Panel } from '../../ui/Panel.tsx'
import { type Frame, linePath, nearest, ticks, xOf, yOf } from '../temperatures/index.ts'
import styles from './PrintPage.module.css'
import { type Playhead, usePosition } from './playhead.ts'
import { isRunning } from './lapse.rules.ts'
import { temperaturesQuery } from './printpage.api.ts'
import { heatersOf, placeOf, rowsOf, type Line, spanOf } from './temperatures.ts'

const HEIGHT = 132
const LEFT = 34

interface TemperaturesProps {
  print: Print
  /** When each picture of the film was taken. */
  times: readonly number[]
  playhead: Playhead
  onSeek: (position: number) => void
}

/** The heaters over the whole print, on the film's time axis; the same as a table for who wants numbers. */
export function Temperatures({ print, times, playhead, onSeek }: TemperaturesProps) {
  const { t } = useTranslation('printpage')
  const { data } = useQuery(temperaturesQuery(print.id, isRunning(print)))
  const lines = useMemo(() => heatersOf(data ?? {}), [data])
  const [asTable, setTable] = useState(false)
  if (lines.length === 0) return null
  return (
    <Panel
      title={t('heat.title')}
      aside={
        <Button size="compact-sm" aria-pressed={asTable} onClick={() => setTable((was) => !was)}>
          {t(asTable ? 'heat.asChart' : 'heat.asTable')}
        </Button>
      }
    >
      {asTable ? (
        <Table lines={lines} />
      ) : (
        <Chart lines={lines} times={times} playhead={playhead} onSeek={onSeek} />
      )}
    </Panel>
  )
}

interface ChartProps extends Omit<TemperaturesProps, 'print'> {
  lines: readonly Line[]
}

function Chart({ lines, times, playhead, onSeek }: ChartProps) {
  const { t } = useTranslation('printpage')
  const { ref, width } = useElementSize()
  const [from, to] = spanOf(lines)
  const marks = ticks(Object.fromEntries(lines.map(({ key, points }) => [key, points])))
  const frame: Frame = {
    width: Math.max(0, width - LEFT - 6),
    height: HEIGHT - 28,
    from,
    to,
    top: marks.at(-1) ?? 100,
  }
  function go(event: PointerEvent<SVGSVGElement>) {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT
    const place = placeOf(times, from + (x / (frame.width || 1)) * (to - from))
    if (place !== null) onSeek(place)
  }
  const names = useNames()
  return (
    <figure className={styles.chart}>
      <Legend lines={lines} times={times} playhead={playhead} to={to} />
      <div ref={ref}>
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={t('heat.label', { names: lines.map(names).join(', ') })}
          onPointerDown={go}
        >
          <g transform={`translate(${LEFT} 8)`}>
            <Grid marks={marks} frame={frame} />
            {lines.map(({ key, points }, at) => (
              <g key={key} data-line={at % 4}>
                <path className={styles.target} d={linePath(points, 'target', frame)} />
                <path className={styles.actual} d={linePath(points, 'actual', frame)} />
              </g>
            ))}
            <Hours frame={frame} />
            <Cursor frame={frame} times={times} playhead={playhead} />
          </g>
        </svg>
      </div>
    </figure>
  )
}

function Grid({ marks, frame }: { marks: readonly number[]; frame: Frame }) {
  return marks.map((mark) => (
    <g key={mark} transform={`translate(0 ${yOf(mark, frame)})`}>
      <line className={styles.grid} x2={frame.width} />
      <text className={styles.mark} x={-8} dy="0.33em" textAnchor="end">
        {mark}°
      </text>
    </g>
  ))
}

function useNames() {
  const words = useWords()
  return ({ key }: Line) => words.heater({ key, actual: 0, target: null })
}

function Hours({ frame }: { frame: Frame }) {
  return [0, 1 / 3, 2 / 3, 1].map((share) => (
    <text
      key={share}
      className={styles.mark}
      x={share * frame.width}
      y={frame.height + 16}
      textAnchor={share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}
    >
      {clockTime(frame.from + share * (frame.to - frame.from))}
    </text>
  ))
}

/** When the picture that is shown was taken; null where that is not known. */
function useShownAt(times: readonly number[], playhead: Playhead): number | null {
  const position = usePosition(playhead)
  return times[Math.min(times.length - 1, Math.round(position * times.length))] ?? null
}

function Cursor({ frame, times, playhead }: { frame: Frame } & Pick<ChartProps, 'times' | 'playhead'>) {
  const at = useShownAt(times, playhead)
  if (at === null || at < frame.from || at > frame.to) return null
  const x = xOf(at, frame)
  return <line className={styles.cursor} x1={x} x2={x} y2={frame.height} />
}

/** Which line is which, and what it stands at by the film's playhead, or at the end. */
function Legend({ lines, times, playhead, to }: Omit<ChartProps, 'onSeek'> & { to: number }) {
  const { t } = useTranslation('printpage')
  const names = useNames()
  const at = useShownAt(times, playhead) ?? to
  return (
    <figcaption className={styles.legend}>
      {lines.map((line, index) => {
        const actual = nearest(line.points, at)?.actual ?? null
        return (
          <span key={line.key}>
            <i data-line={index % 4} aria-hidden />
            {names(line)} {actual !== null && <strong>{degrees(actual)}</strong>}
          </span>
        )
      })}
      <span>{t('heat.at', { moment: clockTime(at) })}</span>
    </figcaption>
  )
}

function Table({ lines }: { lines: readonly Line[] }) {
  const { t } = useTranslation('printpage')
  const names = useNames()
  return (
    <div className={styles.tablePlace} tabIndex={0} role="region" aria-label={t('heat.title')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('heat.time')}</th>
            {lines.map((line) => (
              <th key={line.key} scope="col">
                {names(line)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(lines).map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">{clockTime(at)}</th>
              {values.map((value, index) => (
                <td key={lines[index]?.key}>{value === null ? '–' : degrees(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
