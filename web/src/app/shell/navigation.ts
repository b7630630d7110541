import {
  IconAdjustmentsHorizontal,
  IconHelpCircle,
  IconLayoutGrid,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { paths } from '../../lib/paths.ts'

interface Place {
  to: string
  text: 'nav.printers' | 'nav.preferences'
  icon: TablerIcon
  /** Addresses below which this place is the current one. */
  within: string
}

/** The side bar and, on a phone, the tabs. A place is listed from the day its page exists. */
export const places: Place[] = [
  { to: paths.printers, text: 'nav.printers', icon: IconLayoutGrid, within: '/printers/' },
  {
    to: paths.preferences,
    text: 'nav.preferences',
    icon: IconAdjustmentsHorizontal,
    within: '/user_preferences/',
  },
]

interface Elsewhere {
  href: string
  text: 'nav.help' | 'nav.community'
  icon: TablerIcon
}

/** Help and Community of a brand, where it has an address for them: only https, whatever was configured. */
export function helpLinks({ docRoot, ...brand }: { docRoot: string; community?: string }): Elsewhere[] {
  const links: Elsewhere[] = [
    { href: docRoot, text: 'nav.help', icon: IconHelpCircle },
    { href: brand.community ?? '', text: 'nav.community', icon: IconUsers },
  ]
  return links.filter(({ href }) => /^https:\/\/./.test(href))
}
