import type { Placing, Vector } from './plate.ts'

/** The colours of the theme. */
export interface Colours {
  /** What the plate is drawn on. */
  readonly ground: string
  readonly edge: string
  readonly grid: string
  readonly piece: string
  readonly chosen: string
  readonly outside: string
}

/** What is seen of a piece as it stands. */
export interface Measured {
  readonly size: Vector
  readonly isOutside: boolean
  /** Another that it stands in. */
  readonly touches: string | null
}

export interface PlateEvents {
  readonly onChoose: (key: string | null) => void
  /** Moved, turned or scaled by hand. */
  readonly onPlace: (key: string, placing: Partial<Placing>) => void
  /** A face was chosen that is to lie on the bed: the direction in which it looks as the piece stands. */
  readonly onFace: (key: string, normal: Vector) => void
  readonly onMeasured: (sizes: ReadonlyMap<string, Measured>) => void
}
