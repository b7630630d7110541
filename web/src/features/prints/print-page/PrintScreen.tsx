import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useId } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { Columns } from '../../../ui/Columns.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { printQuery } from './print-page.api.ts'
import { PrintPage } from './PrintPage.tsx'
import styles from './PrintPage.module.css'

export default function PrintScreen() {
  const { t } = useTranslation('print-page')
  const id = useId()
  const { data: print, error, isPending, refetch } = useQuery(printQuery(id))

  if (print) return <PrintPage key={print.id} print={print} />
  if (isPending) return <Loading />
  if (problemOf(error).kind === 'missing')
    return (
      <Notice
        whole
        title={t('gone.title')}
        actions={
          <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.history} />}>
            {t('gone.action')}
          </Button>
        }
      >
        {t('gone.text')}
      </Notice>
    )
  return <NotLoaded title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
}

/** The page's own frame, so that nothing jumps when it comes. */
function Loading() {
  return (
    <div aria-busy="true">
      <Skeleton height={36} width={320} mb={22} />
      <Columns>
        <div className={styles.main}>
          <Skeleton className={styles.filmPlace} />
        </div>
        <div className={styles.side}>
          <Skeleton height={170} />
          <Skeleton height={260} />
        </div>
      </Columns>
    </div>
  )
}
