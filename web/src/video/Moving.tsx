import { useEffect, useRef } from 'react'
import type { Shown, VideoPlayer } from './player.ts'
import type { Moving } from '../ui/Snapshot.tsx'
import type { Video } from './useVideo.ts'

/** The moving picture itself, without anything around it. */
export function MovingPicture({ player, shown, alt }: { player: VideoPlayer; shown: Shown; alt: string }) {
  return shown.kind === 'mjpeg' ? (
    <canvas ref={(canvas) => player.paintOn(canvas)} role="img" aria-label={alt} />
  ) : (
    <Film player={player} stream={shown.stream} alt={alt} />
  )
}

interface FilmProps {
  player: VideoPlayer
  stream: MediaStream | null
  alt: string
}

function Film({ player, stream, alt }: FilmProps) {
  const ref = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const video = ref.current
    if (!video) return
    video.srcObject = stream
    // Without sound it may play by itself; where it may not, a press on it does it.
    if (stream) void video.play().catch(() => undefined)
  }, [stream])
  function follow() {
    const video = ref.current
    if (video && video.videoWidth > 0) player.sized(video.videoWidth, video.videoHeight)
  }
  return (
    <video
      ref={ref}
      aria-label={alt}
      autoPlay
      muted
      playsInline
      disableRemotePlayback
      onLoadedData={follow}
      onResize={follow}
    />
  )
}

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
