import type { Moving } from '../ui/Snapshot.tsx'
import { MovingPicture } from './Moving.tsx'
import type { Video } from './useVideo.ts'

/** A video as it is put into a picture's place; null while there is none. `alt`: what it is, in words. */
export function movingOf(video: Pick<Video, 'shown' | 'player'> | undefined, alt: string): Moving | null {
  if (!video || (video.shown.phase !== 'loading' && video.shown.phase !== 'playing')) return null
  const { shown, player } = video
  return {
    element: <MovingPicture player={player} shown={shown} alt={alt} />,
    size: shown.phase === 'playing' ? shown.size : null,
    stale: shown.fresh === 'still',
  }
}
