import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LoadedMenuProps } from '../../../ui/lazy-menu.tsx'
import { type FilterName, type Filters, FILTERS, type Word } from './filters.ts'

interface FilterMenuProps extends LoadedMenuProps {
  filters: Filters
  onToggle: (name: FilterName, word: Word) => void
  onAll: (name: FilterName) => void
}

/** Classes, then types, each turned on or off. */
export function FilterMenu({ filters, onToggle, onAll, button, ...menu }: FilterMenuProps) {
  const { t } = useTranslation('events')
  return (
    <Menu position="bottom-end" {...menu}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        {(['classes', 'types'] as const).map((name) => (
          <div key={name} role="group" aria-label={t(`filter.${name}`)}>
            <Menu.Label>{t(`filter.${name}`)}</Menu.Label>
            <Menu.CheckboxItem checked={filters[name].length === 0} onChange={() => onAll(name)}>
              {t('filter.all')}
            </Menu.CheckboxItem>
            {FILTERS[name].map((word) => (
              <Menu.CheckboxItem
                key={word}
                checked={filters[name].includes(word)}
                onChange={() => onToggle(name, word)}
              >
                {t(`${name}.${word}` as 'classes.ERROR')}
              </Menu.CheckboxItem>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
