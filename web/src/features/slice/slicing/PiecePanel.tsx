import { Button, Flex, NumberInput, Stack, Switch } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import type { Piece, Vector } from './plate.ts'
import type { Measured } from './seen.ts'
import { size as sizeText } from './words.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Slicing.module.css'

const AXES = ['X', 'Y', 'Z'] as const
const withAxis = (vector: Vector, axis: number, value: number): Vector => {
  const [x, y, z] = vector.map((one, i) => (i === axis ? value : one))
  return [x ?? 0, y ?? 0, z ?? 0]
}

interface PiecePanelProps {
  pieces: readonly Piece[]
  chosen: Piece | null
  measured: ReadonlyMap<string, Measured>
  middle: readonly [number, number]
  onChoose: (key: string) => void
  onChange: (piece: Piece) => void
  onCopy: (piece: Piece) => void
  onRemove: (piece: Piece) => void
}

/** What stands on the plate, and where and how the chosen one does. */
export function PiecePanel({ pieces, chosen, measured, onChoose, ...rest }: PiecePanelProps) {
  const { t } = useTranslation('slicing')
  return (
    <Panel title={t('plateTitle')}>
      {pieces.length === 0 && <p className={styles.soft}>{t('empty')}</p>}
      <ul className={styles.models} aria-label={t('plateTitle')}>
        {pieces.map((piece) => {
          const seen = measured.get(piece.key)
          return (
            <li key={piece.key}>
              <button
                type="button"
                className={styles.model}
                aria-pressed={piece.key === chosen?.key}
                onClick={() => onChoose(piece.key)}
              >
                <Stack component="span" className={shared.fits} gap={0} flex={1}>
                  <bdi>{piece.name}</bdi>
                  <span className={seen?.isOutside || seen?.touches ? styles.bad : styles.soft}>
                    {seen ? sizeText(seen.size) : ''}
                    {seen?.isOutside && ` · ${t('outside')}`}
                    {seen?.touches && ` · ${t('touching')}`}
                  </span>
                </Stack>
              </button>
            </li>
          )
        })}
      </ul>
      {chosen && <Placing key={chosen.key} piece={chosen} {...rest} />}
    </Panel>
  )
}

type PlacingProps = Pick<PiecePanelProps, 'middle' | 'onChange' | 'onCopy' | 'onRemove'> & { piece: Piece }

const Placing = ({ piece, middle, onChange, onCopy, onRemove }: PlacingProps) => (
  <div className={styles.placing}>
    <Moving piece={piece} middle={middle} onChange={onChange} />
    <Turning piece={piece} onChange={onChange} />
    <Scaling piece={piece} onChange={onChange} />
    <PieceButtons piece={piece} onChange={onChange} onCopy={onCopy} onRemove={onRemove} />
  </div>
)

function Moving({ piece, middle, onChange }: Pick<PlacingProps, 'piece' | 'middle' | 'onChange'>) {
  const { t } = useTranslation('slicing')
  const move = (axis: number, value: number | string) => {
    if (typeof value === 'number') onChange({ ...piece, translate: withAxis(piece.translate, axis, value) })
  }
  return (
    <fieldset className={styles.axes}>
      <legend>{t('translate')}</legend>
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
      <Button variant="subtle" onClick={() => onChange({ ...piece, translate: [middle[0], middle[1], 0] })}>
        {t('reset')}
      </Button>
    </fieldset>
  )
}

function Turning({ piece, onChange }: Pick<PlacingProps, 'piece' | 'onChange'>) {
  const { t } = useTranslation('slicing')
  const turn = (axis: number, value: number | string) => {
    if (typeof value === 'number') onChange({ ...piece, rotate: withAxis(piece.rotate, axis, value) })
  }
  return (
    <fieldset className={styles.axes}>
      <legend>{t('rotation')}</legend>
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
    </fieldset>
  )
}

/** In mm where the size of the mesh is known, else in percent. */
function Scaling({ piece, onChange }: Pick<PlacingProps, 'piece' | 'onChange'>) {
  const { t } = useTranslation('slicing')
  const [isUniform, setUniform] = useState(true)
  const whole = (axis: number) => piece.size?.[axis] ?? 100
  const scale = (axis: number, value: number | string) => {
    if (typeof value !== 'number' || !(value > 0)) return
    const ratio = value / whole(axis) / Math.abs(piece.scale[axis] ?? 1)
    const [x, y, z] = piece.scale.map((one, i) => (isUniform || i === axis ? one * ratio : one))
    onChange({ ...piece, scale: [x ?? 1, y ?? 1, z ?? 1] })
  }
  return (
    <fieldset className={styles.axes}>
      <legend>{t('scale')}</legend>
      {AXES.map((axis, i) => (
        <NumberInput
          key={axis}
          label={t('axis', { axis })}
          suffix={piece.size ? ' mm' : ' %'}
          decimalScale={2}
          value={Number((Math.abs(piece.scale[i] ?? 1) * whole(i)).toFixed(2))}
          onChange={(value) => scale(i, value)}
        />
      ))}
      <Switch
        label={t('uniform')}
        checked={isUniform}
        onChange={(event) => setUniform(event.currentTarget.checked)}
      />
      <Button variant="subtle" onClick={() => onChange({ ...piece, scale: [1, 1, 1] })}>
        {t('reset')}
      </Button>
    </fieldset>
  )
}

function PieceButtons({ piece, onChange, onCopy, onRemove }: Omit<PlacingProps, 'middle'>) {
  const { t } = useTranslation('slicing')
  return (
    <Flex wrap="wrap" gap={8}>
      {AXES.map((axis, i) => (
        <Button
          key={axis}
          variant="default"
          onClick={() => onChange({ ...piece, scale: withAxis(piece.scale, i, -(piece.scale[i] ?? 1)) })}
        >
          {t('mirror', { axis })}
        </Button>
      ))}
      <Button
        variant="default"
        leftSection={<IconCopy size={16} stroke={1.75} />}
        onClick={() => onCopy(piece)}
      >
        {t('copy')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} stroke={1.75} />}
        onClick={() => onRemove(piece)}
      >
        {t('remove')}
      </Button>
    </Flex>
  )
}
