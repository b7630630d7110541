import { type Ref, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { CutSheet, type Keep } from './CutSheet.tsx'
import { type Cut, sizeText } from '../meshes/index.ts'
import type { Tool } from './hands.ts'
import { MoveSheet, ScaleSheet, TurnSheet } from './PieceSheet.tsx'
import { type PlateHandle, PlateStage } from './PlateStage.tsx'
import styles from './Plate.module.css'
import { Tools } from './Tools.tsx'
import { useKeys } from './useKeys.ts'
import type { usePieces } from './usePieces.ts'

const DEFAULT_HEIGHT = 220

type Plate = ReturnType<typeof usePieces>

interface WorkbenchProps {
  ref: Ref<PlateHandle>
  plate: Plate
  height: number | undefined
  /** Of the meshes that the address names, as far as it says. */
  bytes: number | null
}

/** The plate, and what is done with it by hand, by keys and by numbers. */
export function Workbench({ ref, plate, height = DEFAULT_HEIGHT, bytes }: WorkbenchProps) {
  const { t } = useTranslation('slicing')
  const [tool, setTool] = useState<Tool>('translate')
  const [isOpen, setOpen] = useState(true)
  const [isHeat, setHeat] = useState(false)
  const { cut, ...cutting } = useCut(plate, tool === 'cut' && isOpen)
  const measured = plate.key === null ? undefined : plate.measured.get(plate.key)
  const take = (next: Tool) => {
    setOpen(next !== tool || !isOpen)
    setTool(next)
  }
  useKeys({ plate, onTool: take, onHeat: () => setHeat((now) => !now) })
  return (
    <div className={styles.bench}>
      <PlateStage
        ref={ref}
        pieces={plate.pieces}
        chosen={plate.key}
        corners={plate.corners}
        height={height}
        onChoose={plate.choose}
        tool={tool}
        isHeat={isHeat}
        cut={cut}
        note={measured ? sizeText(measured.size) : null}
        bytes={bytes}
        onPlace={plate.place}
        onFace={plate.layOn}
        onMeasured={plate.setMeasured}
        onFailed={() => toast(t('meshFailed'), 'failed')}
      />
      <Tools
        tool={tool}
        onTool={take}
        isHeat={isHeat}
        onHeat={setHeat}
        onArrange={plate.pieces.length > 0 ? plate.arrange : null}
        onOrient={plate.chosen ? plate.orient : null}
        undo={plate.undo}
        redo={plate.redo}
      />
      {isOpen && (
        <ToolSheet tool={tool} plate={plate} cut={cut} {...cutting} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}

/** The plane of a cut: through the middle of what is chosen, until it is moved. */
function useCut(plate: Plate, isOn: boolean) {
  const { t } = useTranslation('slicing')
  const problemText = useProblemText()
  const [moved, setMoved] = useState<{ key: string; cut: Cut } | null>(null)
  const { chosen, measured } = plate
  const size = chosen && measured.get(chosen.key)?.size
  const cut: Cut | null =
    !isOn || !size ? null : moved?.key === chosen.key ? moved.cut : { axis: 2, at: size[2] / 2 }
  return {
    cut,
    onMove: (next: Cut) => chosen && setMoved({ key: chosen.key, cut: next }),
    onCut: async (keep: Keep) => {
      if (!chosen || !cut) return
      try {
        if (!(await plate.cut(chosen, cut, keep))) toast(t('cut.notOwn'), 'failed')
      } catch (error) {
        toast(problemText(problemOf(error)), 'failed')
      }
    },
  }
}

interface ToolSheetProps extends Omit<ReturnType<typeof useCut>, 'cut'> {
  tool: Tool
  plate: Plate
  cut: Cut | null
  onClose: () => void
}

/** What belongs to the tool, for the piece that is chosen. */
function ToolSheet({ tool, plate, cut, onMove, onCut, onClose }: ToolSheetProps) {
  const { chosen: piece, middle, measured, put: onChange } = plate
  if (piece === null) return null
  const sheet = { piece, onChange, onClose }
  const size = measured.get(piece.key)?.size
  if (tool === 'translate') return <MoveSheet {...sheet} key={piece.key} middle={middle} />
  if (tool === 'rotate') return <TurnSheet {...sheet} key={piece.key} />
  if (tool === 'scale') return <ScaleSheet {...sheet} key={piece.key} />
  if (tool === 'cut' && cut && size)
    return <CutSheet cut={cut} size={size} onMove={onMove} onCut={onCut} onClose={onClose} />
  return null
}
