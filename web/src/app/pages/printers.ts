import { paths } from '../../lib/paths.ts'
import { page, type Page } from './page.ts'

/** Printers: the list, one of them, linking, sharing. */
export const printersPages: Page[] = [
  {
    path: '/printers/',
    access: 'member',
    screen: page(() => import('../../features/printers/printers/list/PrinterListScreen.tsx')),
  },
  {
    path: '/printers/$id/control/',
    access: 'member',
    screen: page(() => import('../../features/printers/printers/control/PrinterControlScreen.tsx')),
  },
  {
    path: '/printers/$id/terminal/',
    access: 'member',
    screen: page(() => import('../../features/printers/terminal/TerminalScreen.tsx')),
  },
  {
    path: '/printers/$id/',
    access: 'member',
    screen: page(() => import('../../features/printers/settings/PrinterSettingsScreen.tsx')),
  },
  {
    path: '/printers/share_token/$token/',
    access: 'anyone',
    screen: page(() => import('../../features/remote/sharing/SharedPrinterScreen.tsx')),
  },
  {
    path: '/printers/wizard/',
    access: 'member',
    screen: page(() => import('../../features/printers/linking/ChooseDeviceScreen.tsx')),
  },
  {
    path: '/printers/wizard/guide/$target/',
    access: 'member',
    screen: page(() => import('../../features/printers/linking/GuideScreen.tsx')),
  },
  {
    path: '/printers/wizard/link/$target/',
    access: 'member',
    screen: page(() => import('../../features/printers/linking/LinkScreen.tsx')),
  },
  {
    path: '/printers/wizard/success/$id/',
    access: 'member',
    screen: page(() => import('../../features/printers/linking/LinkedScreen.tsx')),
  },
  {
    path: paths.archived,
    access: 'member',
    screen: page(() => import('../../features/printers/archived/ArchivedScreen.tsx')),
  },
  {
    path: '/ent/printers/$id/unarchive/',
    access: 'member',
    screen: page(() => import('../../features/printers/archived/ArchivedScreen.tsx')),
  },
  {
    path: '/queue/',
    access: 'member',
    screen: page(() => import('../../features/files/queue/QueueScreen.tsx')),
  },
  {
    path: '/nozzle_ninja/',
    access: 'member',
    screen: page(() => import('../../features/watch/first-layer/NozzleScreen.tsx')),
  },
  {
    path: '/tunnels/$id/',
    access: 'alone',
    screen: page(() => import('../../features/remote/tunnels/TunnelScreen.tsx')),
  },
  {
    path: '/tunnel/$id/',
    access: 'alone',
    screen: page(() => import('../../features/remote/tunnels/TunnelScreen.tsx')),
  },
  {
    path: '/tunnels/new/',
    access: 'anyone',
    screen: page(() => import('../../features/remote/tunnels/AuthorizeScreen.tsx')),
  },
  {
    path: '/tunnels/succeeded/',
    access: 'anyone',
    screen: page(() => import('../../features/remote/tunnels/SucceededScreen.tsx')),
  },
]
