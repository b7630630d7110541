import type { Id, PrintId } from '../../../lib/id.ts'
import type { Watched } from './watched.queries.ts'

/** A picture of a print that runs, stored, on its way to the detector and what follows. */
export interface Frame {
  readonly watched: Watched & { readonly printId: PrintId }
  readonly frameId: Id<'frames'>
  readonly raw: { readonly container: 'tsd-pics'; readonly path: string }
  readonly bytes: Buffer
  readonly at: number
  /** Seconds that the print runs by its own account, if known. */
  readonly printTime: number | null
}
