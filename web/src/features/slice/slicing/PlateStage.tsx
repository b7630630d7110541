import { Loader, useComputedColorScheme } from '@mantine/core'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverUrl } from '../../../lib/base.ts'
import type { Piece, Vector } from './plate.ts'
import { type Colours, PlateView } from './scene.ts'
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
  const told = useRef(events)
  const failed = useRef(onFailed)
  useEffect(() => {
    told.current = events
    failed.current = onFailed
  })
  const [view, setView] = useState<PlateView | 'none' | null>(null)
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set())
  const scheme = useComputedColorScheme()
  const open = view instanceof PlateView ? view : null

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
      setKnown(new Set())
    }
  }, [])

  const wanted = [...new Set(pieces.map(({ url }) => url))].filter((url) => !known.has(url))
  const next = wanted[0]
  useEffect(() => {
    if (!open || next === undefined) return undefined
    const gone = new AbortController()
    void (async () => {
      const answer = await fetch(serverUrl(next), { signal: gone.signal }).catch(() => null)
      const bytes = answer?.ok ? await answer.arrayBuffer().catch(() => null) : null
      if (gone.signal.aborted) return
      if (bytes === null) failed.current(next)
      else open.know(next, bytes)
      setKnown((all) => new Set([...all, next]))
    })()
    return () => gone.abort()
  }, [open, next])

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

function coloursOf(): Colours {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return {
    edge: colour('--v-faint'),
    grid: colour('--v-line'),
    piece: colour('--v-soft'),
    chosen: colour('--v-accent'),
    outside: colour('--v-bad'),
  }
}
