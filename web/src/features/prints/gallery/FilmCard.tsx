import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import styles from './Gallery.module.css'

interface FilmCardProps {
  posterUrl: string | null
  videoUrl: string | null
  /** What the button says that plays it. */
  label: string
  onPlay: () => void
  children: ReactNode
}

/** A time-lapse as a card: its picture, which plays it, and what stands below. */
export function FilmCard({ posterUrl, videoUrl, label, onPlay, children }: FilmCardProps) {
  const [isBroken, setBroken] = useState(false)
  return (
    <article className={styles.card}>
      <button type="button" className={styles.still} aria-label={label} onClick={onPlay} disabled={!videoUrl}>
        {posterUrl && !isBroken ? (
          <img src={posterUrl} alt="" loading="lazy" onError={() => setBroken(true)} />
        ) : (
          videoUrl && <video src={videoUrl} preload="metadata" muted playsInline tabIndex={-1} aria-hidden />
        )}
        {videoUrl && (
          <span className={styles.play}>
            <IconPlayerPlayFilled size={22} aria-hidden />
          </span>
        )}
      </button>
      {children}
    </article>
  )
}
