import { Menu } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import type { LoadedMenuProps } from '../../../ui/lazy-menu.tsx'
import { SORTINGS, useSorting } from './useListing.ts'

/** By name, size or age, and which way. */
export function SortMenu({ button, ...menu }: LoadedMenuProps) {
  const { t } = useTranslation('gcode-files')
  const { by, setBy, direction, setDirection } = useSorting()
  return (
    <Menu position="bottom-end" {...menu}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('sort.label')}</Menu.Label>
        <Menu.RadioGroup value={by} onChange={(value) => setBy(value as typeof by)}>
          {SORTINGS.map((value) => (
            <Menu.RadioItem key={value} value={value}>
              {t(`sort.${value}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.RadioGroup value={direction} onChange={(value) => setDirection(value as typeof direction)}>
          {(['asc', 'desc'] as const).map((value) => (
            <Menu.RadioItem key={value} value={value}>
              {t(`sort.${value}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
