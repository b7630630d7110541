import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { ColumnsWaiting } from '../../../ui/Columns.tsx'
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
  if (isPending) return <ColumnsWaiting place={styles.filmPlace} beside={[170, 260]} />
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
