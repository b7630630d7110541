import type { Placing, Plate } from '../../lib/mesh/bake.ts'

/** Width and height of the pictures of meshes. */
export const PICTURE_PIXELS = 256

/** Where a mesh is cut: a plane of this normal, so far along it from the middle of the mesh's box. */
export interface CutPlane {
  readonly normal: readonly [number, number, number]
  readonly offset: number
}

/** What the worker thread is given to do. */
export type Task =
  | { readonly kind: 'read'; readonly name: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'bake'
      readonly meshes: readonly { readonly path: string; readonly placing: Placing }[]
      readonly plate: Plate
    }
  | ({
      readonly kind: 'cut'
      readonly from: string
      readonly below: string
      readonly above: string
    } & CutPlane)
