/**
 * The detector port: what the rest of the server knows about finding failures in pictures.
 * Two backends stand behind it: ours (`vigil`, a heat map) and the Obico-shaped ONNX contract (`obico`,
 * boxes); see docs/detector.md. Pictures are unrotated, as the agent sent them.
 */
import type { Quality } from './quality.ts'

/** A rectangle around something suspicious, in pixels of the given picture from its top left; score 0..1. */
export interface Box {
  x: number
  y: number
  w: number
  h: number
  score: number
}

/** In which colour boxes are drawn: one of no state, amber or red. */
export type BoxTone = 'quiet' | 'doubtful' | 'failing'

/** A closed outline in relative coordinates (0..1 from the top left) of the unrotated picture. */
export type Polygon = readonly { x: number; y: number }[]

/** A calibrated map over the un-padded picture, row by row; 0..255 stands for a score of 0..1. */
export interface HeatMap {
  width: number
  height: number
  values: Uint8Array
  /** The same cells at the scale of log-odds, which keeps small scores apart: 0..255 stands for -12..8. */
  odds?: Uint8Array
}

/** What the detector says about one picture. */
export interface Inspection {
  /** `vigil`: 0..1. `obico`: the raw sum of the kept confidences, unbounded (docs/rules/watch.md 3). */
  score: number
  boxes: Box[]
  heat: HeatMap | null
  /** Name and version of the model that looked. */
  model: string
  /** What its scores depend on: the first 12 hex digits of the model's SHA-256 and the scale of its score. */
  modelKey: string
  /** Size of the given picture in pixels. */
  width: number
  height: number
  /** The picture itself, judged apart from what is printed on it (issue: dark, frozen, blind). */
  quality: Quality
}

/** What became of a submitted picture: looked at, replaced by a newer one of its key, or dropped when full. */
export type Outcome =
  | { kind: 'inspected'; inspection: Inspection }
  | { kind: 'superseded' }
  | { kind: 'dropped' }

export interface DetectOptions {
  /** Cells whose centre lies in one of these count nothing. */
  ignore?: readonly Polygon[]
}

/** What can be wrong with a first layer, in the words of docs/wire/rest.md 5.3. */
export const LAYER_ISSUES = ['gaps', 'raisedRipples', 'bumpsAndRoughSurface', 'bubbling', 'detached'] as const
type LayerIssue = (typeof LAYER_ISSUES)[number]

/** What one picture of a nozzle camera shows of the first layer. */
export interface LayerSight {
  /** Name and version of the model that looked. */
  model: string
  /** 0..100, 100 is faultless; null when the picture is of no nozzle camera. */
  score: number | null
  /** One or more issues, or `noIssues`, or `notANozzleCam`. */
  labels: (LayerIssue | 'noIssues' | 'notANozzleCam')[]
  /** How much each issue shows where it shows most, 0..1. */
  shares: Record<LayerIssue, number>
  /** Probability that the picture is of no nozzle camera. */
  notANozzleCam: number
  /** Regularity of the lines, 0..1; null where nothing is sharp enough to tell. */
  lines: number | null
}

interface DetectorHealth {
  state: 'ready' | 'down'
  /** A sentence for the operator when the state is down. */
  error?: string
  /** Pictures waiting. */
  queued: number
}

/** A running detector. Owns its worker threads; `close` ends them. */
export interface Detector {
  readonly model: string
  readonly kind: 'vigil' | 'obico'
  /**
   * Looks at one picture (an encoded file, not pixels). The bytes are copied, the caller keeps them.
   * Throws {@link BadPicture} when it can't be decoded, {@link DetectorUnavailable} when nothing can look.
   */
  detect(picture: Uint8Array, options?: DetectOptions): Promise<Inspection>
  /**
   * As `detect`, but at most one picture of each key waits: a newer one supersedes it. Never waits without
   * bound; when too many wait, the oldest is dropped. Same errors as `detect`.
   */
  submit(key: string, picture: Uint8Array, options?: DetectOptions): Promise<Outcome>
  /**
   * Looks at a nozzle camera's picture of a first layer; its model is loaded with the first one. Waits behind the
   * pictures that came before it. Same errors as `detect`.
   */
  detectLayer(picture: Uint8Array): Promise<LayerSight>
  health(): DetectorHealth
  close(): Promise<void>
}

/** Nothing can look at pictures now: model missing, worker died or hung, queue full, closed. */
export class DetectorUnavailable extends Error {
  override readonly name = 'DetectorUnavailable'
}

/** The bytes are no picture that can be decoded, or too large a one. */
export class BadPicture extends Error {
  override readonly name = 'BadPicture'
}
