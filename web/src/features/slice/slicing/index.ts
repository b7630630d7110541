export { turnOf } from './footprint.ts'
export { footprintOf } from './outline.ts'
export { cornersOf, middleOf, type Vector } from './plate.ts'
export { positionsOf, readShape, type Shape } from './stl.ts'
export {
  engineQuery,
  filamentsQuery,
  machinesQuery,
  modelsQuery,
  presetQuery,
  processesQuery,
  settingsQuery,
  slicedQuery,
  uploadModel,
} from './slicing.api.ts'
export { arranged, bestTurn } from './turns.ts'
