import { useQuery } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  Outlet,
  useRouter,
} from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from '../lib/translation.ts'
import { basePath } from '../lib/base.ts'
import { problemOf } from '../lib/errors.ts'
import { hasChosenLanguage, showLanguage } from '../lib/i18n.ts'
import { OF_PROFILE, paths } from '../lib/paths.ts'
import { useFollowTheme } from '../lib/themes.ts'
import { startReports } from '../lib/report.ts'
import { type Bootstrap, bootstrapQuery } from '../lib/session.ts'
import { lazily } from '../ui/lazily.tsx'
import { Failed } from '../ui/Notice.tsx'
import { filesPages } from './pages/files.ts'
import type { Page } from './pages/page.ts'
import { accountsPages } from './pages/people.ts'
import { printersPages } from './pages/printers.ts'
import { printsPages } from './pages/prints.ts'
import { notificationsPages } from './pages/tell.ts'
import { parseSearch, stringifySearch } from './search.ts'
import { Crashed } from './shell/Crashed.tsx'
import { Guard } from './shell/Guard.tsx'
import { NotFoundScreen } from './shell/NotFoundScreen.tsx'

/** Where the focus is left over from the page before, or nowhere: elsewhere somebody has put it. */
const isLeftOver = (element: Element | null) =>
  element === null || element === document.body || element.closest('nav, aside') !== null

/** Puts the focus on the heading as soon as one stands; returns how to stop that. */
function focusHeading(): () => void {
  const stop = () => {
    observer.disconnect()
    removeEventListener('keydown', stop)
    removeEventListener('pointerdown', stop)
  }
  const look = () => {
    const heading = document.querySelector('h1')
    if (!heading) return
    stop()
    if (!isLeftOver(document.activeElement)) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  // Whoever goes on by themselves is not called back.
  addEventListener('keydown', stop)
  addEventListener('pointerdown', stop)
  look()
  return stop
}

/** On the way to another page the focus moves to its heading, where the keyboard goes on and a screen reader begins. */
function useArrival(): void {
  const router = useRouter()
  useEffect(() => {
    let stop: (() => void) | null = null
    const leave = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      stop?.()
      stop = fromLocation && pathChanged ? focusHeading() : null
    })
    return () => {
      stop?.()
      leave()
    }
  }, [router])
}

/** The one table: which screen stands at which address. */
const pages: Page[] = [
  ...printersPages,
  ...printsPages,
  ...filesPages,
  ...notificationsPages,
  ...accountsPages,
]

/** Beside every section of the preferences stand the others. */
const PreferencesFrame = lazily(
  async () => (await import('./preferences/PreferencesFrame.tsx')).PreferencesFrame,
)
const isSection = (path = '') => path.startsWith(paths.preferences) || OF_PROFILE.includes(path)
const framed = (path: string, screen: ReactNode) =>
  isSection(path) ? <PreferencesFrame>{screen}</PreferencesFrame> : screen

/** All our parts in all their states, where the client is developed and nowhere else. */
if (import.meta.env.DEV)
  pages.push({
    path: '/dev/gallery/',
    access: 'anyone',
    screen: lazily(async () => (await import('../../dev/gallery/Gallery.tsx')).Gallery),
  })

/** Where even the frame of a page is gone. */
function NothingLeft({ error }: { error: unknown }) {
  return (
    <main>
      <Crashed error={error} />
    </main>
  )
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundScreen,
  errorComponent: NothingLeft,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: paths.printers, replace: true })
  },
})

const routes = pages.map(({ path, screen: Screen, access }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: () => <Guard access={access}>{framed(path, <Screen />)}</Guard>,
  }),
)

export const router = createRouter({
  routeTree: root.addChildren([home, ...routes]),
  basepath: basePath,
  trailingSlash: 'always',
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultErrorComponent: NothingLeft,
  defaultNotFoundComponent: NotFoundScreen,
})

/** Loads the screen that the address asks for, so that the first drawn is that one; what fails it says itself. */
export async function loadFirstScreen(): Promise<void> {
  await router.load().catch(() => undefined)
  const { fullPath } = router.state.matches.at(-1) ?? {}
  const first = pages.find(({ path }) => path === fullPath)
  const frame = isSection(fullPath) ? PreferencesFrame.load() : null
  await Promise.all([first?.screen.load(), frame]).catch(() => undefined)
}

/** Nothing is shown before we know who looks; without the server, that is what is said. */
function Root() {
  const { t } = useTranslation('common')
  const { data, error, refetch, isPending } = useQuery(bootstrapQuery)
  const language = data?.user?.language ?? data?.page_context.language

  useEffect(() => {
    if (language && !hasChosenLanguage()) showLanguage(language).catch(() => undefined)
  }, [language])

  useFollowTheme(data?.user?.theme)
  useReports(data?.settings)
  useArrival()

  if (isPending) return <div aria-busy="true" />
  if (!data)
    return (
      <main>
        <Failed whole title={t('noServer')} problem={problemOf(error)} onRetry={() => void refetch()} />
      </main>
    )
  return <Outlet />
}

/** What breaks here is told where the operator wants it, and else nowhere. */
function useReports(settings: Bootstrap['settings'] | undefined): void {
  const router = useRouter()
  const { SENTRY_DSN: dsn, VERSION: version } = settings ?? {}
  useEffect(() => {
    if (dsn && version)
      startReports({ dsn, version, route: () => router.state.matches.at(-1)?.routeId ?? '' })
  }, [router, dsn, version])
}
