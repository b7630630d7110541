import type { GalleryEntry, PublicTimelapse } from '@vigil/contract/gallery.ts'
import type { Page } from 'playwright-core'
import { ago } from './time.ts'

const NAMES = [
  'Mika',
  'Ada Lovelace',
  '<b>Kepler</b>',
  '打印小王',
  'A name of sixty letters that somebody has typed to the end',
  'Zoe',
  'Noor',
  'Bo',
]
const poster = (at: number) => ['/media/mess.svg', '/media/good.svg', '/media/failing.svg'][at % 3] ?? null

const films: PublicTimelapse[] = NAMES.map((creator_name, at) => ({
  id: at + 1,
  creator_name,
  p_json_url: `/house/media/scores-${at}.json`,
  video_url: `/house/media/film-${at}.mp4`,
  poster_url: poster(at),
  created_at: ago(at * 90_000),
}))

const entry = (at: number, more: Partial<GalleryEntry>): GalleryEntry => ({
  id: at + 1,
  version: 'as seen',
  state: 'offered',
  creator_name: NAMES[at] ?? '',
  priority: 0,
  reason: null,
  problem: null,
  offered_at: ago(3600 * (at + 1)),
  decided_at: null,
  public_at: null,
  video_url: `/house/media/film-${at}.mp4`,
  poster_url: poster(at),
  prediction_json_url: null,
  ...more,
})

const entries: Partial<Record<GalleryEntry['state'], GalleryEntry[]>> = {
  offered: [0, 1, 2, 4].map((at) => entry(at, {})).concat(entry(5, { video_url: null, poster_url: null })),
  public: [3, 6].map((at) => entry(at, { state: 'public', public_at: ago(900), priority: at })),
  removed: [entry(7, { state: 'removed', reason: 'It shows a face.' })],
}

/** What the stub answers of the gallery, or undefined. */
export function answerGallery(path: string, query: URLSearchParams): unknown {
  if (path === '/ent/api/publictimelapse/') return films
  if (path !== '/api/v1/gallery/entries/') return undefined
  const state = (query.get('state') ?? 'offered') as GalleryEntry['state']
  return {
    entries: entries[state] ?? [],
    counts: { offered: 5, accepted: 0, public: 2, refused: 0, removed: 1 },
  }
}

const toEnd = async (page: Page) => {
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.getByText(/^(End of public|公开延时)/).waitFor()
}

export const galleryShots = [
  { name: 'public', path: 'ent_pub/publictimelapses/', world: { signedIn: false, enterprise: true } },
  { name: 'public-end', path: 'ent_pub/publictimelapses/', world: { signedIn: false }, act: toEnd },
  { name: 'moderation', path: 'gallery_moderation/', world: { admin: true, enterprise: true } },
  {
    name: 'moderation-public',
    path: 'gallery_moderation/',
    world: { admin: true, enterprise: true },
    act: (page: Page) => page.getByText(/^(Public|已公开) 2$/).click(),
  },
  {
    name: 'moderation-refuse',
    path: 'gallery_moderation/',
    world: { admin: true },
    act: (page: Page) =>
      page
        .getByRole('button', { name: /^(Refuse|拒绝)…$/ })
        .first()
        .click(),
  },
]
