import type { PointerEvent, ReactNode, Ref } from 'react'
import { type Frame, linePath, type Point, ticks, yOf } from './history.ts'
import styles from './HeaterPlot.module.css'

const LEFT = 34
const RIGHT = 6
const TOP = 8
const BOTTOM = 20

interface PlotFrameProps {
  readonly width: number
  readonly height: number
  readonly from: number
  readonly to: number
  readonly lines: readonly { readonly points: Point[] }[]
}

/** Where the lines of heaters are drawn in a plot of this size, and the degrees that are written at its side. */
export function plotFrame({ width, height, from, to, lines }: PlotFrameProps): Frame & { marks: number[] } {
  const marks = ticks(Object.fromEntries(lines.map(({ points }, at) => [at, points])))
  return {
    width: Math.max(0, width - LEFT - RIGHT),
    height: height - TOP - BOTTOM,
    from,
    to,
    top: marks.at(-1) ?? 100,
    marks,
  }
}

interface HeaterPlotProps {
  /** Measures the place that the plot fills. */
  readonly place: Ref<HTMLDivElement>
  readonly width: number
  readonly height: number
  readonly frame: ReturnType<typeof plotFrame>
  readonly lines: readonly { readonly key: string; readonly points: Point[] }[]
  readonly label: string
  /** Times below the lines: what is said, and where. */
  readonly times: readonly { readonly x: number; readonly text: string }[]
  /** A pointer over the plot, in pixels of the frame; null when it has gone. `down`: it is pressed. */
  readonly onPoint: (x: number | null, down: boolean) => void
  /** What is drawn over the lines. */
  readonly children?: ReactNode
}

/** Heaters over a time: actual and target, four kinds of line, degrees and times at the sides. */
export function HeaterPlot(props: HeaterPlotProps) {
  const { place, width, height, frame, lines, label, times, onPoint, children } = props
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT
    onPoint(Math.min(frame.width, Math.max(0, x)), event.type === 'pointerdown')
  }
  return (
    <div ref={place} className={styles.plot}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={label}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => onPoint(null, false)}
      >
        <g transform={`translate(${LEFT} ${TOP})`}>
          {frame.marks.map((mark) => (
            <g key={mark} transform={`translate(0 ${yOf(mark, frame)})`}>
              <line className={styles.grid} x2={frame.width} />
              <text className={styles.mark} x={-8} dy="0.33em" textAnchor="end">
                {mark}°
              </text>
            </g>
          ))}
          {lines.map(({ key, points }, at) => (
            <g key={key} data-line={at % 4}>
              <path className={styles.target} d={linePath(points, 'target', frame)} />
              <path className={styles.actual} d={linePath(points, 'actual', frame)} />
            </g>
          ))}
          {times.map(({ x, text }, at) => (
            <text
              key={`${at} ${text}`}
              className={styles.mark}
              x={x}
              y={frame.height + 15}
              textAnchor={at === 0 ? 'start' : at === times.length - 1 ? 'end' : 'middle'}
            >
              {text}
            </text>
          ))}
          {children}
        </g>
      </svg>
    </div>
  )
}
