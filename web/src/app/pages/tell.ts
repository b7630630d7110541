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
    screen: page(() => import('../../features/tell/notifications/MobilePushScreen.tsx')),
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
    screen: page(() => import('../../features/tell/notifications/CancelPrintScreen.tsx')),
  },
  {
    path: '/prints/$id/resume/',
    access: 'member',
    screen: page(() => import('../../features/tell/notifications/ResumePrintScreen.tsx')),
  },
]
