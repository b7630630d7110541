import { describe, expect, test } from 'vitest'
import { greyOf, regularity } from './lines.ts'

const SIZE = 256
const WHOLE = { left: 0, top: 0, width: SIZE, height: SIZE }

/** A picture of grey levels by place. */
function drawn(level: (x: number, y: number) => number) {
  const values = new Float32Array(SIZE * SIZE)
  for (let y = 0; y < SIZE; y++) for (let x = 0; x < SIZE; x++) values[y * SIZE + x] = level(x, y)
  return { values, width: SIZE }
}

/** Noise that is the same every time, -1..1. */
const noise = (x: number, y: number) => {
  const v = Math.sin(x * 12.9898 + y * 78.233) * 43758.5453
  return 2 * (v - Math.floor(v)) - 1
}
/** Rounded beads `pitch` pixels apart, running at an angle. */
const beads =
  (pitch: number, angle = 0.6) =>
  (x: number, y: number) => {
    const u = (x * Math.cos(angle) + y * Math.sin(angle)) / pitch
    return 90 + 80 * Math.sqrt(1 - (2 * (u - Math.floor(u)) - 1) ** 2) + 8 * noise(x, y)
  }

describe('the regularity of lines', () => {
  test.each([7, 12, 20, 26])('is high for even beads of %i px', (pitch) => {
    expect(regularity(drawn(beads(pitch)), WHOLE)).toBeGreaterThan(0.5)
  })
  test('does not depend on where they run', () => {
    const values = [0, 0.4, 0.8, 1.2, 1.6, 2.6].map((angle) => regularity(drawn(beads(14, angle)), WHOLE)!)
    expect(Math.max(...values) - Math.min(...values)).toBeLessThan(0.15)
  })
  test('is low for a rough top, and for no lines at all', () => {
    const rough = (x: number, y: number) => 128 + 60 * noise(Math.floor(x / 5), Math.floor(y / 5))
    expect(regularity(drawn(rough), WHOLE)).toBeLessThan(0.25)
    expect(
      regularity(
        drawn((x, y) => 128 + 60 * noise(x, y)),
        WHOLE,
      ),
    ).toBeLessThan(0.2)
  })
  test('falls when ripples cross the beads, and when their spacing drifts', () => {
    const even = regularity(drawn(beads(14)), WHOLE)!
    const bead = beads(14, 0)
    const rippled = (x: number, y: number) =>
      0.5 * bead(x, y) + 70 * Math.sin(y / 2.5 + 2.1 * Math.floor(x / 14) ** 2)
    expect(regularity(drawn(rippled), WHOLE)).toBeLessThan(even - 0.2)
    const drifting = (x: number, y: number) => beads(8 + 16 * Math.floor((3 * x) / SIZE), 0)(x, y)
    expect(regularity(drawn(drifting), WHOLE)).toBeLessThan(even - 0.1)
  })
  test('is unknown where there is nothing to see', () => {
    expect(
      regularity(
        drawn(() => 130),
        WHOLE,
      ),
    ).toBeNull()
    expect(regularity(drawn(beads(14)), { left: 100, top: 100, width: 50, height: 50 })).toBeNull()
  })
  test('looks at the picture, not at its padding', () => {
    const inside = { left: 0, top: 60, width: SIZE, height: 136 }
    const bead = beads(14)
    const boxed = drawn((x, y) => (y >= 60 && y < 196 ? bead(x, y) : 255 * (Math.floor(y / 3) % 2)))
    expect(regularity(boxed, inside)).toBeGreaterThan(0.6)
  })
})

test('grey levels are those of the television', () => {
  const input = Float32Array.from([1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0].map((_, i) => (i < 4 ? 1 : 0)))
  expect([...greyOf(input, 2, 2).values].map((value) => Math.round(value))).toEqual([76, 76, 76, 76])
})
