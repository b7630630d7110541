import type { PrintTotals } from '@vigil/contract/prints/prints.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { lengthOf } from '../../../lib/format.ts'
import { usePlaces } from '../../../lib/usePlaces.ts'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './History.module.css'

/** What all prints come to that the filters let through, and the way to the whole statistics of them. */
export function Totals({ totals, search }: { totals: PrintTotals; search: Record<string, string> }) {
  const { t } = useTranslation('history')
  const { durationByMetres } = useTimeText()
  const { places } = usePlaces()
  const stats = places.find(({ text }) => text === 'nav.stats')
  const { count, succeeded, cancelled, print_time: seconds, filament_used: used } = totals
  const figures = [
    [count, t('totals.prints', { count })],
    [succeeded, t('totals.finished')],
    [cancelled, t('totals.cancelled')],
    [durationByMetres(seconds), t('totals.time')],
    [lengthOf(used), t('totals.filament')],
  ] as const
  return (
    <div className={styles.totals}>
      <dl className={styles.figures}>
        {figures.map(([figure, word]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      {stats && (
        <Link to={stats.to} search={search} className={styles.stats}>
          {t('totals.stats')}
        </Link>
      )}
    </div>
  )
}
