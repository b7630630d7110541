import { useComputedColorScheme } from '@mantine/core'
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Gcode.module.css'
import { drawLayer } from './layer2d.ts'
import { type Ground, View } from './scene.ts'
import type { Shown } from './shown.ts'
import type { Toolpath } from './toolpath.ts'

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
        <p className={styles.lost} role="status">
          {t('lost')}
        </p>
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
