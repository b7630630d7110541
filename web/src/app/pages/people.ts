import { paths } from '../../lib/paths.ts'
import { lazily } from '../../ui/lazily.tsx'
import { page, type Page } from './page.ts'

/** Accounts, addresses, passwords, hours, help. */
export const accountsPages: Page[] = [
  {
    path: '/user_preferences/',
    access: 'member',
    screen: page(() => import('../preferences/PreferencesScreen.tsx')),
  },
  {
    path: '/user_preferences/general/',
    access: 'member',
    screen: page(() => import('../../features/people/accounts/GeneralScreen.tsx')),
  },
  {
    path: '/user_preferences/personalization/',
    access: 'member',
    screen: page(() => import('../../features/people/accounts/AppearanceScreen.tsx')),
  },
  {
    path: '/user_preferences/profile/',
    access: 'member',
    screen: page(() => import('../../features/people/accounts/ProfileScreen.tsx')),
  },
  {
    path: '/user_preferences/dh/',
    access: 'member',
    screen: page(() => import('../../features/shop/hours/HoursScreen.tsx')),
  },
  {
    path: paths.welcome,
    access: 'member',
    screen: page(() => import('../../features/shop/welcome/WelcomeScreen.tsx')),
  },
  {
    path: paths.redeemed,
    access: 'member',
    screen: page(() => import('../../features/shop/welcome/WelcomeScreen.tsx')),
  },
  {
    path: paths.subscription,
    access: 'member',
    screen: page(() => import('../../features/shop/subscription/SubscriptionScreen.tsx')),
  },
  {
    path: paths.coupons,
    access: 'member',
    screen: page(() => import('../../features/shop/coupons/CouponsScreen.tsx')),
  },
  {
    path: '/ent/partners/redeem/$partner/',
    access: 'everyone',
    screen: page(() => import('../../features/shop/partners/PartnerScreen.tsx')),
  },
  {
    path: '/user_preferences/authorized_apps/',
    access: 'member',
    screen: page(() => import('../../features/slice/slicers/AppsScreen.tsx')),
  },
  {
    path: '/user_preferences/security/',
    access: 'member',
    screen: page(() => import('../../features/people/security/SecurityScreen.tsx')),
  },
  {
    path: '/user_preferences/delete/',
    access: 'member',
    screen: page(() => import('../../features/people/leaving/LeavingScreen.tsx')),
  },
  {
    path: '/accounts/left/',
    access: 'anyone',
    screen: lazily(async () => (await import('../../features/people/leaving/LeftScreen.tsx')).LeftScreen),
  },
  {
    path: '/accounts/keep/$key/',
    access: 'anyone',
    screen: lazily(
      async () => (await import('../../features/people/leaving/LeftScreen.tsx')).KeepAccountScreen,
    ),
  },
  {
    path: '/user_preferences/household/',
    access: 'member',
    screen: page(() => import('../../features/people/household/HouseholdScreen.tsx')),
  },
  {
    path: '/invitation/',
    access: 'anyone',
    screen: page(() => import('../../features/people/household/InvitationScreen.tsx')),
  },
  {
    path: '/accounts/login/',
    access: 'guest',
    screen: page(() => import('../../features/people/sign-in/LoginScreen.tsx')),
  },
  {
    path: '/accounts/signup/',
    access: 'guest',
    screen: page(() => import('../../features/people/sign-in/SignUpScreen.tsx')),
  },
  {
    path: '/accounts/logout/',
    access: 'anyone',
    screen: page(() => import('../../features/people/sign-in/LogoutScreen.tsx')),
  },
  {
    path: '/accounts/inactive/',
    access: 'anyone',
    screen: lazily(async () => (await import('../../features/people/sign-in/Instead.tsx')).InactiveScreen),
  },
  {
    path: '/accounts/email/',
    access: 'member',
    screen: page(() => import('../../features/people/accounts/EmailsScreen.tsx')),
  },
  {
    path: '/accounts/confirm-email/$key/',
    access: 'anyone',
    screen: page(() => import('../../features/people/accounts/ConfirmEmailScreen.tsx')),
  },
  {
    path: '/accounts/factors/keep/$key/',
    access: 'anyone',
    screen: lazily(
      async () => (await import('../../features/people/security/SecurityScreen.tsx')).KeepFactorsScreen,
    ),
  },
  {
    path: '/accounts/password/reset/',
    access: 'anyone',
    screen: page(() => import('../../features/people/sign-in/ResetScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/done/',
    access: 'anyone',
    screen: lazily(
      async () => (await import('../../features/people/sign-in/ResetScreen.tsx')).ResetSentScreen,
    ),
  },
  {
    path: '/accounts/password/reset/key/$link/',
    access: 'anyone',
    screen: page(() => import('../../features/people/sign-in/ResetKeyScreen.tsx')),
  },
  {
    path: '/accounts/password/reset/key/done/',
    access: 'anyone',
    screen: lazily(
      async () => (await import('../../features/people/sign-in/ResetKeyScreen.tsx')).ResetDoneScreen,
    ),
  },
  {
    path: '/accounts/password/change/',
    access: 'member',
    screen: page(() => import('../../features/people/security/PasswordScreen.tsx')),
  },
  {
    path: '/accounts/password/set/',
    access: 'member',
    screen: lazily(
      async () => (await import('../../features/people/security/PasswordScreen.tsx')).FirstPasswordScreen,
    ),
  },
  {
    path: '/help/',
    access: 'everyone',
    screen: page(() => import('../../features/core/help/HelpScreen.tsx')),
  },
  {
    path: '/setup/',
    access: 'guest',
    screen: page(() => import('../../features/people/sign-in/SetUpScreen.tsx')),
  },
  {
    path: paths.admin,
    access: 'admin',
    screen: page(() => import('../../features/people/admin/PeopleScreen.tsx')),
  },
  {
    path: '/admin/people/$id/',
    access: 'admin',
    screen: page(() => import('../../features/people/admin/PersonScreen.tsx')),
  },
  {
    path: paths.adminNotices,
    access: 'admin',
    screen: page(() => import('../../features/people/admin/NoticesScreen.tsx')),
  },
  {
    path: paths.adminSite,
    access: 'admin',
    screen: page(() => import('../../features/people/admin/SiteScreen.tsx')),
  },
  {
    path: paths.adminJobs,
    access: 'admin',
    screen: page(() => import('../../features/people/admin/JobsScreen.tsx')),
  },
  {
    path: paths.adminCodes,
    access: 'admin',
    screen: page(() => import('../../features/people/admin/CodesScreen.tsx')),
  },
  {
    path: paths.adminSystem,
    access: 'admin',
    screen: page(() => import('../../features/people/admin/SystemScreen.tsx')),
  },
]
