import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Gcode.module.css'
import { Legend } from './Legend.tsx'
import { LayerSlider, MoveSlider } from './Sliders.tsx'
import { clamped, type Shown, whole } from './shown.ts'
import { Stage, type StageHandle } from './Stage.tsx'
import { Tools } from './Tools.tsx'
import { endOf, type Toolpath } from './toolpath.ts'

/** A toolpath with all by which it is looked at. */
export function Drawn({ path, bedArea }: { path: Toolpath; bedArea: string | null }) {
  const { t } = useTranslation('gcode')
  const [shown, setShown] = useState(() => whole(path))
  const [less, setLess] = useState<'flat' | 'fewer' | null>(null)
  const isFlat = less === 'flat'
  const stage = useRef<StageHandle>(null)
  const change = (next: Partial<Shown>) => setShown((held) => clamped(path, { ...held, ...next }))
  const [from, to] = shown.layers
  const moves = useMemo(() => endOf(path, to) - (path.starts[to] ?? 0), [path, to])

  function step(event: KeyboardEvent) {
    const next = stepped(event.key, shown, moves)
    if (next === null || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    change(next)
  }

  const isEmpty = path.starts.length === 0
  return (
    <div className={styles.view} data-flat={isFlat || undefined}>
      <Tools
        path={path}
        shown={shown}
        onChange={change}
        isFlat={isFlat}
        onLook={(way) => stage.current?.look(way)}
      />
      {less !== null && <p className={styles.note}>{t(less)}</p>}
      {isEmpty && <p className={styles.note}>{t('empty')}</p>}
      {!path.isWhole && <p className={styles.note}>{t('cut', { layers: path.starts.length })}</p>}
      <div className={styles.main}>
        <Stage
          ref={stage}
          path={path}
          bedArea={bedArea}
          shown={shown}
          onLess={setLess}
          onKeyDown={step}
          label={t('picture', { from: from + 1, to: to + 1, count: path.starts.length })}
        />
        {path.starts.length > 1 && (
          <LayerSlider path={path} shown={shown} isFlat={isFlat} onChange={change} />
        )}
      </div>
      {!isEmpty && <MoveSlider moves={moves} shown={shown} onChange={change} />}
      <Legend path={path} shown={shown} />
    </div>
  )
}

/** Up and down go through layers, left and right through the moves of the last one. */
function stepped(key: string, { layers: [from, to], moves }: Shown, all: number): Partial<Shown> | null {
  if (key === 'ArrowUp') return { layers: [from, to + 1], moves: null }
  if (key === 'ArrowDown') return { layers: [Math.min(from, Math.max(0, to - 1)), to - 1], moves: null }
  if (key === 'ArrowRight') return { moves: (moves ?? all) + 1 }
  return key === 'ArrowLeft' ? { moves: (moves ?? all) - 1 } : null
}
