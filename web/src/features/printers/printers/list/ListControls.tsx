import { Button, SegmentedControl } from '@mantine/core'
import { IconArrowsSort, IconLayoutGrid, IconLayoutList } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyMenu } from '../../../../ui/lazy-menu.tsx'
import { type Direction, type Filter, FILTERS, ORDERS, type Sorting, type View, VIEWS } from './listing.ts'
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
export const ListControls = memo(function ListControls(props: ListControlsProps) {
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
