import { UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../lib/paths.ts'
import type { Place } from '../../lib/places.ts'
import { usePlaces } from '../../lib/usePlaces.ts'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import styles from './Shell.module.css'
import { Unseen } from './Unseen.tsx'
import { useCurrent } from './useCurrent.ts'

/** So many fit at the thumb; with more, the last one opens the rest. */
const TABS = 5
/** What a phone has at the thumb: what one looks for on the way. */
const AT_THUMB: readonly string[] = [paths.printers, paths.history, paths.folders, paths.events]

const MorePlaces = lazyMenu(async () => (await import('./MorePlaces.tsx')).MorePlaces)

interface ListProps extends React.ComponentProps<'ul'> {
  list: Place[]
  size: number
  /** Where there is room for one word. */
  isShort?: boolean
}

function List({ list, size, isShort, ...more }: ListProps) {
  const { t } = useTranslation('common')
  const current = useCurrent()
  return (
    <ul {...more}>
      {list.map((place) => (
        <li key={place.to}>
          <PlaceLink place={place} className={styles.place} aria-current={current(place)}>
            <place.icon size={size} stroke={1.75} aria-hidden />
            <span>{t((isShort && place.short) || place.text)}</span>
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
  const tabs = fit ? all : places.filter(({ to }) => AT_THUMB.includes(to))
  const rest = all.filter((place) => !tabs.includes(place))
  return (
    <List isShort list={tabs} size={22} className={styles.tabs}>
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
    <MorePlaces
      list={list}
      button={
        <UnstyledButton className={styles.place} data-current={isHere || undefined}>
          <IconDots size={22} stroke={1.75} aria-hidden />
          <span>{t('nav.more')}</span>
          <Unseen count={unseen} />
        </UnstyledButton>
      }
    />
  )
}
