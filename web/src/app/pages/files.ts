import { paths } from '../../lib/paths.ts'
import { lazily } from '../../ui/lazily.tsx'
import { page, type Page } from './page.ts'

/** G-code: the cloud store and its files. */
export const filesPages: Page[] = [
  {
    path: '/g_code_folders/cloud/',
    access: 'member',
    screen: page(() => import('../../features/files/gcode-files/FoldersScreen.tsx')),
  },
  {
    path: '/g_code_folders/cloud/$id/',
    access: 'member',
    screen: page(() => import('../../features/files/gcode-files/FoldersScreen.tsx')),
  },
  {
    path: '/g_code_files/cloud/$id/',
    access: 'member',
    screen: page(() => import('../../features/files/gcode-files/FileScreen.tsx')),
  },
  {
    path: paths.slice,
    access: 'member',
    screen: page(() => import('../../features/slice/slicing/SliceScreen.tsx')),
  },
  {
    path: paths.designs,
    access: 'member',
    screen: page(() => import('../../features/slice/designs/DesignsScreen.tsx')),
  },
  {
    path: '/ent/designs/$id/',
    access: 'member',
    screen: page(() => import('../../features/slice/designs/DesignScreen.tsx')),
  },
  {
    path: '/g_code_folders/local/$printerId/',
    access: 'member',
    screen: lazily(
      async () => (await import('../../features/remote/printer-files/PrinterFolder.tsx')).PrinterFolderScreen,
    ),
  },
  {
    path: '/g_code_folders/local/$printerId/$path/',
    access: 'member',
    screen: lazily(
      async () => (await import('../../features/remote/printer-files/PrinterFolder.tsx')).PrinterFolderScreen,
    ),
  },
  {
    path: '/g_code_files/local/$printerId/$path/',
    access: 'member',
    screen: lazily(
      async () => (await import('../../features/remote/printer-files/PrinterFilePage.tsx')).PrinterFileScreen,
    ),
  },
]
