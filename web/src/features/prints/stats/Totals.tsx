import type { Stats } from '@vigil/contract/prints/stats.ts'
import { useTranslation } from 'react-i18next'
import { lengthOf } from '../../../lib/format.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { Donut, type Slice } from './Donut.tsx'
import styles from './Stats.module.css'

/** What all prints come to, and how they ended. */
export function Totals({ stats }: { stats: Stats }) {
  const { t } = useTranslation('stats')
  const { durationByMetres } = useTimeText()
  const {
    total_print_count: total,
    total_succeeded_print_count: succeeded,
    total_cancelled_print_count: cancelled,
  } = stats
  const running = Math.max(0, total - succeeded - cancelled)
  const slices: Slice[] = [
    { kind: 'succeeded', count: succeeded },
    { kind: 'cancelled', count: cancelled },
    { kind: 'running', count: running },
  ]
  const told = slices.filter(({ kind, count }) => kind !== 'running' || count > 0)
  const figures = [
    ['time', durationByMetres(stats.total_print_time)],
    ['longest', durationByMetres(stats.longest_print_time)],
    ['average', durationByMetres(stats.average_print_time)],
    ['filament', lengthOf(stats.total_filament_used)],
  ] as const
  const label = told.map(({ kind, count }) => `${t(`totals.${kind}`)}: ${count}`).join(', ')
  return (
    <Panel label={t('totals.label')}>
      <div className={styles.totals}>
        <div className={styles.ends}>
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
        </div>
        <dl className={styles.figures}>
          {figures.map(([name, figure]) => (
            <div key={name}>
              <dt>{t(`totals.${name}`)}</dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  )
}
