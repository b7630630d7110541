import { lazily } from '../../ui/lazily.tsx'
import { page, type Page } from './page.ts'

/** How owners are told, and where letters lead. */
export const notificationsPages: Page[] = [
  {
    path: '/user_preferences/general_notifications/',
    access: 'member',
    screen: page(() => import('../../features/tell/notifications/NotificationsScreen.tsx')),
  },
  {
    path: '/user_preferences/sent_messages/',
    access: 'member',
    screen: page(() => import('../../features/tell/notifications/DeliveriesScreen.tsx')),
  },
  {
    path: '/user_preferences/quiet_hours/',
    access: 'member',
    screen: page(() => import('../../features/tell/notifications/RulesScreen.tsx')),
  },
  {
    path: '/user_preferences/mobile_push_notifications/',
    access: 'member',
    screen: lazily(
      async () => (await import('../../features/tell/notifications/ChannelScreen.tsx')).MobilePushScreen,
    ),
  },
  {
    path: '/user_preferences/notification_{$channel}/',
    access: 'member',
    screen: page(() => import('../../features/tell/notifications/ChannelScreen.tsx')),
  },
  {
    path: '/slack_oauth_callback/',
    access: 'member',
    screen: page(() => import('../../features/tell/notifications/SlackCallbackScreen.tsx')),
  },
  {
    path: '/prints/$id/cancel/',
    access: 'member',
    screen: lazily(
      async () => (await import('../../features/tell/notifications/PrintAct.tsx')).CancelPrintScreen,
    ),
  },
  {
    path: '/prints/$id/resume/',
    access: 'member',
    screen: lazily(
      async () => (await import('../../features/tell/notifications/PrintAct.tsx')).ResumePrintScreen,
    ),
  },
]
