export { type Cut, type CutPlane, CutPreview, planeOf } from './cutting.ts'
export { isBeyond, isTouching, type Standing, turnOf } from './footprint.ts'
export { cutModel, dropModel, modelsQuery, uploadModel } from './models.api.ts'
export { AS_IT_CAME, type Footprint, footprintOf } from './outline.ts'
export {
  AXES,
  cornersOf,
  freeSpot,
  GAP_MM,
  middleOf,
  type Piece,
  pieceOf,
  type Placing,
  sizeText,
  usePlate,
  type Vector,
  withAxis,
} from './plate.ts'
export { readMesh } from './reading.ts'
export { type Part, positionsOf, readShape, type Shape } from './stl.ts'
export { arranged, bestTurn, laidOn } from './turns.ts'
