import type { Manifold } from 'manifold-3d'
import { box, drawn, joined, rod, slab, without } from './shapes.ts'

export function calibrationCube(side = 20): Manifold {
  const letter = (outline: [number, number][]) => drawn(outline, 1).translate([6, 6, side - 0.6])
  const x = letter([
    [0, 0],
    [2, 0],
    [4, 2.8],
    [6, 0],
    [8, 0],
    [5, 4],
    [8, 8],
    [6, 8],
    [4, 5.2],
    [2, 8],
    [0, 8],
    [3, 4],
  ])
  return without(box(side, side, side), x)
}

export const temperatureTower = (): Manifold =>
  joined(
    slab(46, 26, 2, 1.2),
    ...Array.from({ length: 7 }, (_, i) =>
      without(
        joined(box(40, 12, 9, [-20, -6, 1 + i * 10]), box(36, 10, 1.2, [-18, -5, 9.9 + i * 10])),
        box(14, 16, 5, [-7, -8, 3 + i * 10]),
        rod(0.8, 2, [14, -7, 4.5 + i * 10]),
      ),
    ),
  )

export const stringingTest = (): Manifold =>
  joined(slab(70, 14, 3, 1), rod(4, 40, [-26, 0, 0], 2), rod(4, 40, [0, 0, 0], 2), rod(4, 40, [26, 0, 0], 2))

export const overhangTest = (): Manifold => {
  const steps = [20, 30, 40, 45, 50, 55, 60, 65, 70]
  const outline: [number, number][] = [
    [0, 0],
    [20, 0],
  ]
  let [x, y] = [20, 4]
  outline.push([x, y])
  for (const angle of steps) {
    x += 6 * Math.sin((angle * Math.PI) / 180)
    y += 6 * Math.cos((angle * Math.PI) / 180)
    outline.push([x, y])
  }
  outline.push([0, y])
  return drawn(outline, 16).rotate([90, 0, 0]).translate([0, 16, 0])
}

export const bridgeTest = (): Manifold =>
  joined(
    slab(130, 14, 2, 1.2).translate([55, 0, 0]),
    ...[10, 20, 30, 40].map((span, i) => {
      const from = [0, 18, 46, 84][i] ?? 0
      return joined(
        box(4, 10, 14, [from - 4, -5, 0]),
        box(4, 10, 14, [from + span, -5, 0]),
        box(span + 8, 10, 1.6, [from - 4, -5, 13]),
      )
    }),
  )

export const toleranceTest = (): Manifold =>
  joined(
    without(
      box(126, 22, 6),
      ...[0.1, 0.15, 0.2, 0.25, 0.3, 0.4].map((gap, i) => rod(6 + gap, 8, [12 + i * 20.4, 11, -1])),
    ),
    ...[0, 1, 2, 3, 4, 5].map((i) => rod(6, 6, [12 + i * 20.4, 11, 0])),
  )

export const firstLayer = (): Manifold =>
  joined(...[-80, 0, 80].flatMap((x) => [-80, 0, 80].map((y) => slab(30, 30, 2, 0.2).translate([x, y, 0]))))
