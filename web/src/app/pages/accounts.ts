import { page, type Page } from './page.ts'

/** Accounts, addresses, passwords, hours, help. */
export const accountsPages: Page[] = [
  {
    path: '/user_preferences/',
    access: 'member',
    screen: page(() => import('../../features/accounts/PreferencesScreen.tsx')),
  },
  {
    path: '/user_preferences/dh/',
    access: 'member',
    screen: page(() => import('../../features/hours/HoursScreen.tsx')),
  },
  {
    path: '/user_preferences/authorized_apps/',
    access: 'member',
    screen: page(() => import('../../features/slicers/AppsScreen.tsx')),
  },
  {
    path: '/accounts/login/',
    access: 'guest',
    screen: page(() => import('../../features/accounts/LoginScreen.tsx')),
  },
  {
    path: '/accounts/signup/',
    access: 'guest',
    screen: page(() => import('../../features/accounts/SignUpScreen.tsx')),
  },
  {
    path: '/accounts/logout/',
    access: 'anyone',
    screen: page(() => import('../../features/accounts/LogoutScreen.tsx')),
  },
  {
    path: '/accounts/inactive/',
    access: 'anyone',
    screen: page(() => import('../../features/accounts/InactiveScreen.tsx')),
  },
  {
    path: '/accounts/email/',
    access: 'member',
    screen: page(() => import('../../features/accounts/EmailsScreen.tsx')),
  },
  {
    path: '/accounts/confirm-email/$key/',
    access: 'anyone',
    screen: page(() => import('../../features/accounts/ConfirmEmailScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/',
    access: 'anyone',
    screen: page(() => import('../../features/accounts/ResetScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/done/',
    access: 'anyone',
    screen: page(() => import('../../features/accounts/ResetSentScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/key/$link/',
    access: 'anyone',
    screen: page(() => import('../../features/accounts/ResetKeyScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/key/done/',
    access: 'anyone',
    screen: page(() => import('../../features/accounts/ResetDoneScreen.tsx')),
  },
  {
    path: '/accounts/password/change/',
    access: 'member',
    screen: page(() => import('../../features/accounts/PasswordScreen.tsx')),
  },
  {
    path: '/accounts/password/set/',
    access: 'member',
    screen: page(() => import('../../features/accounts/FirstPasswordScreen.tsx')),
  },
  { path: '/help/', access: 'everyone', screen: page(() => import('../../features/help/HelpScreen.tsx')) },
  { path: '/setup/', access: 'guest', screen: page(() => import('../../features/accounts/SetUpScreen.tsx')) },
]
