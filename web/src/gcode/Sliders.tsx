import { RangeSlider, Slider } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './Gcode.module.css'
import type { Shown } from './shown.ts'
import type { Toolpath } from './toolpath.ts'

interface Sliding {
  shown: Shown
  onChange: (next: Partial<Shown>) => void
}

/** Which layers are shown: from which, to which. Flat, only one is. */
export function LayerSlider({
  path,
  shown,
  isFlat,
  onChange,
}: Sliding & { path: Toolpath; isFlat: boolean }) {
  const { t } = useTranslation('gcode')
  const [from, to] = shown.layers
  const count = path.starts.length
  const shared = {
    className: styles.layers,
    orientation: 'vertical',
    min: 1,
    max: count,
    label: (value: number) => value,
  } as const
  const height = (path.heights[to] ?? 0).toFixed(2)
  return (
    <div className={styles.layersBox}>
      {isFlat ? (
        <Slider
          {...shared}
          value={to + 1}
          thumbLabel={t('layer')}
          onChange={(value) => onChange({ layers: [0, value - 1], moves: null })}
        />
      ) : (
        <RangeSlider
          {...shared}
          value={[from + 1, to + 1]}
          minRange={0}
          thumbFromLabel={t('fromLayer')}
          thumbToLabel={t('toLayer')}
          onChange={([least, most]) => onChange({ layers: [least - 1, most - 1], moves: null })}
        />
      )}
      <p className={styles.figures}>
        <span>{isFlat || from === to ? to + 1 : `${from + 1}–${to + 1}`}</span>
        <span>{t('of', { count })}</span>
        <span>{t('mm', { mm: height })}</span>
      </p>
    </div>
  )
}

/** How far into the last layer. */
export function MoveSlider({ moves, shown, onChange }: Sliding & { moves: number }) {
  const { t } = useTranslation('gcode')
  const at = shown.moves ?? moves
  return (
    <div className={styles.moves}>
      <span>{t('move')}</span>
      <Slider
        className={styles.movesSlider}
        min={1}
        max={Math.max(2, moves)}
        disabled={moves < 2}
        value={at}
        thumbLabel={t('move')}
        label={(value) => value}
        onChange={(value) => onChange({ moves: value })}
      />
      <span className={styles.count}>{t('moveOf', { at, count: moves })}</span>
    </div>
  )
}
