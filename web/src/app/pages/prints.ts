import { paths } from '../../lib/paths.ts'
import { page, type Page } from './page.ts'

/** What was printed: history, films, feedback, figures, events, the gallery. */
export const printsPages: Page[] = [
  {
    path: '/print_history/',
    access: 'member',
    screen: page(() => import('../../features/prints/history/HistoryScreen.tsx')),
  },
  {
    path: '/print_history/$id/',
    access: 'member',
    screen: page(() => import('../../features/prints/history/HistoryScreen.tsx')),
  },
  {
    path: '/prints/$id/',
    access: 'member',
    screen: page(() => import('../../features/prints/print-page/PrintScreen.tsx')),
  },
  {
    path: '/prints/share_token/$token/',
    access: 'anyone',
    screen: page(() => import('../../features/prints/print-page/SharedTimelapseScreen.tsx')),
  },
  {
    path: '/timelapses/',
    access: 'member',
    screen: page(() => import('../../features/prints/history/TimelapsesScreen.tsx')),
  },
  {
    path: '/stats/',
    access: 'member',
    screen: page(() => import('../../features/prints/stats/StatsScreen.tsx')),
  },
  {
    path: paths.upload,
    access: 'member',
    screen: page(() => import('../../features/prints/uploads/FilmsScreen.tsx')),
  },
  {
    path: '/printer_events/',
    access: 'member',
    screen: page(() => import('../../features/core/events/EventsScreen.tsx')),
  },
  {
    path: '/prints/shot-feedback/$id/',
    access: 'member',
    screen: page(() => import('../../features/watch/feedback/FocusedFeedbackScreen.tsx')),
  },
  {
    path: '/first_layer_inspection_images/',
    access: 'member',
    screen: page(() => import('../../features/watch/feedback/SurveyScreen.tsx')),
  },
  {
    path: '/prints/$id/replay/',
    access: 'member',
    screen: page(() => import('../../features/prints/replay/ReplayScreen.tsx')),
  },
  {
    path: paths.gallery,
    access: 'everyone',
    screen: page(() => import('../../features/prints/gallery/GalleryScreen.tsx')),
  },
  {
    path: paths.moderation,
    access: 'admin',
    screen: page(() => import('../../features/prints/gallery/ModerationScreen.tsx')),
  },
]
