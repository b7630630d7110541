import {
  IconAdjustments,
  IconApps,
  IconBell,
  IconBellRinging,
  IconClock,
  IconCreditCard,
  IconHistory,
  IconLock,
  IconMoon,
  IconPalette,
  IconTicket,
  IconTrash,
  IconUser,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import type { User } from '@vigil/contract/people/accounts.ts'
import { paths } from '../../lib/paths.ts'

/** What decides which sections there are (docs/rules/pages.md 11). */
export interface Facts {
  readonly user: Pick<User, 'notification_enabled' | 'is_dh_unlimited'>
  /** The app around us, if any. */
  readonly platform: string | null
  /** The brand has but one theme. */
  readonly isThemeForced: boolean
  /** `?onlyNotifications=true` */
  readonly isOnlyNotifications: boolean
  /** `?themeable=true` */
  readonly isThemeable: boolean
  readonly isEnterprise: boolean
  /** Ways to be told that this server has, in their order. */
  readonly channels: readonly string[]
  /** Those of them that are set up and switched on. */
  readonly channelsOn: readonly string[]
}

export const GROUPS = ['account', 'notifications', 'plan', 'apps', 'session'] as const
type Group = (typeof GROUPS)[number]

export interface Section {
  readonly to: string
  readonly group: Group
  readonly icon: TablerIcon
  /** What it is called, of `preferences.sections`; a channel has its own name. */
  readonly text: Text | { readonly channel: string }
  readonly isDisabled: boolean
  /** Of a channel: whether anybody is told by it. */
  readonly isOn?: boolean
}
type Text = (typeof TABLE)[number]['text']

/** The sections, in their order; those of the channels stand after the notifications in general. */
const TABLE = [
  { to: paths.general, group: 'account', icon: IconAdjustments, text: 'general' },
  { to: paths.appearance, group: 'account', icon: IconPalette, text: 'appearance' },
  { to: paths.profile, group: 'account', icon: IconUser, text: 'profile' },
  { to: paths.security, group: 'account', icon: IconLock, text: 'security' },
  { to: paths.household, group: 'account', icon: IconUsers, text: 'household' },
  { to: paths.notifications, group: 'notifications', icon: IconBell, text: 'notifications' },
  { to: paths.rules, group: 'notifications', icon: IconMoon, text: 'quiet' },
  { to: paths.deliveries, group: 'notifications', icon: IconHistory, text: 'sent' },
  { to: paths.apps, group: 'apps', icon: IconApps, text: 'apps' },
  { to: paths.subscription, group: 'plan', icon: IconCreditCard, text: 'subscription' },
  { to: paths.hours, group: 'plan', icon: IconClock, text: 'hours' },
  { to: paths.coupons, group: 'plan', icon: IconTicket, text: 'coupons' },
  { to: paths.leave, group: 'session', icon: IconTrash, text: 'delete' },
] as const satisfies readonly { to: string; group: Group; icon: TablerIcon; text: string }[]

const HIDDEN: Partial<Record<Text, (facts: Facts) => boolean>> = {
  appearance: ({ platform, isThemeForced, isThemeable }) =>
    isThemeForced || (platform !== null && !isThemeable),
  hours: ({ user }) => user.is_dh_unlimited,
  subscription: ({ isEnterprise }) => !isEnterprise,
  coupons: ({ isEnterprise }) => !isEnterprise,
}

/** The sections that somebody has, in their order. */
export function sectionsFor(facts: Facts): Section[] {
  const shown = TABLE.filter(
    ({ group, text }) =>
      (!facts.isOnlyNotifications || group === 'notifications') && HIDDEN[text]?.(facts) !== true,
  )
  return shown.flatMap((one): Section[] => {
    const section = { ...one, isDisabled: false }
    return one.text === 'notifications' ? [section, ...channelsFor(facts)] : [section]
  })
}

const channelsFor = ({ channels, channelsOn, user }: Facts): Section[] =>
  channels.map((channel) => ({
    to: paths.channel(channel),
    group: 'notifications',
    icon: IconBellRinging,
    text: { channel },
    isDisabled: !user.notification_enabled,
    isOn: channelsOn.includes(channel),
  }))

/** So many channels stand there in any case; of the others those that are on. */
const CHANNELS_SHOWN = 3
/** Fewer than these are not worth a fold. */
const FOLD = 3

/** The sections without the channels that nobody is told by and nobody looks at, where those are many, and how many these are. */
export function foldedOf(
  sections: readonly Section[],
  current: string,
): { shown: readonly Section[]; folded: number } {
  const channels = sections.filter(({ isOn }) => isOn !== undefined)
  const away = channels.slice(CHANNELS_SHOWN).filter(({ isOn, to }) => isOn === false && to !== current)
  if (away.length < FOLD) return { shown: sections, folded: 0 }
  return { shown: sections.filter((one) => !away.includes(one)), folded: away.length }
}
