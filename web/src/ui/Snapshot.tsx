import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import styles from './Snapshot.module.css'

export interface Orientation {
  flipH: boolean
  flipV: boolean
  /** Clockwise, after the flips. */
  rotation: 0 | 90 | 180 | 270
  /** Of the place, width to height; null takes that of the picture as it is turned. */
  ratio: number | null
}

interface SnapshotProps {
  src: string | null
  alt: string
  orientation: Orientation
  /** Greyed: what it shows is not now. */
  stale?: boolean
  /** SVG on the picture, turned with it: 0 is its left or top edge, 1 its right or bottom one. */
  overlay?: ReactNode
  topLeft?: ReactNode
  bottomRight?: ReactNode
  /** Shown where there is no picture. */
  empty?: ReactNode
  /** Fills its place and lets the edges go, rather than showing all of it. */
  fill?: boolean
  /** Of the picture, as far as it is known before it has come. */
  expected?: number
  /** Told the picture's own ratio as it is turned. */
  onRatio?: (ratio: number) => void
}

interface Settled {
  src: string
  width: number
  height: number
}

/** Keeps the last picture until the next one is there, so that nothing flashes. */
function useSettledSource(src: string | null): { shown: Settled | null; failed: boolean } {
  const [shown, setShown] = useState<Settled | null>(null)
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
      setShown({ src, width: image.naturalWidth, height: image.naturalHeight })
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

function ratioOf(shown: Settled | null, sideways: boolean): number | null {
  if (!shown || !shown.width || !shown.height) return null
  return sideways ? shown.height / shown.width : shown.width / shown.height
}

/** A camera's still picture on its dark ground, turned and flipped as its owner has set it. */
export function Snapshot(props: SnapshotProps) {
  const { src, alt, orientation, stale, overlay, topLeft, bottomRight, empty, fill, expected, onRatio } =
    props
  const { shown, failed } = useSettledSource(src)
  const { flipH, flipV, rotation } = orientation
  const sideways = rotation % 180 !== 0
  const natural = ratioOf(shown, sideways)
  useEffect(() => {
    if (natural) onRatio?.(natural)
  }, [natural, onRatio])
  const turned: CSSProperties = {
    transform: `translate(-50%, -50%) rotate(${rotation}deg) scale(${flipH ? -1 : 1}, ${flipV ? -1 : 1})`,
  }
  return (
    <div
      className={styles.frame}
      style={{ aspectRatio: String(orientation.ratio ?? natural ?? expected ?? 16 / 9) }}
    >
      {shown ? (
        <img
          src={shown.src}
          alt={alt}
          className={styles.image}
          data-stale={stale || failed || undefined}
          data-sideways={sideways || undefined}
          style={{ ...turned, objectFit: fill ? 'cover' : 'contain' }}
          decoding="async"
          draggable={false}
        />
      ) : (
        <div className={styles.empty}>{src && !failed ? null : empty}</div>
      )}
      {overlay && shown && natural && (
        <svg
          viewBox={`0 0 ${shown.width} ${shown.height}`}
          preserveAspectRatio={fill ? 'xMidYMid slice' : 'xMidYMid meet'}
          className={styles.image}
          data-sideways={sideways || undefined}
          style={turned}
          aria-hidden
        >
          <g transform={`scale(${shown.width} ${shown.height})`}>{overlay}</g>
        </svg>
      )}
      {topLeft && <div className={styles.topLeft}>{topLeft}</div>}
      {bottomRight && shown && <div className={styles.bottomRight}>{bottomRight}</div>}
    </div>
  )
}
