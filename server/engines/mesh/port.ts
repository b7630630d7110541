import type { Placing, Plate } from '../../lib/mesh/bake.ts'

/** Width and height of the pictures of meshes. */
export const PICTURE_PIXELS = 256

/** What the worker thread is given to do. */
export type Task =
  | { readonly kind: 'read'; readonly name: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'bake'
      readonly meshes: readonly { readonly path: string; readonly placing: Placing }[]
      readonly plate: Plate
    }
