/** What is sliced: meshes that stand where they are printed, and all settings in one file of the engine's own. */
export interface SliceWork {
  /** Empty but for the meshes, and nobody else's: what the engine leaves here goes with it. */
  readonly folder: string
  /** Files in the folder, binary STL, in the printer's coordinates. */
  readonly meshes: readonly string[]
  /** As `wordsFor` makes them of the engine's own profiles. */
  readonly settings: string
  /** Largest G-code that is of use. */
  readonly mostBytes: number
}

export interface SliceOptions {
  readonly signal: AbortSignal
  /** How much is done, 0 to 1; never less than before. */
  readonly onProgress: (share: number) => void
  readonly timeMs?: number
}

/** Why there is no G-code: keys of sentences in `slicing-server`. */
export type SliceRefusal =
  | 'missing'
  | 'tooLong'
  | 'tooMuchMemory'
  | 'tooLarge'
  | 'noLayers'
  | 'offBed'
  | 'tooClose'
  | 'vaseAlone'
  | 'layerTooHigh'
  | 'outOfRange'
  | 'fillFull'
  | 'badMesh'
  | 'refused'
  | 'crashed'

/** An engine made no G-code; `said` is what it said itself, cut. */
export class SliceFailed extends Error {
  override readonly name = 'SliceFailed'
  readonly why: SliceRefusal
  readonly said: string
  constructor(why: SliceRefusal, said = '', options?: ErrorOptions) {
    super(`slicing failed: ${why}${said === '' ? '' : `: ${said}`}`, options)
    this.why = why
    this.said = said
  }
}

/** A STEP file, alone in its folder. */
export type StepWork = Pick<SliceWork, 'folder' | 'mostBytes'> & { readonly file: string }

/** A program that makes G-code of meshes. */
export interface SlicerEngine {
  /** Its name and version; null when it is not there. */
  version(): Promise<string | null>
  /** The folder of the vendors' profiles that came with it. */
  readonly profiles: string
  /** The path of the G-code, in the folder of the work. Raises `SliceFailed`, and `ProgramFailed` when it was stopped. */
  slice(work: SliceWork, options: SliceOptions): Promise<string>
  /** Makes a binary STL of a STEP file; its path. Absent where the engine reads none. */
  stlOf?(work: StepWork, signal: AbortSignal): Promise<string>
}
