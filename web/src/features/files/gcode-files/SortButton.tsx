import { ActionIcon } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { lazyMenu } from '../../../ui/lazy-menu.tsx'

const SortMenu = lazyMenu(async () => (await import('./SortMenu.tsx')).SortMenu)

/** How the list is sorted. */
export function SortButton() {
  const { t } = useTranslation('gcode-files')
  return (
    <SortMenu
      button={
        <ActionIcon size="lg" variant="default" aria-label={t('sort.label')} title={t('sort.label')}>
          <IconArrowsSort size={18} stroke={1.75} />
        </ActionIcon>
      }
    />
  )
}
