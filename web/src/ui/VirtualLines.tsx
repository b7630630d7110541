import { Box } from '@mantine/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import styles from './VirtualLines.module.css'
import shared from './shared.module.css'

/** So many lines beyond the window are drawn. */
const BEYOND = 6
/** So close to the end the next ones are asked for. */
const NEAR_END = 10

interface Line {
  readonly key: string
}

interface VirtualLinesProps<L extends Line> {
  label: string
  lines: readonly L[]
  /** How high a line is as long as it has not been seen, in pixels. */
  heightOf: (line: L) => number
  render: (line: L) => ReactNode
  /** The end is near. */
  onNearEnd: () => void
  /** Brought into view once it is there. */
  target?: string | undefined
  /** It was brought into view: from now on there is none. */
  onTarget?: (() => void) | undefined
  /** Of each line. */
  className?: string | undefined
}

/** A long list that scrolls with the page, of which only what is near is drawn; what is read stays under the eye. */
export function VirtualLines<L extends Line>({
  label,
  lines,
  heightOf,
  render,
  onNearEnd,
  target,
  onTarget,
  className,
}: VirtualLinesProps<L>) {
  const ref = useRef<HTMLUListElement>(null)
  const top = useTop(ref)
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is remembered here
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (at) => heightOf(lines[at] as L),
    getItemKey: (at) => lines[at]?.key ?? at,
    overscan: BEYOND,
    scrollMargin: top,
  })

  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const isNearEnd = lines.length === 0 || last >= lines.length - NEAR_END
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  }, [isNearEnd, onNearEnd, lines])

  useAnchor(lines, virtual)
  useTarget(lines, virtual, target, onTarget)

  return (
    <Box
      component="ul"
      ref={ref}
      className={shared.list}
      pos="relative"
      aria-label={label}
      style={{ height: virtual.getTotalSize() }}
    >
      {items.map((item) => (
        <li
          key={item.key}
          ref={virtual.measureElement}
          data-index={item.index}
          className={className ? `${styles.line} ${className}` : styles.line}
          style={{ transform: `translateY(${item.start - top}px)` }}
        >
          {render(lines[item.index] as L)}
        </li>
      ))}
    </Box>
  )
}

type Virtual = ReturnType<typeof useWindowVirtualizer>

/** When lines come or go above what is read, the page moves along with it. */
function useAnchor(lines: readonly Line[], virtual: Virtual): void {
  const held = useRef<{ key: string; start: number } | null>(null)
  useLayoutEffect(() => {
    const before = held.current
    const at = before ? lines.findIndex(({ key }) => key === before.key) : -1
    const [start] = at === -1 ? [] : (virtual.getOffsetForIndex(at, 'start') ?? [])
    if (!before || start === undefined || start === before.start) return
    scrollBy({ top: start - before.start, behavior: 'instant' })
  }, [lines, virtual])
  useEffect(() => {
    const first = virtual.getVirtualItems().find(({ end }) => end > scrollY)
    const isAtTop = scrollY <= virtual.options.scrollMargin
    const [start] = first && !isAtTop ? (virtual.getOffsetForIndex(first.index, 'start') ?? []) : []
    held.current = first && start !== undefined ? { key: String(first.key), start } : null
  })
}

/** Brings a line into view, and says so. */
function useTarget(
  lines: readonly Line[],
  virtual: Virtual,
  target: string | undefined,
  onTarget: (() => void) | undefined,
): void {
  const at = target === undefined ? -1 : lines.findIndex(({ key }) => key === target)
  useEffect(() => {
    if (at === -1) return
    virtual.scrollToIndex(at, { align: 'center' })
    onTarget?.()
  }, [at, virtual, onTarget])
}

/** How far below the top of the page it begins. */
function useTop(ref: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (ref.current) setTop(Math.round(ref.current.getBoundingClientRect().top + scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [ref])
  return top
}
