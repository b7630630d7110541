import { Loader, useComputedColorScheme } from '@mantine/core'
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverUrl } from '../../../lib/base.ts'
import type { Piece, Vector } from './plate.ts'
import { type Colours, type PlateEvents, PlateView } from './scene.ts'
import styles from './Slicing.module.css'

export interface Measured {
  readonly size: Vector
  readonly isOutside: boolean
}

export interface PlateHandle {
  picture: () => Promise<Blob>
}

interface PlateStageProps {
  ref: Ref<PlateHandle>
  pieces: readonly Piece[]
  chosen: string | null
  corners: readonly (readonly [number, number])[]
  height: number
  onChoose: (key: string | null) => void
  onMove: (key: string, x: number, y: number) => void
  onMeasured: (sizes: ReadonlyMap<string, Measured>) => void
  onFailed: (url: string) => void
}

/** The plate with what stands on it. Code and graphics of it come with this page alone. */
export function PlateStage({ ref, pieces, chosen, corners, height, onFailed, ...events }: PlateStageProps) {
  const { t } = useTranslation('slicing')
  const frame = useRef<HTMLDivElement>(null)
  const view = useView(frame, events)
  const scheme = useComputedColorScheme()
  const open = view instanceof PlateView ? view : null
  const { known, next } = useMeshes(open, pieces, onFailed)

  // The page has the colours of another theme a moment later.
  useEffect(() => {
    const waiting = requestAnimationFrame(() => open?.dress(coloursOf()))
    return () => cancelAnimationFrame(waiting)
  }, [open, scheme])
  useEffect(() => open?.stand(corners, height), [open, corners, height])
  useEffect(() => open?.show(pieces, chosen), [open, pieces, chosen, known])
  useImperativeHandle(ref, () => ({ picture: async () => (await open?.picture()) ?? new Blob([]) }), [open])

  return (
    <div ref={frame} className={styles.stage} role="img" aria-label={t('plate')}>
      {open && next !== undefined && (
        <p className={styles.loading} role="status">
          <Loader size={16} aria-hidden /> {t('loadingMesh')}
        </p>
      )}
      {view === 'none' && <p className={styles.loading}>{t('noGraphics')}</p>}
    </div>
  )
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
      onMove: (...move) => told.current.onMove(...move),
      onMeasured: (sizes) => told.current.onMeasured(sizes),
    })
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

const NONE: ReadonlySet<string> = new Set()

/** Brings the meshes into a view, one after the other: which it has, and which comes next. */
function useMeshes(open: PlateView | null, pieces: readonly Piece[], onFailed: (url: string) => void) {
  const [held, setHeld] = useState<{ view: PlateView | null; urls: ReadonlySet<string> }>({
    view: null,
    urls: NONE,
  })
  const known = held.view === open ? held.urls : NONE
  const next = pieces.find(({ url }) => !known.has(url))?.url
  const failed = useRef(onFailed)
  useEffect(() => {
    failed.current = onFailed
  })
  useEffect(() => {
    if (!open || next === undefined) return undefined
    const gone = new AbortController()
    void (async () => {
      const answer = await fetch(serverUrl(next), { signal: gone.signal }).catch(() => null)
      const bytes = answer?.ok ? await answer.arrayBuffer().catch(() => null) : null
      if (gone.signal.aborted) return
      if (bytes === null) failed.current(next)
      else open.know(next, bytes)
      setHeld(({ view, urls }) => ({ view: open, urls: new Set([...(view === open ? urls : NONE), next]) }))
    })()
    return () => gone.abort()
  }, [open, next])
  return { known, next }
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
