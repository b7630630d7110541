import type { PrintTotals } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from 'react-i18next'
import { lengthOf } from '../../../lib/format.ts'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './History.module.css'
import { useMonthText } from './useTexts.ts'

/** The quiet heading of a month, with what it comes to. */
export function MonthLine({ month, totals }: { month: string; totals: PrintTotals | undefined }) {
  const { t } = useTranslation('history')
  const { durationByMetres } = useTimeText()
  const monthText = useMonthText()
  const sums = totals?.months.find((each) => each.month === month)
  return (
    <div className={styles.month}>
      <h2>{monthText(month)}</h2>
      {sums && (
        <span>
          {[
            t('month.prints', { count: sums.count }),
            durationByMetres(sums.print_time),
            lengthOf(sums.filament_used),
          ].join(' · ')}
        </span>
      )}
    </div>
  )
}
