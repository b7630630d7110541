import { IconAdjustmentsHorizontal, IconLayoutGrid, type TablerIcon } from '@tabler/icons-react'
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
