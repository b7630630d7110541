import { Button, Stack, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconPlus, IconArrowsSort, IconLayoutGrid, IconLayoutList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useCallback, useRef, memo } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { problemOf } from '../../../../lib/errors.ts'
import { paths } from '../../../../lib/paths.ts'
import { useShortcut } from '../../../../lib/shortcuts.ts'
import { useStoredChoice } from '../../../../lib/stored.ts'
import { useTabIcon } from '../../../../lib/tab-icon.ts'
import { useTitle } from '../../../../lib/title.ts'
import { useLiveList } from '../../../../printer/live/account-line.ts'
import { printersQuery } from '../../../../printer/printers.api.ts'
import { signOf } from '../../../../printer/state.ts'
import { DetectionHours } from '../../../../ui/DetectionHours.tsx'
import { GoTo } from '../../../../ui/GoTo.tsx'
import { lazily } from '../../../../ui/lazily.tsx'
import { lazyMenu } from '../../../../ui/lazy-menu.tsx'
import { NotLoaded } from '../../../../ui/NotLoaded.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import {
  arrange,
  count,
  type Direction,
  FILTERS,
  isLine,
  type Sorting,
  SORTINGS,
  VIEWS,
  type Filter,
  ORDERS,
  type View,
} from './listing.ts'
import {
  ArchivedNotice,
  CardSkeletons,
  HiddenNotice,
  NoPrinters,
  NothingPasses,
  ReachNotice,
  TileSkeletons,
} from './ListNotices.tsx'
import { OfflineLine } from './OfflineLine.tsx'
import { PrinterCard } from './PrinterCard.tsx'
import styles from './PrinterListScreen.module.css'

const OrderMenu = lazyMenu(async () => (await import('./OrderMenu.tsx')).OrderMenu)

const ICONS = { cards: IconLayoutList, grid: IconLayoutGrid }

interface ListControlsProps {
  /** Short of room: signs instead of words. */
  narrow: boolean
  view: View
  onView: (view: View) => void
  filter: Filter
  onFilter: (filter: Filter) => void
  sorting: Sorting
  direction: Direction
  onSort: (sorting: Sorting, direction: Direction) => void
}

/** How, which printers, and in what order; kept in this browser. */
const ListControls = memo(function ListControls(props: ListControlsProps) {
  const { narrow, view, onView, filter, onFilter, sorting, direction, onSort } = props
  const { t } = useTranslation('printers')
  const { t: grid } = useTranslation('grid')
  const current =
    ORDERS.find((order) => order.sorting === sorting && order.direction === direction) ?? ORDERS[0]

  function viewLabel(value: View) {
    if (!narrow) return grid(`view.${value}`)
    const Icon = ICONS[value]
    return <Icon size={18} stroke={1.75} role="img" aria-label={grid(`view.${value}`)} />
  }

  const sortLabel = `${t('sort.label')}: ${t(current.text)}`
  return (
    <div className={styles.controls}>
      <SegmentedControl
        aria-label={grid('view.label')}
        value={view}
        onChange={(value) => onView(value)}
        data={VIEWS.map((value) => ({ value, label: viewLabel(value) }))}
      />
      <SegmentedControl
        aria-label={t('filter.label')}
        value={filter}
        onChange={(value) => onFilter(value)}
        data={FILTERS.map((value) => ({ value, label: t(`filter.${value}`) }))}
      />
      <OrderMenu
        current={current}
        onSort={onSort}
        button={
          <Button
            aria-label={sortLabel}
            title={sortLabel}
            className={narrow ? styles.square : undefined}
            leftSection={narrow ? undefined : <IconArrowsSort size={16} stroke={1.75} />}
          >
            {narrow ? <IconArrowsSort size={18} stroke={1.75} aria-hidden /> : t(current.text)}
          </Button>
        }
      />
    </div>
  )
})

const TileGrid = lazily(async () => (await import('./TileGrid.tsx')).TileGrid)

/** While the socket tells what changes, the list is asked again only for printers that are new. */
const POLL_MS = { open: 60_000, other: 15_000 }
/** So many cards are drawn before the browser has said which are on the screen. */
const FIRST = 8

