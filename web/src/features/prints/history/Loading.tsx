import { Box, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import list from '../../../ui/List.module.css'
import styles from './History.module.css'
import type { View } from './HistoryHead.tsx'

/** Lines of the size of lines, so that nothing jumps. */
export function Loading({ view }: { view: View }) {
  const { t } = useTranslation('common')
  return (
    <Box
      role="status"
      aria-busy="true"
      aria-label={t('loading')}
      data-view={view}
      className={list.loading}
      mt={50}
    >
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} className={list.ghost}>
          <span className={styles.poster} />
          <Skeleton height={14} width="40%" />
          <Skeleton height={14} width="20%" />
        </div>
      ))}
    </Box>
  )
}
