import { Button, Flex, Stack } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { AXES, type Piece, sizeText, withAxis } from '../meshes/index.ts'
import type { Measured } from './seen.ts'
import shared from '../../../ui/shared.module.css'
import rows from '../../../ui/Rows.module.css'

interface PiecePanelProps {
  pieces: readonly Piece[]
  chosen: Piece | null
  measured: ReadonlyMap<string, Measured>
  onChoose: (key: string) => void
  onChange: (piece: Piece) => void
  onCopy: (piece: Piece) => void
  onRemove: (piece: Piece) => void
}

/** What stands on the plate, how large it is, and what is done with the chosen one. */
export function PiecePanel({ pieces, chosen, measured, onChoose, ...rest }: PiecePanelProps) {
  const { t } = useTranslation('slicing')
  return (
    <Panel title={t('plateTitle')}>
      {pieces.length === 0 && <p className={shared.soft}>{t('empty')}</p>}
      <ul className={rows.rows} aria-label={t('plateTitle')}>
        {pieces.map((piece) => {
          const seen = measured.get(piece.key)
          return (
            <li key={piece.key}>
              <button
                type="button"
                className={rows.row}
                aria-pressed={piece.key === chosen?.key}
                onClick={() => onChoose(piece.key)}
              >
                <Stack component="span" className={shared.fits} gap={0} flex={1}>
                  <bdi>{piece.name}</bdi>
                  <span className={seen?.isOutside || seen?.touches ? shared.bad : shared.soft}>
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
      {chosen && <PieceButtons piece={chosen} {...rest} />}
    </Panel>
  )
}

type PieceButtonsProps = Pick<PiecePanelProps, 'onChange' | 'onCopy' | 'onRemove'> & { piece: Piece }

function PieceButtons({ piece, onChange, onCopy, onRemove }: PieceButtonsProps) {
  const { t } = useTranslation('slicing')
  return (
    <Flex wrap="wrap" gap={8} mt={12}>
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
