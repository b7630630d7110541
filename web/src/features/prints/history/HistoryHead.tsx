import { ActionIcon, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconLayoutGrid, IconLayoutList, IconUpload } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { FilterBar, OrderButton } from './FilterBar.tsx'
import styles from './History.module.css'
import { hiddenBy } from './listing.ts'
import { Totals } from './Totals.tsx'
import type { useHistory } from './useHistory.ts'

export type View = 'rows' | 'cards'
const VIEWS: readonly View[] = ['rows', 'cards']
const SIGNS = { rows: IconLayoutList, cards: IconLayoutGrid }

interface HistoryHeadProps {
  view: View
  history: ReturnType<typeof useHistory>
}

/** Where I am, which prints are shown, and what they come to. */
export function HistoryHead({ view, history }: HistoryHeadProps) {
  const { t } = useTranslation('history')
  const navigate = useNavigate()
  const title = t(`title.${view}`)
  useTitle(title)
  const isPhone = useMediaQuery('(max-width: 767px)') ?? false
  const { filters, change, reset, printers, totals, all, direction, setDirection, asked } = history
  function viewLabel(value: View) {
    if (!isPhone) return t(`view.${value}`)
    const Sign = SIGNS[value]
    return <Sign size={18} stroke={1.75} role="img" aria-label={t(`view.${value}`)} />
  }

  const hidden = hiddenBy(totals, all)
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            <SegmentedControl
              aria-label={t('view.label')}
              value={view}
              onChange={(value) =>
                void navigate({ to: value === 'cards' ? paths.timelapses : paths.history })
              }
              data={VIEWS.map((value) => ({ value, label: viewLabel(value) }))}
            />
            <ActionIcon
              size="lg"
              variant="default"
              aria-label={t('upload')}
              title={t('upload')}
              renderRoot={(props) => <Link {...props} to={paths.upload} />}
            >
              <IconUpload size={18} stroke={1.75} />
            </ActionIcon>
            <OrderButton narrow={isPhone} direction={direction} onDirection={setDirection} />
          </>
        }
      />
      <FilterBar filters={filters} onChange={change} printers={printers} />
      {hidden > 0 && (
        <p className={styles.hidden} role="status">
          {t('hidden', { count: hidden })}{' '}
          <button type="button" onClick={reset}>
            {t('reset')}
          </button>
        </p>
      )}
      {totals && totals.count > 0 && <Totals totals={totals} search={searchOf(asked)} />}
    </>
  )
}

/** The same filters for the page of statistics. */
function searchOf({
  filter_by_printer_ids: ids,
  filter,
  from_date,
  to_date,
}: HistoryHeadProps['history']['asked']) {
  return {
    ...(filter && { filter: String(filter) }),
    ...(Array.isArray(ids) && { filter_by_printer_ids: ids.join(',') }),
    ...(from_date && to_date && { from_date, to_date }),
  }
}