export default function PrinterListScreen() {
  const { t } = useTranslation('printers')
  const open = useRef(false)
  const {
    data: printers,
    error,
    isPending,
    refetch,
  } = useQuery({
    ...printersQuery,
    refetchInterval: () => (open.current ? POLL_MS.open : POLL_MS.other),
  })
  open.current = useLiveList(printers) === 'open'
  const [redirects] = useStoredChoice('single-printer-redirect-enabled', ['true', 'false'], 'true')
  const [view] = useStoredChoice('printersView', VIEWS, 'cards')
  const needing = count(printers ?? []).needing
  useTabIcon(signOf((printers ?? []).filter((printer) => !printer.archived_at)))
  useTitle(
    [needing > 0 && t('list.needing', { count: needing }), t('list.title')].filter(Boolean).join(' · '),
  )

  if (!printers) {
    if (!isPending)
      return <NotLoaded title={t('list.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
    return (
      <>
        <PageHeader title={t('list.title')} />
        {view === 'grid' ? <TileSkeletons /> : <CardSkeletons />}
      </>
    )
  }

  const here = printers.filter((printer) => !printer.archived_at)
  const only = here.length === 1 ? here[0] : undefined
  if (only && redirects === 'true') return <GoTo to={paths.control(only.id)} />
  if (here.length === 0) return <NoPrinters archived={printers.length} />
  return <PrinterList printers={printers} />
}

function PrinterList({ printers }: { printers: Printer[] }) {
  const { t } = useTranslation('printers')
  const [view, setView] = useStoredChoice('printersView', VIEWS, 'cards')
  const [filter, setFilter] = useStoredChoice('printersFiltering-status', FILTERS, 'all')
  const [sorting, setSorting] = useStoredChoice('printersSorting-sorting', SORTINGS, 'created_at')
  const [direction, setDirection] = useStoredChoice('printersSorting-direction', ['asc', 'desc'], 'desc')
  const onSort = useCallback(
    (by: Sorting, towards: Direction) => {
      setSorting(by)
      setDirection(towards)
    },
    [setSorting, setDirection],
  )
  const navigate = useNavigate()
  useShortcut('view', () => setView(view === 'grid' ? 'cards' : 'grid'))
  useShortcut('linkPrinter', () => void navigate({ to: paths.wizard }))
  const isPhone = useMediaQuery('(max-width: 767px)') ?? false
  const { all, printing, needing, archived } = count(printers)
  const shown = arrange(printers, filter, sorting, direction)
  const note = [
    t('list.count', { count: all }),
    printing > 0 && t('list.printing', { count: printing }),
    needing > 0 && t('list.needing', { count: needing }),
  ]
  const controls = (
    <ListControls
      narrow={isPhone}
      view={view}
      onView={setView}
      filter={filter}
      onFilter={setFilter}
      sorting={sorting}
      direction={direction}
      onSort={onSort}
    />
  )
  return (
    <>
      <PageHeader
        title={t('list.title')}
        {...(isPhone
          ? {}
          : {
              note: (
                <>
                  <span>{note.filter(Boolean).join(' · ')}</span>
                  <DetectionHours />
                </>
              ),
            })}
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
      {isPhone && (
        <div className={styles.hours}>
          <DetectionHours />
        </div>
      )}
      {printers.some((each) => !each.archived_at && each.watching_enabled) && <ReachNotice />}
      <ArchivedNotice count={archived} />
      {shown.length < all && shown.length > 0 && (
        <HiddenNotice count={all - shown.length} onReset={() => setFilter('all')} />
      )}
      {shown.length === 0 && <NothingPasses onReset={() => setFilter('all')} />}
      {shown.length > 0 && view === 'grid' && <TileGrid printers={shown} />}
      {view === 'cards' && <Cards printers={shown} />}
    </>
  )
}

/** Those of which something is known as cards, and below them a line for each that is away. */
function Cards({ printers }: { printers: Printer[] }) {
  const cards = printers.filter((printer) => !isLine(printer))
  const lines = printers.filter(isLine)
  return (
    <Stack gap={18}>
      {cards.length > 0 && (
        <div className={styles.grid}>
          {cards.map((printer, at) => (
            <PrinterCard key={printer.id} printer={printer} first={at < FIRST} />
          ))}
        </div>
      )}
      {lines.length > 0 && (
        <div className={styles.lines}>
          {lines.map((printer) => (
            <OfflineLine key={printer.id} printer={printer} />
          ))}
        </div>
      )}
    </Stack>
  )
}
