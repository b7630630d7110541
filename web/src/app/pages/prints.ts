import { paths } from '../../lib/paths.ts'
import { lazily } from '../../ui/lazily.tsx'
import { page, type Page } from './page.ts'

/** What was printed: history, films, feedback, figures, events, the gallery. */
export const printsPages: Page[] = [
  {
    path: '/print_history/',
    access: 'member',
    screen: lazily(async () => (await import('../../features/prints/history/History.tsx')).HistoryScreen),
  },
  {
    path: '/print_history/$id/',
    access: 'member',
    screen: lazily(async () => (await import('../../features/prints/history/History.tsx')).HistoryScreen),
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
    screen: lazily(async () => (await import('../../features/prints/history/History.tsx')).TimelapsesScreen),
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
