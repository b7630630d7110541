import { Button, NumberInput, SegmentedControl, Switch } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { DialogButtons } from '../../../ui/Dialog.tsx'
import { AXES, type Piece, type Vector, withAxis } from '../meshes/index.ts'
import styles from './Plate.module.css'

export interface PieceSheetProps {
  piece: Piece
  onChange: (piece: Piece) => void
  onClose: () => void
}

/** Where it stands on the bed, by numbers. */
export function MoveSheet({
  piece,
  middle,
  onChange,
  onClose,
}: PieceSheetProps & { middle: readonly [number, number] }) {
  const { t } = useTranslation('slicing')
  const move = (axis: number, value: number | string) => {
    if (typeof value === 'number') onChange({ ...piece, translate: withAxis(piece.translate, axis, value) })
  }
  return (
    <Sheet
      title={t('translate')}
      onReset={() => onChange({ ...piece, translate: [middle[0], middle[1], 0] })}
      onClose={onClose}
    >
      {AXES.slice(0, 2).map((axis, i) => (
        <NumberInput
          key={axis}
          label={t('axis', { axis })}
          suffix=" mm"
          decimalScale={2}
          value={piece.translate[i] ?? 0}
          onChange={(value) => move(i, value)}
        />
      ))}
    </Sheet>
  )
}

/** How it is turned, in degrees. */
export function TurnSheet({ piece, onChange, onClose }: PieceSheetProps) {
  const { t } = useTranslation('slicing')
  const turn = (axis: number, value: number | string) => {
    if (typeof value === 'number') onChange({ ...piece, rotate: withAxis(piece.rotate, axis, value) })
  }
  return (
    <Sheet title={t('rotation')} onReset={() => onChange({ ...piece, rotate: [0, 0, 0] })} onClose={onClose}>
      {AXES.map((axis, i) => (
        <NumberInput
          key={axis}
          label={t('axis', { axis })}
          suffix="°"
          step={15}
          decimalScale={1}
          value={piece.rotate[i] ?? 0}
          onChange={(value) => turn(i, value)}
        />
      ))}
    </Sheet>
  )
}

const PERCENT = 100
const UNITS = ['mm', '%'] as const
type Unit = (typeof UNITS)[number]

/** How large it is, in mm or in percent of what it was; in percent alone where that is not known. */
export function ScaleSheet({ piece, onChange, onClose }: PieceSheetProps) {
  const { t } = useTranslation('slicing')
  const [isUniform, setUniform] = useState(true)
  const [unit, setUnit] = useState<Unit>('mm')
  const isMm = piece.size !== null && unit === 'mm'
  const whole = (axis: number) => (isMm ? (piece.size?.[axis] ?? PERCENT) : PERCENT)
  const scale = (axis: number, value: number | string) => {
    if (typeof value !== 'number' || !(value > 0)) return
    onChange({ ...piece, scale: scaled(piece.scale, value / whole(axis), isUniform ? null : axis) })
  }
  const reset = () => {
    onChange({ ...piece, scale: [1, 1, 1] })
    onClose()
  }
  return (
    <Sheet title={t('scale')} onReset={reset} onClose={onClose}>
      {AXES.map((axis, i) => (
        <NumberInput
          key={axis}
          label={t('axis', { axis })}
          suffix={isMm ? ' mm' : ' %'}
          decimalScale={2}
          value={Number((Math.abs(piece.scale[i] ?? 1) * whole(i)).toFixed(2))}
          onChange={(value) => scale(i, value)}
        />
      ))}
      <Switch
        className={styles.two}
        label={t('uniform')}
        checked={isUniform}
        onChange={(event) => setUniform(event.currentTarget.checked)}
      />
      {piece.size !== null && (
        <SegmentedControl aria-label={t('unit')} value={unit} onChange={setUnit} data={[...UNITS]} />
      )}
    </Sheet>
  )
}

/** All sides, or that of one axis, by this ratio to what they were; what is mirrored stays so. */
const scaled = (now: Vector, ratio: number, only: number | null): Vector => {
  const [x = 1, y = 1, z = 1] = now.map((one, i) =>
    only === null || only === i ? Math.sign(one) * ratio : one,
  )
  return [x, y, z]
}

interface SheetProps {
  title: string
  onReset: (() => void) | null
  onClose: () => void
  /** What is done with it in the end. */
  button?: ReactNode
  children: ReactNode
}

/** Numbers of what the hand does, beside its handles. */
export function Sheet({ title, onReset, onClose, button, children }: SheetProps) {
  const { t } = useTranslation('slicing')
  return (
    <div className={styles.sheet}>
      <fieldset className={styles.axes}>
        <legend>{title}</legend>
        {children}
      </fieldset>
      <DialogButtons>
        <Button variant="subtle" onClick={onClose}>
          {t('close')}
        </Button>
        {onReset && (
          <Button variant="default" onClick={onReset}>
            {t('reset')}
          </Button>
        )}
        {button}
      </DialogButtons>
    </div>
  )
}
