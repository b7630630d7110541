import { Box } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './Player.module.css'

/** A still picture of a print; `taggedUrl` is the same with what was found drawn on it. */
export interface Still {
  readonly url: string
  readonly taggedUrl?: string | null
}

/** Mirrored left to right, top to bottom, then rotated clockwise by degrees. */
export interface Turn {
  readonly flipH: boolean
  readonly flipV: boolean
  readonly rotation: 0 | 90 | 180 | 270
}

/** The same as a style, and whether width and height change places. */
export function turned(turn: Turn | undefined) {
  if (!turn) return { isSideways: false, transform: undefined }
  const { flipH, flipV, rotation } = turn
  const transform = `rotate(${rotation}deg) scale(${flipH ? -1 : 1}, ${flipV ? -1 : 1})`
  return { isSideways: rotation % 180 !== 0, transform }
}

/** Pictures fetched at a time, and how far ahead. */
const AT_ONCE = 6
const AHEAD = 12
/** Pictures of a print are never played slower than this, nor longer than a minute. */
const MIN_PER_SECOND = 8
const MAX_SECONDS = 60

/** How long so many pictures are played, in seconds. */
export const stillSecondsOf = (count: number): number => Math.min(MAX_SECONDS, count / MIN_PER_SECOND)

/** Of the pictures that have come, the one nearest to the wanted one: -1 before any has. */
function useNearest(urls: readonly string[], wanted: number): number {
  const [shown, setShown] = useState(-1)
  const state = useRef({ urls, wanted, coming: 0, known: new Map<string, 'coming' | 'came' | 'failed'>() })
  useEffect(() => {
    const held = state.current
    if (held.urls !== urls) Object.assign(held, { urls, known: new Map() })
    held.wanted = wanted
    function fetchNext() {
      const { known, urls: all, wanted: from } = held
      for (let at = from; at < Math.min(all.length, from + AHEAD) && held.coming < AT_ONCE; at++) {
        const url = all[at]
        if (url === undefined || known.has(url)) continue
        known.set(url, 'coming')
        held.coming++
        const image = new Image()
        const done = (how: 'came' | 'failed') => {
          held.coming--
          known.set(url, how)
          show()
          fetchNext()
        }
        image.addEventListener('load', () => done('came'))
        image.addEventListener('error', () => done('failed'))
        image.src = url
      }
    }
    function show() {
      const { known, urls: all, wanted: at } = held
      const has = (one: number) => known.get(all[one] ?? '') === 'came'
      for (let off = 0; off < all.length; off++) {
        if (has(at - off)) return setShown(at - off)
        if (has(at + off)) return setShown(at + off)
      }
    }
    show()
    fetchNext()
  }, [urls, wanted])
  return shown
}

interface StillsProps {
  urls: readonly string[]
  turn: Turn | undefined
  frame: number
  label: string
  tag: ReactNode
  onClick: () => void
}

/** The pictures of a print where there is no video: one at a time, never an empty place between two. */
export function Stills({ urls, turn, frame, label, tag, onClick }: StillsProps) {
  const shown = useNearest(urls, frame)
  const { isSideways, transform } = turned(turn)
  return (
    <div className={styles.film}>
      {/* The keyboard has the button below. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <img
        src={urls[shown === -1 ? 0 : shown]}
        alt={label}
        onClick={onClick}
        draggable={false}
        data-sideways={isSideways || undefined}
        style={{ transform }}
      />
      {tag && (
        <Box pos="absolute" top={10} left={10}>
          {tag}
        </Box>
      )}
    </div>
  )
}
