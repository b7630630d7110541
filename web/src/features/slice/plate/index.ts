export { PiecePanel } from './PiecePanel.tsx'
export type { PlateHandle } from './PlateStage.tsx'
export { type Trouble, usePieces } from './usePieces.ts'
export { Workbench } from './Workbench.tsx'
