import { Group } from '@mantine/core'
import type { Stats } from '@vigil/contract/prints/stats.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { lengthOf } from '../../../lib/format.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './Stats.module.css'

interface Slice {
  kind: 'succeeded' | 'cancelled' | 'running'
  count: number
}

const RADIUS = 42
const ROUND = 2 * Math.PI * RADIUS
/** Between two slices. */
const GAP = 2

/** How prints ended; without any, two equal halves that mean nothing. `label` says it in words. */
function Donut({ slices, total, label }: { slices: readonly Slice[]; total: number; label: string }) {
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

function slicesOf(stats: Stats): Slice[] {
  const { total_succeeded_print_count: succeeded, total_cancelled_print_count: cancelled } = stats
  return [
    { kind: 'succeeded', count: succeeded },
    { kind: 'cancelled', count: cancelled },
    { kind: 'running', count: Math.max(0, stats.total_print_count - succeeded - cancelled) },
  ]
}

/** What all prints come to, and how they ended. */
export function Totals({ stats }: { stats: Stats }) {
  const { t } = useTranslation('stats')
  const { duration } = useTimeText()
  const total = stats.total_print_count
  const slices = slicesOf(stats)
  const told = slices.filter(({ kind, count }) => kind !== 'running' || count > 0)
  const figures = [
    ['time', duration(stats.total_print_time)],
    ['longest', duration(stats.longest_print_time)],
    ['average', duration(stats.average_print_time)],
    ['filament', lengthOf(stats.total_filament_used)],
  ] as const
  const label = told.map(({ kind, count }) => `${t(`totals.${kind}`)}: ${count}`).join(', ')
  return (
    <Panel label={t('totals.label')}>
      <Group gap="24px 56px">
        <Group gap={24} wrap="nowrap">
          <Donut slices={slices} total={total} label={total > 0 ? label : t('nothing')} />
          <dl className={styles.legend}>
            <div>
              <dt>{t('totals.prints')}</dt>
              <dd>{total}</dd>
            </div>
            {told.map(({ kind, count }) => (
              <div key={kind} data-kind={kind}>
                <dt>{t(`totals.${kind}`)}</dt>
                <dd>{count}</dd>
              </div>
            ))}
          </dl>
        </Group>
        <dl className={styles.figures}>
          {figures.map(([name, figure]) => (
            <div key={name}>
              <dt>{t(`totals.${name}`)}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      </Group>
    </Panel>
  )
}
