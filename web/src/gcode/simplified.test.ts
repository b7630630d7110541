import { FEATURES } from '@vigil/contract/gcode/features.ts'
import { expect, it } from 'vitest'
import { Scanner } from './scanner.ts'
import { simplified } from './simplified.ts'
import { moveAt, type Toolpath } from './toolpath.ts'

const LAYERS = 60
const STEPS = 400

/** Rings with a wall inside and infill. */
function rings(): Toolpath {
  const lines = ['M83']
  for (let layer = 1; layer <= LAYERS; layer++) {
    lines.push(`;LAYER_CHANGE\nG1 Z${(layer * 0.2).toFixed(2)} F600`)
    for (const [type, radius] of [
      ['Outer wall', 40],
      ['Inner wall', 39],
      ['Sparse infill', 30],
    ] as const) {
      lines.push(`;TYPE:${type}\nG0 X${100 + radius} Y100 F6000`)
      for (let step = 1; step <= STEPS; step++) {
        const angle = (2 * Math.PI * step) / STEPS
        lines.push(
          `G1 X${(100 + radius * Math.cos(angle)).toFixed(3)} Y${(100 + radius * Math.sin(angle)).toFixed(3)} E0.1`,
        )
      }
    }
  }
  const scanner = new Scanner(1_000_000)
  scanner.feed(new TextEncoder().encode(lines.join('\n')))
  return scanner.end()
}

it('is what is seen from outside, layer by layer, in as many moves as may be', () => {
  const whole = rings()
  for (const most of [20_000, 3_000, 500]) {
    const { path, layers } = simplified(whole, most)
    expect(path.count).toBeLessThanOrEqual(most)
    expect(path.isWhole).toBe(true)
    expect(layers.map((layer) => whole.heights[layer])).toEqual([...path.heights])
    expect(path.starts[0]).toBe(0)
    expect(path).toMatchObject({ box: whole.box, speeds: whole.speeds, widths: whole.widths })
    const kinds = Array.from({ length: path.count }, (_, at) => FEATURES[moveAt(path, at).feature])
    expect([...new Set(kinds)].toSorted()).toEqual(['jump', 'outer'])
    // Each ring stays a ring of 40 mm, within what the coarsest step allows.
    for (let at = 0; at < path.count; at++) {
      const [x = 0, y = 0] = path.points.subarray(3 * at + 3, 3 * at + 5)
      expect(Math.hypot(x - 100, y - 100)).toBeCloseTo(40, 1)
    }
  }
  expect(simplified(whole, 20_000).layers).toHaveLength(LAYERS)
  // Where layers are left out, lines are so high that nothing is seen through them.
  const { path, layers } = simplified(whole, 500)
  expect(layers.length).toBeLessThan(LAYERS)
  expect(moveAt(path, path.count - 1).width).toBeGreaterThan(0.2 * (LAYERS / layers.length) * 0.9)
})

it('of nothing is nothing, and what never is few enough is cut', () => {
  const empty = new Scanner(10).end()
  expect(simplified(empty, 100)).toMatchObject({ layers: [], path: { count: 0 } })
  expect(simplified(rings(), 5).path.count).toBe(5)
})
