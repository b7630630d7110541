import { Button, NumberInput, SegmentedControl, Slider } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { AXES, type Cut, type Vector } from '../meshes/index.ts'
import { Sheet } from './PieceSheet.tsx'
import styles from './Plate.module.css'

export type Keep = 'both' | 'below' | 'above'
const KEPT = ['both', 'below', 'above'] as const

interface CutSheetProps {
  cut: Cut
  /** Of the piece as it stands. */
  size: Vector
  onMove: (cut: Cut) => void
  onCut: (keep: Keep) => Promise<void>
  onClose: () => void
}

/** A plane through a piece, and what is kept of it. */
export function CutSheet({ cut, size, onMove, onCut, onClose }: CutSheetProps) {
  const { t } = useTranslation('slicing')
  const [keep, setKeep] = useState<Keep>('both')
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await onCut(keep)
    setBusy(false)
  }
  return (
    <Sheet
      title={t('cut.title')}
      onReset={null}
      onClose={onClose}
      button={
        <Button variant="filled" loading={isBusy} onClick={() => void run()}>
          {t('cut.run')}
        </Button>
      }
    >
      <Plane cut={cut} size={size} onMove={onMove} />
      <SegmentedControl
        className={styles.wide}
        aria-label={t('cut.keep')}
        value={keep}
        onChange={setKeep}
        data={KEPT.map((value) => ({
          value,
          label: value === 'both' ? t('cut.both') : t(`cut.${value}.${AXES[cut.axis]}`),
        }))}
      />
    </Sheet>
  )
}

/** Across which axis it lies, and where. */
function Plane({ cut, size, onMove }: Pick<CutSheetProps, 'cut' | 'size' | 'onMove'>) {
  const { t } = useTranslation('slicing')
  const most = Number(size[cut.axis].toFixed(2))
  const at = Number(cut.at.toFixed(2))
  return (
    <>
      <SegmentedControl
        className={styles.wide}
        aria-label={t('cut.across')}
        value={AXES[cut.axis]}
        data={[...AXES]}
        onChange={(value) => {
          const axis = value === 'X' ? 0 : value === 'Y' ? 1 : 2
          onMove({ axis, at: size[axis] / 2 })
        }}
      />
      <NumberInput
        className={styles.wide}
        label={t('cut.at')}
        suffix=" mm"
        min={0}
        max={most}
        decimalScale={2}
        value={at}
        onChange={(value) => typeof value === 'number' && onMove({ ...cut, at: value })}
      />
      <Slider
        className={styles.wide}
        thumbLabel={t('cut.at')}
        label={null}
        min={0}
        max={most}
        step={0.1}
        value={at}
        onChange={(value) => onMove({ ...cut, at: value })}
      />
    </>
  )
}
