import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { clockTime, degrees } from '../../../lib/format.ts'
import { type HeaterKind, heaterKind } from '../../../printer/status.ts'
import { useWords } from '../../../printer/words.ts'
import { Panel } from '../../../ui/Panel.tsx'
import {
  type Frame,
  HeaterPlot,
  nearest,
  plotFrame,
  xOf,
  type History,
} from '../../printers/temperatures/index.ts'
import { isRunning } from './lapse.rules.ts'
import { type Playhead, usePosition } from './playhead.ts'
import { temperaturesQuery } from './print-page.api.ts'
import styles from './PrintPage.module.css'

interface Line {
  readonly key: string
  readonly points: History[string]
}

const ORDER: readonly HeaterKind[] = ['nozzle', 'bed', 'chamber', 'other']
/** A table of more rows is read by nobody. */
const MOST_ROWS = 48

/** What was warm at any time of the print, nozzles first. A sensor that always says 0 is none. */
function heatersOf(history: History): Line[] {
  return Object.entries(history)
    .filter(([, points]) => points.length > 1 && points.some(({ actual }) => actual !== null && actual !== 0))
    .map(([key, points]) => ({ key, points }))
    .toSorted(
      (a, b) =>
        ORDER.indexOf(heaterKind(a.key)) - ORDER.indexOf(heaterKind(b.key)) || a.key.localeCompare(b.key),
    )
}

/** From the first point of any line to the last. */
function spanOf(lines: readonly Line[]): [number, number] {
  const firsts = lines.flatMap(({ points }) => points[0]?.at ?? [])
  const lasts = lines.flatMap(({ points }) => points.at(-1)?.at ?? [])
  const from = Math.min(...firsts)
  return [from, Math.max(from + 1, ...lasts)]
}

/** The place of a moment in the film, 0 to 1; null where its pictures have no times. */
function placeOf(times: readonly number[], at: number): number | null {
  if (times.length === 0) return null
  const index = times.findIndex((time) => time >= at)
  return (index === -1 ? times.length - 1 : index) / times.length
}

/** The lines as rows, evenly taken. */
function rowsOf(lines: readonly Line[]): { at: number; values: (number | null)[] }[] {
  const [from, to] = spanOf(lines)
  const longest = Math.max(...lines.map(({ points }) => points.length))
  const count = Math.min(MOST_ROWS, longest)
  return Array.from({ length: count }, (_, index) => {
    const at = from + ((to - from) * index) / Math.max(1, count - 1)
    return { at, values: lines.map(({ points }) => nearest(points, at)?.actual ?? null) }
  })
}

const HEIGHT = 132
const SHARES = [0, 1 / 3, 2 / 3, 1]

interface TemperaturesProps {
  print: Print
  /** When each picture of the film was taken. */
  times: readonly number[]
  playhead: Playhead
  onSeek: (position: number) => void
}

/** The heaters over the whole print, on the film's time axis; the same as a table for who wants numbers. */
export function Temperatures({ print, times, playhead, onSeek }: TemperaturesProps) {
  const { t } = useTranslation('print-page')
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
  const { t } = useTranslation('print-page')
  const { ref, width } = useElementSize()
  const [from, to] = spanOf(lines)
  const frame = plotFrame({ width, height: HEIGHT, from, to, lines })
  function go(x: number | null, down: boolean) {
    const place = x !== null && down ? placeOf(times, from + (x / (frame.width || 1)) * (to - from)) : null
    if (place !== null) onSeek(place)
  }
  const names = useNames()
  return (
    <figure className={styles.chart}>
      <Legend lines={lines} times={times} playhead={playhead} to={to} />
      <HeaterPlot
        place={ref}
        width={width}
        height={HEIGHT}
        frame={frame}
        lines={lines}
        label={t('heat.label', { names: lines.map(names).join(', ') })}
        times={SHARES.map((share) => ({
          x: share * frame.width,
          text: clockTime(from + share * (to - from)),
        }))}
        onPoint={go}
      >
        <Cursor frame={frame} times={times} playhead={playhead} />
      </HeaterPlot>
    </figure>
  )
}

function useNames() {
  const words = useWords()
  return ({ key }: Line) => words.heater({ key, actual: 0, target: null })
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
  const { t } = useTranslation('print-page')
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
  const { t } = useTranslation('print-page')
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
