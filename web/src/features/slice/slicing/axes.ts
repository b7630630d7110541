import type { Vector } from './plate.ts'

export const AXES = ['X', 'Y', 'Z'] as const

/** A vector with another number at one axis. */
export const withAxis = (vector: Vector, axis: number, value: number): Vector => {
  const [x, y, z] = vector.map((one, i) => (i === axis ? value : one))
  return [x ?? 0, y ?? 0, z ?? 0]
}
