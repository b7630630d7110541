import type { Inspection } from '../engines/inference/port.ts'

/** A map with a hot streak in the middle of the picture. */
export const streak = (score: number): Inspection['heat'] => ({
  width: 16,
  height: 12,
  values: new Uint8Array(192).fill(Math.round(score * 255), 100, 106),
})

/** What a scripted detector says of its picture number `look`: each looks different, none is blind. */
export const anInspection = (look: number, score: number, more: Partial<Inspection> = {}): Inspection => ({
  score,
  boxes: [],
  heat: streak(score),
  model: 'scripted 1',
  modelKey: 'scripted',
  width: 320,
  height: 240,
  quality: {
    condition: null,
    hash: String(look),
    thumbnail: Uint8Array.from({ length: 64 * 48 }, (_, i) => (i * 37 + look * 91) % 200),
  },
  ...more,
})
