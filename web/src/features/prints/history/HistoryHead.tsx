import { ActionIcon, Flex, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconLayoutGrid, IconLayoutList, IconUpload } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { PrintTotals } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { lengthOf } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { usePlaces } from '../../../lib/usePlaces.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { FilterBar, OrderButton } from './FilterBar.tsx'
import styles from './History.module.css'
import { hiddenBy } from './listing.ts'
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
  const title = t(`title.${view}`)
  useTitle(title)
  const isPhone = useMediaQuery('(max-width: 767px)') ?? false
  const { filters, change, reset, printers, totals, counts, all, direction, setDirection, asked } = history
  const hidden = hiddenBy(totals, all)
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <>
            <ViewSwitch view={view} isNarrow={isPhone} />
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
      <FilterBar filters={filters} onChange={change} printers={printers} counts={counts} />
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

/** What all prints come to that the filters let through, and the way to the whole statistics of them. */
function Totals({ totals, search }: { totals: PrintTotals; search: Record<string, string> }) {
  const { t } = useTranslation('history')
  const { duration } = useTimeText()
  const { places } = usePlaces()
  const stats = places.find(({ text }) => text === 'nav.stats')
  const { count, print_time: seconds, filament_used: used } = totals
  const figures = [
    [count, t('totals.prints', { count })],
    [duration(seconds), t('totals.time')],
    [lengthOf(used), t('totals.filament')],
  ] as const
  return (
    <Flex wrap="wrap" align="baseline" justify="space-between" gap="8px 24px" mb={6}>
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
    </Flex>
  )
}

function ViewSwitch({ view, isNarrow }: { view: View; isNarrow: boolean }) {
  const { t } = useTranslation('history')
  const navigate = useNavigate()
  function labelOf(value: View) {
    if (!isNarrow) return t(`view.${value}`)
    const Sign = SIGNS[value]
    return <Sign size={18} stroke={1.75} role="img" aria-label={t(`view.${value}`)} />
  }
  return (
    <SegmentedControl
      aria-label={t('view.label')}
      value={view}
      onChange={(value) => void navigate({ to: value === 'cards' ? paths.timelapses : paths.history })}
      data={VIEWS.map((value) => ({ value, label: labelOf(value) }))}
    />
  )
}
