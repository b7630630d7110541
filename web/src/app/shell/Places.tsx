import { Menu, UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { badgeText, type Place } from '../../lib/places.ts'
import { usePlaces } from '../../lib/usePlaces.ts'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import styles from './Shell.module.css'

/** So many fit at the thumb; with more, the last one opens the rest. */
const TABS = 4

function useCurrent() {
  const { pathname } = useLocation()
  return ({ to, within = [to] }: Place) =>
    within.some((path) => pathname.startsWith(path)) ? 'page' : undefined
}

/** How much was not seen yet. */
function Unseen({ count = 0 }: { count: number | undefined }) {
  const { t } = useTranslation('common')
  if (count === 0) return null
  return (
    <span className={styles.badge} aria-label={t('nav.unseen', { count })} role="img">
      {badgeText(count)}
    </span>
  )
}

function List({ list, size, ...more }: { list: Place[]; size: number } & React.ComponentProps<'ul'>) {
  const { t } = useTranslation('common')
  const current = useCurrent()
  return (
    <ul {...more}>
      {list.map((place) => (
        <li key={place.to}>
          <PlaceLink place={place} className={styles.place} aria-current={current(place)}>
            <place.icon size={size} stroke={1.75} aria-hidden />
            <span>{t(place.text)}</span>
            <Unseen count={place.unseen} />
          </PlaceLink>
        </li>
      ))}
      {more.children}
    </ul>
  )
}

/** The side bar's places, and at its foot what lies elsewhere. */
export function SidePlaces() {
  const { places, foot } = usePlaces()
  return (
    <>
      <List list={places} size={18} className={styles.places} />
      {foot.length > 0 && <List list={foot} size={18} className={styles.places} />}
    </>
  )
}

/** The tabs of a phone. */
export function Tabs() {
  const { places, foot } = usePlaces()
  const all = [...places, ...foot]
  const fit = all.length <= TABS
  const tabs = fit ? all : places.slice(0, TABS - 1)
  const rest = fit ? [] : all.slice(tabs.length)
  return (
    <List list={tabs} size={22} className={styles.tabs}>
      {rest.length > 0 && (
        <li>
          <More list={rest} />
        </li>
      )}
    </List>
  )
}

function More({ list }: { list: Place[] }) {
  const { t } = useTranslation('common')
  const current = useCurrent()
  const isHere = list.some(current)
  const unseen = list.reduce((sum, place) => sum + (place.unseen ?? 0), 0)
  return (
    <Menu position="top-end" width={216}>
      <Menu.Target>
        <UnstyledButton className={styles.place} data-current={isHere || undefined}>
          <IconDots size={22} stroke={1.75} aria-hidden />
          <span>{t('nav.more')}</span>
          <Unseen count={unseen} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {list.map((place) => (
          <Menu.Item
            key={place.to}
            leftSection={<place.icon size={18} stroke={1.75} aria-hidden />}
            rightSection={<Unseen count={place.unseen} />}
            aria-current={current(place)}
            renderRoot={(props) => <PlaceLink {...(props as { children: React.ReactNode })} place={place} />}
          >
            {t(place.text)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
