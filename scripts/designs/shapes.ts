import Module, { type CrossSection, type Manifold } from 'manifold-3d'

const kit = await Module()
kit.setup()
kit.setCircularSegments(48)

type Point = [x: number, y: number]

/** A box by its corner. */
export const box = (x: number, y: number, z: number, at: [number, number, number] = [0, 0, 0]): Manifold =>
  kit.Manifold.cube([x, y, z]).translate(at)

/** A cylinder that stands, by the middle of its foot; a cone with another radius above. */
export const rod = (
  radius: number,
  height: number,
  at: [number, number, number] = [0, 0, 0],
  above = radius,
): Manifold => kit.Manifold.cylinder(height, radius, above).translate(at)

/** An outline, drawn upwards. */
export const drawn = (outline: Point[], height: number): Manifold =>
  new kit.CrossSection([outline], 'NonZero').extrude(height)

/** A rounded rectangle about the origin. */
export const slab = (width: number, depth: number, radius: number, height: number): Manifold =>
  rounded(width, depth, radius).extrude(height)

const rounded = (width: number, depth: number, radius: number): CrossSection =>
  kit.CrossSection.square([width - 2 * radius, depth - 2 * radius], true).offset(radius, 'Round')

/** An open box with walls of one thickness. */
export const tray = (width: number, depth: number, height: number, wall: number, radius = 4): Manifold =>
  slab(width, depth, radius, height).subtract(
    slab(width - 2 * wall, depth - 2 * wall, Math.max(0.5, radius - wall), height).translate([0, 0, wall]),
  )

/** A part of a ring, from one angle to another, in degrees. */
export const arc = (outer: number, inner: number, height: number, from: number, to: number): Manifold => {
  const steps = 48
  const along = (radius: number, way: number[]): Point[] =>
    way.map((i) => {
      const angle = ((from + ((to - from) * i) / steps) * Math.PI) / 180
      return [radius * Math.cos(angle), radius * Math.sin(angle)]
    })
  const there = Array.from({ length: steps + 1 }, (_, i) => i)
  return drawn([...along(outer, there), ...along(inner, there.toReversed())], height)
}

/** All in one. */
export const joined = (...parts: Manifold[]): Manifold => kit.Manifold.union(parts)

/** The first without the others. */
export const without = (first: Manifold, ...others: Manifold[]): Manifold =>
  first.subtract(kit.Manifold.union(others))

/** One along X, so many times. */
export const row = (count: number, step: number, part: (i: number) => Manifold): Manifold =>
  joined(...Array.from({ length: count }, (_, i) => part(i).translate([i * step, 0, 0])))
