import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { useTitle } from '../../../lib/title.ts'
import { GoTo } from '../../../ui/GoTo.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { printersQuery } from '../printers.api.ts'
import { arrange, count, FILTERS, SORTINGS } from './listing.ts'
import { ListControls } from './ListControls.tsx'
import { CardSkeletons, NoPrinters, NothingPasses } from './ListNotices.tsx'
import { PrinterCard } from './PrinterCard.tsx'
import styles from './PrinterListScreen.module.css'

export default function PrinterListScreen() {
  const { t } = useTranslation('printers')
  const { data: printers, error, isPending, refetch } = useQuery(printersQuery)
  const [filter, setFilter] = useStoredChoice('printersFiltering-status', FILTERS, 'all')
  const [sorting, setSorting] = useStoredChoice('printersSorting-sorting', SORTINGS, 'created_at')
  const [direction, setDirection] = useStoredChoice('printersSorting-direction', ['asc', 'desc'], 'desc')
  const [redirects] = useStoredChoice('single-printer-redirect-enabled', ['true', 'false'], 'true')
  const isPhone = useMediaQuery('(max-width: 767px)')
  useTitle(t('list.title'))

  if (!printers) {
    if (!isPending)
      return (
        <Failed whole title={t('list.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )
    return (
      <>
        <PageHeader title={t('list.title')} />
        <CardSkeletons />
      </>
    )
  }

  const { all, printing, needing } = count(printers)
  const only = printers.find((printer) => !printer.archived_at)
  if (all === 1 && only && redirects === 'true') return <GoTo to={paths.control(only.id)} />
  if (all === 0) return <NoPrinters />

  const shown = arrange(printers, filter, sorting, direction)
  const note = [
    t('list.count', { count: all }),
    printing > 0 && t('list.printing', { count: printing }),
    needing > 0 && t('list.needing', { count: needing }),
  ]
  const controls = (
    <ListControls
      filter={filter}
      onFilter={setFilter}
      sorting={sorting}
      direction={direction}
      onSort={(by, towards) => {
        setSorting(by)
        setDirection(towards)
      }}
    />
  )
  return (
    <>
      <PageHeader
        title={t('list.title')}
        {...(isPhone ? {} : { note: note.filter(Boolean).join(' · ') })}
        actions={
          <>
            {!isPhone && controls}
            <Button
              variant="filled"
              leftSection={<IconPlus size={16} stroke={2} />}
              renderRoot={(props) => <Link {...props} to={paths.wizard} />}
            >
              {t('list.link')}
            </Button>
          </>
        }
      />
      {isPhone && controls}
      {shown.length < all && shown.length > 0 && (
        <p className={styles.hidden}>
          {t('list.hidden', { count: all - shown.length })}{' '}
          <button type="button" onClick={() => setFilter('all')}>
            {t('list.showAll')}
          </button>
        </p>
      )}
      {shown.length === 0 ? (
        <NothingPasses onReset={() => setFilter('all')} />
      ) : (
        <div className={styles.grid}>
          {shown.map((printer) => (
            <PrinterCard key={printer.id} printer={printer} />
          ))}
        </div>
      )}
    </>
  )
}
