import { Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import type { LoadedMenuProps } from '../../../ui/lazy-menu.tsx'
import { countsQuery } from './events.api.ts'
import { countOf, type FilterName, type Filters, FILTERS, type Word } from './filters.ts'

interface FilterMenuProps extends LoadedMenuProps {
  filters: Filters
  onToggle: (name: FilterName, word: Word) => void
  onAll: (name: FilterName) => void
}

/** Classes, then types, each turned on or off, with how many there are. */
export function FilterMenu({ filters, onToggle, onAll, button, ...menu }: FilterMenuProps) {
  const { t } = useTranslation('events')
  const { data: counts } = useQuery(countsQuery)
  const many = (name: FilterName, word: Word | null) =>
    counts && (
      <Text span size="sm" c="var(--v-soft)">
        {countOf(counts, name, word, filters)}
      </Text>
    )
  return (
    <Menu position="bottom-end" {...menu}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        {(['classes', 'types'] as const).map((name) => (
          <div key={name} role="group" aria-label={t(`filter.${name}`)}>
            <Menu.Label>{t(`filter.${name}`)}</Menu.Label>
            <Menu.CheckboxItem
              checked={filters[name].length === 0}
              rightSection={many(name, null)}
              onChange={() => onAll(name)}
            >
              {t('filter.all')}
            </Menu.CheckboxItem>
            {FILTERS[name].map((word) => (
              <Menu.CheckboxItem
                key={word}
                checked={filters[name].includes(word)}
                rightSection={many(name, word)}
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
