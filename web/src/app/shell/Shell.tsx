import { Box, UnstyledButton } from '@mantine/core'
import { IconSelector, IconDots, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { Finder, openFinder } from '../../features/core/finder/Finder.tsx'
import { Shortcuts } from '../../features/core/shortcuts/Shortcuts.tsx'
import { useHeaderHidden } from '../../lib/header.ts'
import { paths } from '../../lib/paths.ts'
import type { Place } from '../../lib/places.ts'
import { useBootstrap, useUser } from '../../lib/session.ts'
import { usePlaces } from '../../lib/usePlaces.ts'
import { Brand } from '../../ui/Brand.tsx'
import { DetectionHours } from '../../ui/DetectionHours.tsx'
import { laterOn } from '../../ui/lazily.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import shared from '../../ui/shared.module.css'
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

/** The way to anything by its name. */
function FindButton() {
  const { t } = useTranslation('finder')
  return (
    <UnstyledButton className={styles.find} aria-keyshortcuts="Control+K Meta+K" onClick={openFinder}>
      <IconSearch size={18} stroke={1.75} aria-hidden />
      <span>{t('open')}</span>
      <kbd aria-hidden>{IS_APPLE ? '⌘ K' : 'Ctrl K'}</kbd>
    </UnstyledButton>
  )
}
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The side bar's places, and at its foot what lies elsewhere. */
function SidePlaces() {
  const { places, foot } = usePlaces()
  return (
    <>
      <List list={places} size={18} className={styles.places} />
      {foot.length > 0 && <List list={foot} size={18} className={styles.places} />}
    </>
  )
}

/** The tabs of a phone. */
function Tabs() {
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

const UserMenuList = lazyMenu(async () => (await import('./UserMenuList.tsx')).UserMenuList)

/** Who I am here, how it looks, and the way out. */
function UserMenu() {
  const user = useUser()
  return (
    <UserMenuList
      button={
        <UnstyledButton className={styles.target}>
          <span className={styles.avatar} aria-hidden>
            {initials(user)}
          </span>
          <Box component="span" className={shared.cut} flex={1} miw={0} fz={13} c="dimmed">
            {user.first_name || user.email}
            <small className={styles.hours}>
              <DetectionHours short />
            </small>
          </Box>
          <IconSelector size={16} stroke={1.75} aria-hidden className={shared.faint} />
        </UnstyledButton>
      }
    />
  )
}

function initials(user: { first_name: string; last_name: string; email: string }): string {
  const named = `${user.first_name.trim().charAt(0)}${user.last_name.trim().charAt(0)}`
  return (named || user.email.slice(0, 2)).toUpperCase()
}

const Notices = laterOn(async () => (await import('../../features/people/notices/Notices.tsx')).Notices)
const Listening = laterOn(async () => (await import('./Listening.tsx')).Listening)

/** The page's base address would make a bare fragment a way to the start page. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** The frame of every signed-in screen: a side bar, or tabs at the thumb on a phone. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common')
  const { page_context: context } = useBootstrap()
  const bare = useHeaderHidden()
  if (bare)
    return (
      <main id="main" className={styles.main} data-bare tabIndex={-1}>
        <Notices />
        {children}
      </main>
    )
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip} onClick={skipToContent}>
        {t('nav.skip')}
      </a>
      <aside className={styles.side}>
        {/* The keyboard's way there is the first place of the list below. */}
        <Link
          to={paths.printers}
          className={styles.home}
          aria-label={context.syndicate.display_name}
          tabIndex={-1}
        >
          <Brand />
        </Link>
        <FindButton />
        <nav aria-label={t('nav.label')} className={styles.nav}>
          <SidePlaces />
        </nav>
        <UserMenu />
      </aside>
      <main id="main" className={styles.main} tabIndex={-1}>
        <Notices />
        {children}
      </main>
      <nav aria-label={t('nav.label')} className={styles.bottom}>
        <Tabs />
      </nav>
      <Shortcuts />
      <Finder />
      <Listening />
    </div>
  )
}
