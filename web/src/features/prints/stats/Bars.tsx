import { Box } from '@mantine/core'
import { type PointerEvent, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { labelled, ticksOf } from './grouping.ts'
import styles from './Stats.module.css'
import type { Scale } from './units.ts'

export interface Bar {
  /** Below the chart, and in full. */
  short: string
  long: string
  /** In the numbers of the wire. */
  value: number
}

interface BarsProps {
  title: string
  bars: readonly Bar[]
  scale: Scale
  /** `3 prints`, `1.5 h`. */
  say: (value: number) => string
}

/** Of the place of a bar, so much is the bar; of a chart, one bar never more than so much: a few stay bars. */
const FILLED = 0.72
const MOST = 0.09

/** Groups as bars from 0 on; what is under the pointer is told in numbers, and all of it by the table beside. */
export function Bars({ title, bars, scale, say }: BarsProps) {
  const { t } = useTranslation('stats')
  const [pointed, setPointed] = useState<number | null>(null)
  const most = Math.max(0, ...bars.map(({ value }) => value))
  const marks = ticksOf(most / scale.one, scale.unit === 'prints')
  const top = (marks.at(-1) || 1) * scale.one
  const at = pointed === null ? undefined : bars[pointed]
  const filled = Math.min(FILLED, MOST * bars.length)
  const shape = (index: number) => {
    const height = ((bars[index]?.value ?? 0) / top) * 100
    return `M${index + (1 - filled) / 2} 100v${-height}h${filled}v${height}z`
  }

  function point(event: PointerEvent<SVGSVGElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * bars.length)
    setPointed(Math.min(bars.length - 1, Math.max(0, index)))
  }

  return (
    <Box component="figure" m={0} miw={0}>
      <div className={styles.plot}>
        <Marks marks={marks} shareOf={(mark) => (mark * scale.one) / top} />
        <svg
          viewBox={`0 0 ${bars.length || 1} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('chart', { title })}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(null)}
        >
          <path
            className={styles.bars}
            d={bars.map(({ value }, index) => (value > 0 ? shape(index) : '')).join('')}
          />
          {pointed !== null && at && (
            <>
              <rect className={styles.cursor} x={pointed} y={0} width={1} height={100} />
              <path className={styles.pointed} d={shape(pointed)} />
            </>
          )}
        </svg>
      </div>
      <Names bars={bars} />
      <Caption bar={at} scale={scale} say={say} />
    </Box>
  )
}

function Marks({ marks, shareOf }: { marks: readonly number[]; shareOf: (mark: number) => number }) {
  return marks.map((mark) => (
    <div key={mark} className={styles.mark} style={{ bottom: `${shareOf(mark) * 100}%` }}>
      <span>{mark}</span>
    </div>
  ))
}

function Names({ bars }: Pick<BarsProps, 'bars'>) {
  return (
    <div className={styles.names} aria-hidden>
      {labelled(bars.length).map((index) => (
        <span key={index} style={{ left: `${((index + 0.5) * 100) / bars.length}%` }}>
          {bars[index]?.short}
        </span>
      ))}
    </div>
  )
}

/** What the bar that is pointed at says; of none, what is shown. */
function Caption({ bar, scale, say }: Pick<BarsProps, 'scale' | 'say'> & { bar: Bar | undefined }) {
  const { t } = useTranslation('stats')
  return (
    <Box component="figcaption" mih={20} m="6px 0 0 44px" c="dimmed" fz={13}>
      {bar ? (
        <>
          {bar.long}: <strong>{say(bar.value)}</strong>
        </>
      ) : (
        t('unit', { unit: t(`units.${scale.unit}`) })
      )}
    </Box>
  )
}
