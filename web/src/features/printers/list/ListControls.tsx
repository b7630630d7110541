import { Button, Menu, SegmentedControl } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Direction, type Filter, FILTERS, type Sorting } from './listing.ts'
import styles from './PrinterListScreen.module.css'

const ORDERS = [
  { sorting: 'created_at', direction: 'desc', text: 'sort.newest' },
  { sorting: 'created_at', direction: 'asc', text: 'sort.oldest' },
  { sorting: 'name', direction: 'asc', text: 'sort.nameUp' },
  { sorting: 'name', direction: 'desc', text: 'sort.nameDown' },
] as const

interface ListControlsProps {
  filter: Filter
  onFilter: (filter: Filter) => void
  sorting: Sorting
  direction: Direction
  onSort: (sorting: Sorting, direction: Direction) => void
}

/** Which printers, and in what order; kept in this browser. */
export function ListControls({ filter, onFilter, sorting, direction, onSort }: ListControlsProps) {
  const { t } = useTranslation('printers')
  const current =
    ORDERS.find((order) => order.sorting === sorting && order.direction === direction) ?? ORDERS[0]

  function choose(text: string) {
    const order = ORDERS.find((each) => each.text === text)
    if (order) onSort(order.sorting, order.direction)
  }

  return (
    <div className={styles.controls}>
      <SegmentedControl
        aria-label={t('filter.label')}
        value={filter}
        onChange={(value) => onFilter(value)}
        data={FILTERS.map((value) => ({ value, label: t(`filter.${value}`) }))}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            leftSection={<IconArrowsSort size={16} stroke={1.75} />}
            aria-label={`${t('sort.label')}: ${t(current.text)}`}
          >
            {t(current.text)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup value={current.text} onChange={choose}>
            {ORDERS.map(({ text }) => (
              <Menu.RadioItem key={text} value={text}>
                {t(text)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
