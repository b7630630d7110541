import { Menu } from '@mantine/core'
import { useTranslation } from '../../../../lib/translation.ts'
import type { LoadedMenuProps } from '../../../../ui/lazy-menu.tsx'
import { type Direction, ORDERS, type Sorting } from './listing.ts'

interface OrderMenuProps extends LoadedMenuProps {
  current: (typeof ORDERS)[number]
  onSort: (sorting: Sorting, direction: Direction) => void
}

/** The orders that the list can have. */
export function OrderMenu({ current, onSort, button, ...menu }: OrderMenuProps) {
  const { t } = useTranslation('printers')

  function choose(text: string) {
    const order = ORDERS.find((each) => each.text === text)
    if (order) onSort(order.sorting, order.direction)
  }

  return (
    <Menu position="bottom-end" {...menu}>
      <Menu.Target>{button}</Menu.Target>
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
  )
}
