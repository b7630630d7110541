import { useMediaQuery } from '@mantine/hooks'
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Line } from './listing.ts'

const CARD_MIN = 300
const GAP = 18
/** What stands below a card's picture, and how high other lines are, in pixels: History.module.css. */
const CARD_BODY = 150
const MONTH = 50
const ROW = { wide: 66, narrow: 132 }

/** What the last list measured: the next one begins with it, so that its first drawing has its height. */
let lastWidth = 0

/** How many cards stand side by side in a place, and how high lines are before they are seen. */
export function useColumns(view: 'rows' | 'cards'): {
  ref: RefObject<HTMLDivElement | null>
  columns: number
  heightOf: (line: Line) => number
} {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(lastWidth)
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => {
      lastWidth = element.clientWidth
      setWidth(lastWidth)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const columns = view === 'cards' ? Math.max(1, Math.floor((width + GAP) / (CARD_MIN + GAP))) : 1
  const heightOf = useMemo(() => {
    const card = ((width - GAP * (columns - 1)) / columns) * (9 / 16) + CARD_BODY + GAP
    const row = isNarrow ? ROW.narrow : ROW.wide
    return (line: Line) => {
      if ('month' in line) return MONTH
      return view === 'cards' ? card : row
    }
  }, [view, width, columns, isNarrow])
  return { ref, columns, heightOf }
}
