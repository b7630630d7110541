import { Loader, useComputedColorScheme } from '@mantine/core'
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Vector3 } from 'three'
import { type Cut, type CutPlane, laidOn, type Piece, type Placing, type Vector } from '../meshes/index.ts'
import type { Tool } from './hands.ts'
import { PlateView } from './scene.ts'
import type { Colours, Measured, PlateEvents } from './seen.ts'
import styles from './Plate.module.css'
import { useMeshes } from './useMeshes.ts'

export interface PlateHandle {
  picture: () => Promise<Blob>
  /** Where these stand side by side; null where nothing is drawn. */
  arrange: (pieces: readonly Piece[], middle: readonly [number, number]) => ReadonlyMap<string, Vector> | null
  /** How it is turned so that least of it hangs over. */
  orient: (piece: Piece) => Vector | null
  /** How it is turned so that what looks there lies on the bed. */
  layOn: (piece: Piece, normal: Vector) => Vector | null
  /** Where it is cut, as its mesh lies in its file. */
  planeOf: (piece: Piece, cut: Cut) => CutPlane | null
}

interface PlateStageProps {
  ref: Ref<PlateHandle>
  pieces: readonly Piece[]
  chosen: string | null
  corners: readonly (readonly [number, number])[]
  height: number
  onChoose: (key: string | null) => void
  tool: Tool
  isHeat: boolean
  /** Where the chosen one would be cut. */
  cut: Cut | null
  /** What the chosen one measures. */
  note: string | null
  /** Of the meshes that the address names, in bytes. */
  bytes: number | null
  onPlace: (key: string, placing: Partial<Placing>) => void
  onFace: (key: string, normal: Vector) => void
  onMeasured: (sizes: ReadonlyMap<string, Measured>) => void
  onFailed: (url: string) => void
}

/** The plate with what stands on it. Code and graphics of it come with this page alone. */
export function PlateStage(props: PlateStageProps) {
  const { ref, pieces, chosen, corners, height, tool, isHeat, cut, note, bytes, onFailed, ...events } = props
  const { t } = useTranslation('slicing')
  const frame = useRef<HTMLDivElement>(null)
  const view = useView(frame, events)
  const scheme = useComputedColorScheme()
  const open = view instanceof PlateView ? view : null
  const { known, share } = useMeshes(open, pieces, bytes, onFailed)

  // The page has the colours of another theme a moment later.
  useEffect(() => {
    const waiting = requestAnimationFrame(() => open?.dress(coloursOf()))
    return () => cancelAnimationFrame(waiting)
  }, [open, scheme])
  useEffect(() => open?.stand(corners, height), [open, corners, height])
  useEffect(() => open?.show(pieces, chosen), [open, pieces, chosen, known])
  useEffect(() => open?.take(tool), [open, tool])
  useEffect(() => open?.heat(isHeat), [open, isHeat])
  useEffect(() => open?.cutAt(cut), [open, cut])
  useImperativeHandle(ref, () => handleOf(open), [open])

  return (
    <div ref={frame} className={styles.stage} role="img" aria-label={t('plate')}>
      {open && share !== null && (
        <p className={styles.loading} role="status">
          <Loader size={16} aria-hidden /> {t('loadingMesh', { percent: Math.floor(share * 100) })}
        </p>
      )}
      {note !== null && <p className={styles.size}>{note}</p>}
      {view === 'none' && <p className={styles.loading}>{t('noGraphics')}</p>}
    </div>
  )
}

function handleOf(open: PlateView | null): PlateHandle {
  return {
    picture: async () => (await open?.picture()) ?? new Blob([]),
    arrange: (pieces, middle) => open && open.arranged(pieces, middle),
    orient: (piece) => open && open.bestTurn(piece),
    planeOf: (piece, cut) => open && open.planeOf(piece, cut),
    layOn: (piece, [x, y, z]) => laidOn(new Vector3(x, y, z), piece.rotate),
  }
}

/** A view in a frame for as long as both stand; `none` where the browser has no WebGL. */
function useView(frame: RefObject<HTMLDivElement | null>, events: PlateEvents): PlateView | 'none' | null {
  const [view, setView] = useState<PlateView | 'none' | null>(null)
  const told = useRef(events)
  useEffect(() => {
    told.current = events
  })
  useEffect(() => {
    const box = frame.current
    if (box === null) return undefined
    const canvas = document.createElement('canvas')
    box.prepend(canvas)
    const opened = PlateView.open(canvas, {
      onChoose: (key) => told.current.onChoose(key),
      onPlace: (...placed) => told.current.onPlace(...placed),
      onFace: (...face) => told.current.onFace(...face),
      onMeasured: (sizes) => told.current.onMeasured(sizes),
    })
    // For measurements: what drawing has cost.
    Object.assign(canvas, { cost: opened?.cost })
    setView(opened ?? 'none')
    const watcher = new ResizeObserver(() => opened?.resize(box.clientWidth, box.clientHeight))
    watcher.observe(box)
    return () => {
      watcher.disconnect()
      opened?.close()
      canvas.remove()
      setView(null)
    }
  }, [frame])
  return view
}

function coloursOf(): Colours {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return {
    ground: colour('--v-raised'),
    edge: colour('--v-faint'),
    grid: colour('--v-line'),
    piece: colour('--v-soft'),
    chosen: colour('--v-accent'),
    outside: colour('--v-bad'),
  }
}
