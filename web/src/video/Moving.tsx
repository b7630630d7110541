import { useEffect, useRef } from 'react'
import type { Shown, VideoPlayer } from './player.ts'

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
