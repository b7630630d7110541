import {
  IconAdjustmentsHorizontal,
  IconBell,
  IconChartBar,
  IconCube,
  IconFileCode,
  IconHelpCircle,
  IconHistory,
  IconLayoutGrid,
  IconListCheck,
  IconMovie,
  IconSettings2,
  IconTag,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Brand } from '@vigil/contract/people/accounts.ts'
import { paths } from './paths.ts'

export interface Place {
  /** A path of ours, or an https address elsewhere. */
  to: string
  /** The part of the page. */
  hash?: string
  /** Drawn by the server: the browser loads it. */
  byServer?: true
  text: `nav.${'printers' | 'history' | 'gcodes' | 'queue' | 'models' | 'stats' | 'notifications' | 'preferences' | 'pricing' | 'gallery' | 'admin' | 'help' | 'community'}`
  /** The same in one word. */
  short?: 'nav.historyShort' | 'nav.alerts'
  icon: TablerIcon
  /** Addresses below which this place is the current one; its own without it. */
  within?: string[]
  /** How many things wait there that were not seen yet. */
  unseen?: number
}

interface Kind extends Place {
  /** In the enterprise edition alone. */
  enterprise?: true
  /** For whom; everyone without it. */
  who?: 'member' | 'admin' | 'guest'
  /** At the foot of the side bar. */
  foot?: true
}

/** Every place of docs/rules/remote.md 3, in their order. */
const PLACES: Kind[] = [
  { to: paths.printers, text: 'nav.printers', icon: IconLayoutGrid, who: 'member' },
  {
    to: paths.history,
    text: 'nav.history',
    short: 'nav.historyShort',
    icon: IconHistory,
    within: [paths.history, paths.timelapses, paths.upload, '/prints/'],
    who: 'member',
  },
  {
    to: paths.folders,
    text: 'nav.gcodes',
    icon: IconFileCode,
    within: ['/g_code_folders/', '/g_code_files/', paths.slice],
    who: 'member',
  },
  { to: paths.queue, text: 'nav.queue', icon: IconListCheck, who: 'member' },
  { to: paths.designs, text: 'nav.models', icon: IconCube, who: 'member' },
  { to: paths.stats, text: 'nav.stats', icon: IconChartBar, who: 'member' },
  { to: paths.events, text: 'nav.notifications', short: 'nav.alerts', icon: IconBell, who: 'member' },
  { to: paths.preferences, text: 'nav.preferences', icon: IconAdjustmentsHorizontal, who: 'member' },
  { to: paths.gallery, text: 'nav.gallery', icon: IconMovie, who: 'guest', enterprise: true, foot: true },
  {
    to: paths.admin,
    text: 'nav.admin',
    icon: IconSettings2,
    who: 'admin',
    within: ['/admin/', paths.moderation],
    foot: true,
  },
  { to: paths.pricing, text: 'nav.pricing', icon: IconTag, enterprise: true, foot: true, byServer: true },
]

/**
 * Where one can go from here: by edition, by whether one is signed in, and only to pages that exist. Help and
 * Community are the brand's, where it has an https address or a page of ours for them.
 */
export function placesFor(known: {
  user: { unseen_printer_events: number } | null
  isAdmin?: boolean
  isEnterprise: boolean
  brand: Pick<Brand, 'docRoot' | 'community'>
  has: (path: string) => boolean
}): { places: Place[]; foot: Place[] } {
  const { user, isAdmin, isEnterprise, brand, has } = known
  const roles = user ? ['member', ...(isAdmin ? ['admin'] : [])] : ['guest']
  const shown = PLACES.filter(
    ({ to, enterprise, who, byServer }) =>
      (byServer || has(to)) && (isEnterprise || !enterprise) && (!who || roles.includes(who)),
  )
  const elsewhere: Place[] = [
    { to: brand.docRoot, text: 'nav.help', icon: IconHelpCircle },
    { to: brand.community, text: 'nav.community', icon: IconUsers },
  ]
  const places = shown
    .filter(({ foot }) => !foot)
    .map((place) =>
      place.text === 'nav.notifications' ? { ...place, unseen: user?.unseen_printer_events ?? 0 } : place,
    )
  return {
    places,
    foot: [
      ...shown.filter(({ foot }) => foot),
      ...elsewhere.filter(({ to }) => isElsewhere(to) || (isOwn(to) && has(to))),
    ],
  }
}

/** Where the error dialog sends who needs more help: the brand's community, else what its help says of it. */
export function supportOf(brand: Pick<Brand, 'docRoot' | 'community'>): Place | null {
  if (isElsewhere(brand.community)) return { to: brand.community, text: 'nav.community', icon: IconUsers }
  if (isElsewhere(brand.docRoot)) return { to: brand.docRoot, text: 'nav.help', icon: IconHelpCircle }
  if (!isOwn(brand.docRoot)) return null
  return { to: brand.docRoot, text: 'nav.help', icon: IconHelpCircle, hash: 'support' }
}

/** True for an address of another site. */
export const isElsewhere = (to: string): boolean => /^https:\/\/./.test(to)

/** True for a path of ours. */
const isOwn = (to: string): boolean => /^\/(?![/\\])/.test(to)

/** `99+` from a hundred on. */
export const badgeText = (unseen: number): string => (unseen > 99 ? '99+' : String(unseen))
