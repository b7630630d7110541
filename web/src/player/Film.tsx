import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Player.module.css'
import type { Playback } from './usePlayback.ts'

interface FilmProps {
  src: string
  poster: string | undefined
  label: string
  playback: Playback
  tag: ReactNode
}

/** One video of a time-lapse, led by the player's clock. */
export function Film({ src, poster, label, playback, tag }: FilmProps) {
  const { t } = useTranslation('player')
  const ref = useRef<HTMLVideoElement>(null)
  const { join } = playback
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    setFailed(false)
    return ref.current ? join(ref.current) : undefined
  }, [join, src])
  return (
    <div className={styles.film}>
      <video
        ref={ref}
        src={src}
        poster={poster}
        aria-label={label}
        muted
        playsInline
        preload="metadata"
        onClick={playback.toggle}
        onError={() => setFailed(true)}
      />
      {tag && <div className={styles.tag}>{tag}</div>}
      {failed && (
        <p className={styles.broken} role="alert">
          {t('broken')}
        </p>
      )}
    </div>
  )
}
