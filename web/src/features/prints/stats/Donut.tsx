import styles from './Stats.module.css'

export interface Slice {
  kind: 'succeeded' | 'cancelled' | 'running'
  count: number
}

const RADIUS = 42
const ROUND = 2 * Math.PI * RADIUS
/** Between two slices. */
const GAP = 2

/** How prints ended; without any, two equal halves that mean nothing. `label` says it in words. */
export function Donut({ slices, total, label }: { slices: readonly Slice[]; total: number; label: string }) {
  const shown: readonly (Omit<Slice, 'kind'> & { kind: string })[] =
    total > 0
      ? slices.filter(({ count }) => count > 0)
      : [
          { kind: 'none', count: 1 },
          { kind: 'other', count: 1 },
        ]
  const sum = shown.reduce((all, { count }) => all + count, 0)
  const gap = shown.length > 1 ? GAP : 0
  const starts = shown.map((_, at) => shown.slice(0, at).reduce((all, { count }) => all + count, 0))
  return (
    <svg className={styles.donut} viewBox="0 0 100 100" role="img" aria-label={label}>
      {shown.map(({ kind, count }, at) => {
        const length = (count / sum) * ROUND
        const dash = `${Math.max(0.5, length - gap)} ${ROUND}`
        const offset = -((starts[at] ?? 0) / sum) * ROUND - gap / 2
        return (
          <circle
            key={kind}
            data-kind={kind}
            cx={50}
            cy={50}
            r={RADIUS}
            strokeDasharray={dash}
            strokeDashoffset={offset}
            transform="rotate(-90 50 50)"
          />
        )
      })}
      <text x={50} y={50} dy="0.36em" textAnchor="middle">
        {total}
      </text>
    </svg>
  )
}
