import { Box, Group } from '@mantine/core'
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

/** What moves in a picture's place. */
export interface Moving {
  /** A video or a canvas. */
  element: ReactNode
  /** In pixels, before it is turned; null until something is seen: until then the still stands there. */
  size: { width: number; height: number } | null
  /** It stands still: what it shows is not now. */
  stale: boolean
}

interface SnapshotProps {
  /** Takes the place of the still as soon as it shows something. */
  moving?: Moving | null
  src: string | null
  alt: string
  orientation: Orientation
  /** Greyed: what it shows is not now. */
  stale?: boolean
  /** SVG on the picture, turned with it: 0 is its left or top edge, 1 its right or bottom one. */
  overlay?: ReactNode
  topLeft?: ReactNode
  bottomRight?: ReactNode
  bottomLeft?: ReactNode
  /** In the middle of it. */
  center?: ReactNode
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

/** How a picture lies in its place, and how wide it is to its height as it lies there. */
function laid({ flipH, flipV, rotation }: Orientation, size: { width: number; height: number } | null) {
  const sideways = rotation % 180 !== 0
  const turned: CSSProperties = {
    transform: `translate(-50%, -50%) rotate(${rotation}deg) scale(${flipH ? -1 : 1}, ${flipV ? -1 : 1})`,
  }
  const known = size && size.width > 0 && size.height > 0 ? size : null
  const ratio = known && (sideways ? known.height / known.width : known.width / known.height)
  return { turned, sideways: sideways || undefined, ratio }
}

/** A camera's picture on its dark ground, still or moving, turned and flipped as its owner has set it. */
export function Snapshot(props: SnapshotProps) {
  const { src, alt, orientation, stale, moving, fill, expected, onRatio } = props
  const { shown, failed } = useSettledSource(src)
  const seen = moving?.size ?? null
  const { turned, sideways, ratio: natural } = laid(orientation, seen ?? shown)
  useEffect(() => {
    if (natural) onRatio?.(natural)
  }, [natural, onRatio])
  return (
    <div
      className={styles.frame}
      style={{ aspectRatio: String(orientation.ratio ?? natural ?? expected ?? 16 / 9) }}
      data-picture
    >
      {!seen && shown && (
        <img
          src={shown.src}
          alt={alt}
          className={styles.image}
          data-stale={stale || failed || undefined}
          data-sideways={sideways}
          style={{ ...turned, objectFit: fill ? 'cover' : 'contain' }}
          decoding="async"
          draggable={false}
        />
      )}
      {!seen && !shown && (
        <Box p={24} ta="center" c="var(--v-on-camera-soft)" fz={14}>
          {src && !failed ? null : props.empty}
        </Box>
      )}
      {moving && (
        <div
          className={styles.image}
          data-moving={fill ? 'cover' : 'contain'}
          data-waiting={!seen || undefined}
          data-stale={moving.stale || undefined}
          data-sideways={sideways}
          style={turned}
        >
          {moving.element}
        </div>
      )}
      {natural && <Overlay {...props} size={seen ?? shown} sideways={sideways} turned={turned} />}
      <Corners {...props} hasPicture={seen !== null || shown !== null} />
    </div>
  )
}

interface OverlayProps extends Pick<SnapshotProps, 'overlay' | 'fill'> {
  size: { width: number; height: number } | null
  sideways: true | undefined
  turned: CSSProperties
}

function Overlay({ overlay, fill, size, sideways, turned }: OverlayProps) {
  if (!overlay || !size) return null
  return (
    <svg
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio={fill ? 'xMidYMid slice' : 'xMidYMid meet'}
      className={styles.image}
      data-sideways={sideways}
      style={turned}
      aria-hidden
    >
      <g transform={`scale(${size.width} ${size.height})`}>{overlay}</g>
    </svg>
  )
}

function Corners({
  topLeft,
  bottomLeft,
  bottomRight,
  center,
  hasPicture,
}: SnapshotProps & { hasPicture: boolean }) {
  return (
    <>
      {center && (
        <div className={styles.center} data-empty={!hasPicture || undefined}>
          {center}
        </div>
      )}
      {topLeft && (
        <Group gap={6} pos="absolute" top={10} left={10} right={10}>
          {topLeft}
        </Group>
      )}
      {bottomLeft && (
        <Box pos="absolute" left={10} bottom={10}>
          {bottomLeft}
        </Box>
      )}
      {bottomRight && hasPicture && (
        <Box pos="absolute" right={10} bottom={10}>
          {bottomRight}
        </Box>
      )}
    </>
  )
}
