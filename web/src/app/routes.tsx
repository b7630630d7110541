import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { basePath } from '../lib/base.ts'
import { paths } from '../lib/paths.ts'
import { lazily } from '../ui/lazily.tsx'
import { accountsPages } from './pages/people.ts'
import { filesPages } from './pages/files.ts'
import { notificationsPages } from './pages/tell.ts'
import type { Page } from './pages/page.ts'
import { printersPages } from './pages/printers.ts'
import { printsPages } from './pages/prints.ts'
import { parseSearch, stringifySearch } from './search.ts'
import { Crashed } from './shell/Crashed.tsx'
import { Guard } from './shell/Guard.tsx'
import { NotFoundScreen } from './shell/NotFoundScreen.tsx'
import { Root } from './shell/Root.tsx'

/** The one table: which screen stands at which address. */
const pages: Page[] = [
  ...printersPages,
  ...printsPages,
  ...filesPages,
  ...notificationsPages,
  ...accountsPages,
]

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
    component: () => (
      <Guard access={access}>
        <Screen />
      </Guard>
    ),
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
  await first?.screen.load().catch(() => undefined)
}
