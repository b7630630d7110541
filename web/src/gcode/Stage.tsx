import { Center, useComputedColorScheme } from '@mantine/core'
import { FEATURES, JUMP, TRAVEL } from '@vigil/contract/gcode/features.ts'
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useTranslation } from '../lib/translation.ts'
import { bedCorners, bedLines } from './bed.ts'
import styles from './Gcode.module.css'
import { colourAt } from './paint.ts'
import { type Ground, View } from './scene.ts'
import { type Shown, movesShown } from './shown.ts'
import { type Toolpath, moveAt } from './toolpath.ts'

const MARGIN = 12
/** More strokes than a canvas draws while a slider is moved. */
const MOST_STROKES = 150_000

/** Draws the last of the shown layers from above on a plain canvas: for browsers without WebGL. */
function drawLayer(
  canvas: HTMLCanvasElement,
  path: Toolpath,
  { shown, bedArea, ground }: { shown: Shown; bedArea: string | null; ground: Ground },
): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const ratio = Math.min(2, globalThis.devicePixelRatio)
  const { clientWidth: width, clientHeight: height } = canvas
  canvas.width = width * ratio
  canvas.height = height * ratio
  const corners = bedCorners(bedArea, path.box)
  const place = placeOn(corners, width, height)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.lineCap = 'round'
  const { edge, grid } = bedLines(corners)
  stroke(context, grid, place, ground.grid)
  stroke(context, edge, place, ground.edge)

  const [first, end] = movesShown(path, { ...shown, layers: [shown.layers[1], shown.layers[1]] })
  for (let at = Math.max(first, end - MOST_STROKES); at < end; at++) {
    const { feature, width: wide } = moveAt(path, at)
    if (feature === JUMP || (feature === TRAVEL && !shown.withTravels)) continue
    const [x = 0, y = 0, , toX = 0, toY = 0] = path.points.subarray(3 * at, 3 * at + 6)
    context.strokeStyle = colourAt(path, at, shown.paint)
    context.lineWidth = FEATURES[feature] === 'travel' ? 0.5 : Math.max(0.75, wide * place.scale * 0.9)
    context.beginPath()
    context.moveTo(...place.of(x, y))
    context.lineTo(...place.of(toX, toY))
    context.stroke()
  }
}

interface Place {
  readonly scale: number
  readonly of: (x: number, y: number) => [number, number]
}

function placeOn(corners: readonly (readonly [number, number])[], width: number, height: number): Place {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const [left, right, front, back] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (back - front))
  const of = (x: number, y: number): [number, number] => [
    width / 2 + (x - (left + right) / 2) * scale,
    height / 2 - (y - (front + back) / 2) * scale,
  ]
  return { scale, of }
}

function stroke(context: CanvasRenderingContext2D, lines: Float32Array, place: Place, colour: string): void {
  context.strokeStyle = colour
  context.lineWidth = 1
  context.beginPath()
  for (let at = 0; at + 5 < lines.length; at += 6) {
    const [x = 0, y = 0, , toX = 0, toY = 0] = lines.subarray(at, at + 6)
    context.moveTo(...place.of(x, y))
    context.lineTo(...place.of(toX, toY))
  }
  context.stroke()
}

export interface StageHandle {
  look: (from: 'front' | 'top') => void
}

interface StageProps {
  ref: Ref<StageHandle>
  path: Toolpath
  bedArea: string | null
  shown: Shown
  label: string
  /** `flat`: the browser has no WebGL, so one layer is drawn, from above; `fewer`: its graphics are too slow for all lines. */
  onLess: (how: 'flat' | 'fewer') => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The picture itself: with WebGL where there is one, else flat. */
export function Stage({ ref, path, bedArea, shown, label, onLess, onKeyDown }: StageProps) {
  const { t } = useTranslation('gcode')
  const frame = useRef<HTMLDivElement>(null)
  const { view, size, isLost, flat } = useView(frame, path, bedArea, onLess)
  const scheme = useComputedColorScheme()
  const open = view instanceof View && size.width > 0 ? view : null

  useEffect(() => open?.resize(size.width, size.height), [open, size])
  useEffect(() => open?.look('front'), [open])
  useEffect(() => open?.dress(groundOf()), [open, scheme])
  useEffect(() => open?.show(shown), [open, shown])
  useImperativeHandle(ref, () => ({ look: (from) => open?.look(from) }), [open])
  useEffect(() => {
    const canvas = frame.current?.querySelector('canvas')
    if (view !== 'flat' || !canvas || size.width === 0) return undefined
    const waiting = requestAnimationFrame(() => {
      const began = performance.now()
      drawLayer(canvas, path, { shown, bedArea, ground: groundOf() })
      flat.frames++
      flat.ms += performance.now() - began
    })
    return () => cancelAnimationFrame(waiting)
  }, [view, path, bedArea, shown, size, scheme, flat])

  return (
    <div
      ref={frame}
      className={styles.stage}
      role="application"
      aria-roledescription={t('pictureIs')}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {isLost && (
        <Center
          component="p"
          pos="absolute"
          inset={0}
          bg="var(--v-raised)"
          c="dimmed"
          p={16}
          ta="center"
          role="status"
        >
          {t('lost')}
        </Center>
      )}
    </div>
  )
}

/** A view in a frame for as long as both stand, and how large the frame is. */
function useView(
  frame: RefObject<HTMLDivElement | null>,
  path: Toolpath,
  bedArea: string | null,
  onLess: StageProps['onLess'],
) {
  const [view, setView] = useState<View | 'flat' | null>(null)
  const [isLost, setLost] = useState(false)
  const [size, setSize] = useState({ width: 0, height: 0 })
  const told = useRef(onLess)
  const [flat] = useState({ frames: 0, ms: 0, calls: 0 })

  useEffect(() => {
    const box = frame.current
    if (box === null) return undefined
    // Made anew for each view: what drew on one canvas once draws nothing else on it.
    const canvas = document.createElement('canvas')
    box.prepend(canvas)
    const opened = View.open(canvas, {
      path,
      bedArea,
      onLost: setLost,
      onFewer: () => told.current('fewer'),
    })
    if (opened === null) told.current('flat')
    // For measurements and tests: what drawing has cost.
    Object.assign(box, { cost: opened?.cost ?? flat })
    setView(opened ?? 'flat')
    const watcher = new ResizeObserver(() => setSize({ width: box.clientWidth, height: box.clientHeight }))
    watcher.observe(box)
    return () => {
      watcher.disconnect()
      opened?.close()
      canvas.remove()
      setView(null)
    }
  }, [frame, path, bedArea, flat])
  return { view, size, isLost, flat }
}

function groundOf(): Ground {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return { edge: colour('--v-faint'), grid: colour('--v-line'), nozzle: colour('--v-ink') }
}
