import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { basePath } from '../lib/base.ts'
import { paths } from '../lib/paths.ts'
import { lazily, type Screen } from '../ui/lazily.tsx'
import { parseSearch, stringifySearch } from './search.ts'
import { Crashed } from './shell/Crashed.tsx'
import { type Access, Guard } from './shell/Guard.tsx'
import { NotFoundScreen } from './shell/NotFoundScreen.tsx'
import { Root } from './shell/Root.tsx'

interface Page {
  path: string
  screen: Screen
  access: Access
}

const page = (load: () => Promise<{ default: ComponentType }>) => lazily(async () => (await load()).default)

/** The one table: which screen stands at which address. Ids and targets are read with useParams. */
const pages: Page[] = [
  {
    path: '/printers/',
    access: 'member',
    screen: page(() => import('../features/printers/list/PrinterListScreen.tsx')),
  },
  {
    path: '/printers/$id/control/',
    access: 'member',
    screen: page(() => import('../features/printers/control/PrinterControlScreen.tsx')),
  },
  {
    path: '/printers/$id/terminal/',
    access: 'member',
    screen: page(() => import('../features/terminal/TerminalScreen.tsx')),
  },
  {
    path: '/printers/$id/',
    access: 'member',
    screen: page(() => import('../features/settings/PrinterSettingsScreen.tsx')),
  },
  {
    path: '/printers/share_token/$token/',
    access: 'anyone',
    screen: page(() => import('../features/sharing/SharedPrinterScreen.tsx')),
  },
  {
    path: '/printers/wizard/',
    access: 'member',
    screen: page(() => import('../features/linking/ChooseDeviceScreen.tsx')),
  },
  {
    path: '/printers/wizard/guide/$target/',
    access: 'member',
    screen: page(() => import('../features/linking/GuideScreen.tsx')),
  },
  {
    path: '/printers/wizard/link/$target/',
    access: 'member',
    screen: page(() => import('../features/linking/LinkScreen.tsx')),
  },
  {
    path: '/printers/wizard/success/$id/',
    access: 'member',
    screen: page(() => import('../features/linking/LinkedScreen.tsx')),
  },
  {
    path: '/print_history/',
    access: 'member',
    screen: page(() => import('../features/history/HistoryScreen.tsx')),
  },
  {
    path: '/print_history/$id/',
    access: 'member',
    screen: page(() => import('../features/history/HistoryScreen.tsx')),
  },
  {
    path: '/prints/$id/',
    access: 'member',
    screen: page(() => import('../features/printpage/PrintScreen.tsx')),
  },
  {
    path: '/prints/share_token/$token/',
    access: 'anyone',
    screen: page(() => import('../features/printpage/SharedTimelapseScreen.tsx')),
  },
  {
    path: '/timelapses/',
    access: 'member',
    screen: page(() => import('../features/history/TimelapsesScreen.tsx')),
  },
  {
    path: '/stats/',
    access: 'member',
    screen: page(() => import('../features/stats/StatsScreen.tsx')),
  },
  { path: paths.upload, access: 'member', screen: page(() => import('../features/uploads/FilmsScreen.tsx')) },
  {
    path: '/printer_events/',
    access: 'member',
    screen: page(() => import('../features/events/EventsScreen.tsx')),
  },
  {
    path: '/user_preferences/',
    access: 'member',
    screen: page(() => import('../features/accounts/PreferencesScreen.tsx')),
  },
  {
    path: '/user_preferences/dh/',
    access: 'member',
    screen: page(() => import('../features/hours/HoursScreen.tsx')),
  },
  {
    path: '/prints/shot-feedback/$id/',
    access: 'member',
    screen: page(() => import('../features/feedback/FocusedFeedbackScreen.tsx')),
  },
  {
    path: '/first_layer_inspection_images/',
    access: 'member',
    screen: page(() => import('../features/feedback/SurveyScreen.tsx')),
  },
  {
    path: '/nozzle_ninja/',
    access: 'member',
    screen: page(() => import('../features/nozzle/NozzleScreen.tsx')),
  },
  {
    path: '/user_preferences/general_notifications/',
    access: 'member',
    screen: page(() => import('../features/notifications/NotificationsScreen.tsx')),
  },
  {
    path: '/user_preferences/sent_messages/',
    access: 'member',
    screen: page(() => import('../features/notifications/DeliveriesScreen.tsx')),
  },
  {
    path: '/user_preferences/notification_{$channel}/',
    access: 'member',
    screen: page(() => import('../features/notifications/ChannelScreen.tsx')),
  },
  {
    path: '/slack_oauth_callback/',
    access: 'member',
    screen: page(() => import('../features/notifications/SlackCallbackScreen.tsx')),
  },
  {
    path: '/prints/$id/cancel/',
    access: 'member',
    screen: page(() => import('../features/notifications/CancelPrintScreen.tsx')),
  },
  {
    path: '/prints/$id/resume/',
    access: 'member',
    screen: page(() => import('../features/notifications/ResumePrintScreen.tsx')),
  },
  {
    path: '/accounts/login/',
    access: 'guest',
    screen: page(() => import('../features/accounts/LoginScreen.tsx')),
  },
  {
    path: '/accounts/signup/',
    access: 'guest',
    screen: page(() => import('../features/accounts/SignUpScreen.tsx')),
  },
  {
    path: '/prints/$id/replay/',
    access: 'member',
    screen: page(() => import('../features/replay/ReplayScreen.tsx')),
  },
  {
    path: paths.gallery,
    access: 'everyone',
    screen: page(() => import('../features/gallery/GalleryScreen.tsx')),
  },
  {
    path: paths.moderation,
    access: 'admin',
    screen: page(() => import('../features/gallery/ModerationScreen.tsx')),
  },
  {
    path: '/accounts/logout/',
    access: 'anyone',
    screen: page(() => import('../features/accounts/LogoutScreen.tsx')),
  },
  {
    path: '/accounts/inactive/',
    access: 'anyone',
    screen: page(() => import('../features/accounts/InactiveScreen.tsx')),
  },
  {
    path: '/accounts/email/',
    access: 'member',
    screen: page(() => import('../features/accounts/EmailsScreen.tsx')),
  },
  {
    path: '/accounts/confirm-email/$key/',
    access: 'anyone',
    screen: page(() => import('../features/accounts/ConfirmEmailScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/',
    access: 'anyone',
    screen: page(() => import('../features/accounts/ResetScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/done/',
    access: 'anyone',
    screen: page(() => import('../features/accounts/ResetSentScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/key/$link/',
    access: 'anyone',
    screen: page(() => import('../features/accounts/ResetKeyScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/key/done/',
    access: 'anyone',
    screen: page(() => import('../features/accounts/ResetDoneScreen.tsx')),
  },
  {
    path: '/accounts/password/change/',
    access: 'member',
    screen: page(() => import('../features/accounts/PasswordScreen.tsx')),
  },
  {
    path: '/accounts/password/set/',
    access: 'member',
    screen: page(() => import('../features/accounts/FirstPasswordScreen.tsx')),
  },
  { path: '/help/', access: 'everyone', screen: page(() => import('../features/help/HelpScreen.tsx')) },
  { path: '/setup/', access: 'guest', screen: page(() => import('../features/accounts/SetUpScreen.tsx')) },
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
