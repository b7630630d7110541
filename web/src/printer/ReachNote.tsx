import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconBellOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../lib/paths.ts'
import { reachQuery } from './reach.api.ts'
import styles from './ReachNote.module.css'

/** Says of a printer that is watched that nobody would hear of a failure, where that is so. */
export function ReachNote({ printer }: { printer: Printer }) {
  const { t } = useTranslation('notifications')
  const { data } = useQuery({ ...reachQuery, enabled: printer.watching_enabled })
  if (!printer.watching_enabled || data === undefined || data.reach === 'works') return null
  return (
    <div className={styles.note} data-reach={data.reach}>
      <IconBellOff size={18} stroke={1.75} aria-hidden />
      <span>
        {t(`reach.${data.reach}`)}{' '}
        <Link to={paths.notifications} className={styles.link}>
          {t('reach.mend')}
        </Link>
      </span>
    </div>
  )
}
