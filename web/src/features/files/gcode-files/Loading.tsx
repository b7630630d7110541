import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import list from '../../../ui/List.module.css'

/** Lines of the size of lines, so that nothing jumps. */
export function Loading() {
  const { t } = useTranslation('common')
  return (
    <div role="status" aria-busy="true" aria-label={t('loading')} className={list.loading}>
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} className={list.ghost}>
          <Skeleton height={42} width={46} />
          <Skeleton height={14} width="40%" />
        </div>
      ))}
    </div>
  )
}
