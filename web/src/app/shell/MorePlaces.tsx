import { Menu } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { openFinder } from '../../features/core/finder/Finder.tsx'
import type { Place } from '../../lib/places.ts'
import type { LoadedMenuProps } from '../../ui/lazy-menu.tsx'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { Unseen } from './Unseen.tsx'
import { useCurrent } from './useCurrent.ts'

/** The places that a phone's tabs have no room for. */
export function MorePlaces({ list, button, ...menu }: LoadedMenuProps & { list: Place[] }) {
  const { t } = useTranslation(['common', 'finder'])
  const current = useCurrent()
  return (
    <Menu position="top-end" width={216} {...menu}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSearch size={18} stroke={1.75} />} onClick={openFinder}>
          {t('finder:open')}
        </Menu.Item>
        {list.map((place) => (
          <Menu.Item
            key={place.to}
            leftSection={<place.icon size={18} stroke={1.75} aria-hidden />}
            rightSection={<Unseen count={place.unseen} />}
            aria-current={current(place)}
            renderRoot={(props) => <PlaceLink {...(props as { children: ReactNode })} place={place} />}
          >
            {t(place.text)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
