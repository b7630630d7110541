import { BAND_ENDS } from '@vigil/contract/watch/band.ts'
import styles from './Gauge.module.css'

const RADIUS = 66
const GAP = 1.6

function point(fraction: number, radius: number): string {
  const angle = Math.PI * (1 - fraction)
  return `${(80 + radius * Math.cos(angle)).toFixed(2)} ${(80 - radius * Math.sin(angle)).toFixed(2)}`
}

function arc(from: number, to: number): string {
  return `M${point(from + GAP / 200, RADIUS)}A${RADIUS} ${RADIUS} 0 0 1 ${point(to - GAP / 200, RADIUS)}`
}

interface GaugeProps {
  value: number | null
  label: string
  /** Greyed: it was so, and may be no longer. */
  stale?: boolean
}

/** A half circle in its bands with a needle at `value` (0 to 1); without a value the needle rests, greyed. */
export function Gauge({ value, label, stale }: GaugeProps) {
  const at = Math.min(1, Math.max(0, value ?? 0))
  return (
    <svg
      viewBox="0 0 160 92"
      className={styles.gauge}
      data-off={value === null || stale || undefined}
      role="img"
      aria-label={label}
    >
      <path d={arc(0, BAND_ENDS.good)} className={styles.good} />
      <path d={arc(BAND_ENDS.good, BAND_ENDS.fishy)} className={styles.warn} />
      <path d={arc(BAND_ENDS.fishy, 1)} className={styles.bad} />
      <g className={styles.needle} style={{ transform: `rotate(${at * 180}deg)` }}>
        <path d="M80 80H31" />
      </g>
      <circle cx="80" cy="80" r="5.5" className={styles.hub} />
    </svg>
  )
}

/** The same in one line, for a card. */
export function MiniGauge({ value, stale }: Pick<GaugeProps, 'value' | 'stale'>) {
  const at = Math.min(1, Math.max(0, value ?? 0))
  return (
    <svg
      viewBox="0 0 54 14"
      width={54}
      height={14}
      className={styles.mini}
      data-off={value === null || stale || undefined}
      aria-hidden
    >
      <path d="M3 3.500H18v7H3.500a3.5 3.5 0 0 1 0-7z" className={styles.good} />
      <path d="M19 3.500h16v7H19z" className={styles.warn} />
      <path d="M36 3.500h14.500a3.5 3.5 0 0 1 0 7H36z" className={styles.bad} />
      {value !== null && (
        <rect x={1 + at * 49} y="0.5" width="3" height="13" rx="1.5" className={styles.marker} />
      )}
    </svg>
  )
}
