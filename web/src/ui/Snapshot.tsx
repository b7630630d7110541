import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import styles from './Snapshot.module.css'

export interface Orientation {
  flipH: boolean
  flipV: boolean
  rotation: 0 | 90 | 180 | 270
  ratio: number
}

interface SnapshotProps {
  src: string | null
  alt: string
  orientation: Orientation
  /** Greyed: what it shows is not now. */
  stale?: boolean
  topLeft?: ReactNode
  bottomRight?: ReactNode
  /** Shown where there is no picture. */
  empty?: ReactNode
  /** Fills its place and lets the edges go, rather than showing all of it. */
  fill?: boolean
}

/** Keeps the last picture until the next one is there, so that nothing flashes. */
function useSettledSource(src: string | null): { shown: string | null; failed: boolean } {
  const [shown, setShown] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!src) {
      setShown(null)
      return
    }
    let current = true
    const image = new Image()
    image.addEventListener('load', () => {
      if (!current) return
      setShown(src)
      setFailed(false)
    })
    image.addEventListener('error', () => current && setFailed(true))
    image.src = src
    return () => {
      current = false
    }
  }, [src])
  return { shown, failed }
}

/** A camera's still picture on its dark ground, turned and flipped as its owner has set it. */
export function Snapshot({ src, alt, orientation, stale, topLeft, bottomRight, empty, fill }: SnapshotProps) {
  const { shown, failed } = useSettledSource(src)
  const { flipH, flipV, rotation, ratio } = orientation
  const style: CSSProperties = {
    transform: `translate(-50%, -50%) rotate(${rotation}deg) scale(${flipH ? -1 : 1}, ${flipV ? -1 : 1})`,
    objectFit: fill ? 'cover' : 'contain',
  }
  return (
    <div className={styles.frame} style={{ aspectRatio: String(ratio) }}>
      {shown ? (
        <img
          src={shown}
          alt={alt}
          className={styles.image}
          data-stale={stale || failed || undefined}
          data-sideways={rotation % 180 !== 0 || undefined}
          style={style}
          decoding="async"
        />
      ) : (
        <div className={styles.empty}>{src && !failed ? null : empty}</div>
      )}
      {topLeft && <div className={styles.topLeft}>{topLeft}</div>}
      {bottomRight && shown && <div className={styles.bottomRight}>{bottomRight}</div>}
    </div>
  )
}
