import type { Manifold } from 'manifold-3d'
import * as calibration from './calibration.ts'
import { arc, box, drawn, joined, rod, row, slab, tray, without } from './shapes.ts'

/** A hole for a countersunk screw through a plate that lies on the bed. */
const screw = (x: number, y: number, thick: number, radius = 2.2): Manifold =>
  joined(rod(radius, thick + 2, [x, y, -1]), rod(radius, 2.2, [x, y, thick - 2.2], radius * 2))

/** A hook that lies on its side: it is strong across its layers, and needs no support. */
function wallHook({ width = 18, reach = 40, thick = 6 } = {}): Manifold {
  const back = box(thick, 70, width)
  const arm = box(reach, thick, width, [0, 8, 0])
  const tip = box(thick, 26, width, [reach - thick, 8, 0])
  const brace = drawn(
    [
      [thick, 14],
      [thick, 34],
      [thick + 16, 14],
    ],
    width,
  )
  const holes = [26, 60].map((y) =>
    rod(2.2, thick + 2, [0, 0, -1])
      .rotate([0, 90, 0])
      .translate([0, y + 2, width / 2]),
  )
  return without(joined(back, arm, tip, brace), ...holes)
}

const coatHooks = (): Manifold =>
  without(
    joined(
      box(160, 30, 6),
      ...[30, 80, 130].map((x) => joined(rod(8, 34, [x, 15, 0], 6), rod(10, 6, [x, 15, 32]))),
    ),
    ...[6, 154].map((x) => screw(x, 15, 6)),
  )

/** A bush that makes a spool's hole fit a thinner axle. */
function spoolAdapter({ hole = 52, axle = 31, depth = 16 } = {}): Manifold {
  const ring = joined(rod(hole / 2 + 5, 3), rod(hole / 2 - 0.2, depth, [0, 0, 0], hole / 2 - 0.8))
  return without(ring, rod(axle / 2 + 0.2, depth + 2, [0, 0, -1]))
}

const spoolAxle = (): Manifold =>
  without(
    joined(rod(32, 4), rod(14, 92, [0, 0, 0]), rod(17, 6, [0, 0, 86])),
    rod(9, 100, [0, 0, -1]),
    ...[0, 120, 240].map((turn) => screw(23, 0, 4).rotate([0, 0, turn])),
  )

/** Snaps over a cable; a screw holds it. */
function cableClip({ cable = 6, width = 10 } = {}): Manifold {
  const radius = cable / 2
  const ring = arc(radius + 2.4, radius, width, -215, 35).translate([0, radius + 2.4, 0])
  return without(
    joined(ring, box(22, 3, width, [0, 0, 0])),
    rod(2, 6, [0, 0, -3])
      .rotate([90, 0, 0])
      .translate([15, 1.5, width / 2]),
  )
}

const cableClips = (): Manifold =>
  joined(
    ...[3, 4, 5, 6, 8, 10].map((cable, i) =>
      cableClip({ cable }).translate([(i % 3) * 42, Math.floor(i / 3) * 28, 0]),
    ),
  )

const cableComb = (): Manifold =>
  without(
    slab(100, 26, 4, 6),
    ...[-36, -24, -12, 0, 12, 24, 36].flatMap((x) => [
      rod(3.2, 8, [x, 2, -1]),
      box(4.4, 14, 8, [x - 2.2, 3, -1]),
    ]),
    ...[-46, 46].map((x) => screw(x, -7, 6, 1.8)),
  )

/** Goes over the edge of a desk, and keeps plugs from falling down. */
const deskClip = ({ desk = 22 } = {}): Manifold =>
  without(
    joined(
      box(40, 4, 30),
      box(4, desk + 8, 30),
      box(34, 4, 30, [0, desk + 4, 0]),
      box(14, 12, 30, [-12, 0, 0]),
    ),
    ...[8, 22].map((z) =>
      joined(
        rod(2.6, 14, [0, 0, -1]).rotate([-90, 0, 0]).translate([-6, 0, z]),
        box(8, 14, 3.6, [-13, -1, z - 1.8]),
      ),
    ),
  )

const drawerBox = (): Manifold => joined(tray(120, 80, 40, 1.6, 6), box(1.6, 76, 34, [-0.8, -38, 1]))
const penCup = (): Manifold => without(rod(40, 100, [0, 0, 0], 44), rod(37.6, 100, [0, 0, 2.4], 41.6))
const stackTray = (): Manifold =>
  joined(tray(100, 100, 30, 2, 6), slab(94.4, 94.4, 4, 3).translate([0, 0, -3])).translate([0, 0, 3])

/** Lies on its side. */
const phoneStand = ({ width = 70 } = {}): Manifold =>
  without(
    drawn(
      [
        [0, 0],
        [96, 0],
        [96, 16],
        [88, 16],
        [88, 6],
        [62, 6],
        [30, 92],
        [22, 92],
        [54, 6],
        [0, 6],
      ],
      width,
    ),
    rod(7, 40, [0, 0, -20])
      .rotate([90, 0, 0])
      .translate([74, 0, width / 2]),
  )

const hexKeys = (): Manifold =>
  without(
    slab(110, 24, 4, 30),
    ...[1.5, 2, 2.5, 3, 4, 5, 6, 8].map((size, i) => rod(size / 1.732 + 0.3, 30, [-46 + i * 13, 0, 4])),
  )

const cardBox = (): Manifold =>
  without(
    slab(90, 34, 4, 22),
    ...[0, 1, 2, 3, 4].map((i) => box(25, 2.8, 30, [-40, -13 + i * 5.5, 6])),
    ...[0, 1, 2, 3, 4].map((i) => box(12, 1.6, 30, [-8, -12.4 + i * 5.5, 12])),
    ...[0, 1, 2, 3, 4].map((i) => box(13, 5, 30, [10 + (i % 2) * 16, -14 + Math.floor(i / 2) * 10, 10])),
  )

/** Prints flat: a hinge of one layer's thickness between two jaws. */
const bagClip = ({ length = 110 } = {}): Manifold =>
  joined(
    box(length, 8, 5),
    box(length, 8, 5, [0, 14, 0]),
    arc(15, 11, 5, 90, 270).translate([0, 11, 0]),
    box(length - 10, 1.2, 5, [5, 8, 0]),
    box(8, 3, 5, [length - 8, -3, 0]),
    box(4, 24, 5, [length, -3, 0]),
  )

const printerFeet = (): Manifold =>
  joined(
    ...[0, 1, 2, 3].map((i) =>
      without(
        rod(22, 16, [(i % 2) * 52, Math.floor(i / 2) * 52, 0], 19),
        rod(15, 14, [(i % 2) * 52, Math.floor(i / 2) * 52, 5]),
      ),
    ),
  )

const knob = (): Manifold =>
  without(
    joined(
      rod(14, 12),
      ...Array.from({ length: 8 }, (_, i) => rod(3.4, 12, [14, 0, 0]).rotate([0, 0, i * 45])),
    ),
    rod(2.6, 20, [0, 0, -1]),
    drawn(
      [0, 1, 2, 3, 4, 5].map((i): [number, number] => [
        4.7 * Math.cos((i * Math.PI) / 3),
        4.7 * Math.sin((i * Math.PI) / 3),
      ]),
      6,
    ).translate([0, 0, 8]),
  )

const cornerBracket = (): Manifold => {
  const gusset = drawn(
    [
      [0, 0],
      [46, 0],
      [0, 46],
    ],
    4,
  ).rotate([90, 0, 90])
  return without(
    joined(box(50, 50, 4), box(50, 4, 50), gusset, gusset.translate([46, 0, 0])),
    ...[15, 35].map((x) => screw(x, 36, 4)),
    ...[15, 35].map((x) => rod(2.2, 8, [0, 0, -4]).rotate([90, 0, 0]).translate([x, 2, 36])),
  )
}

const spacers = (): Manifold =>
  row(5, 18, (i) => without(rod(7, [3, 5, 8, 10, 12][i] ?? 3), rod(2.2, 20, [0, 0, -1])))

const shelfPins = (): Manifold => row(4, 16, () => joined(rod(6, 3), rod(2.4, 12, [0, 0, 2.9], 2.3)))

/** All that the sample catalogue has, by their keys in its texts. */
export const MODELS: Readonly<Record<string, () => Manifold>> = {
  wallHook,
  coatHooks,
  spoolAdapter,
  spoolAxle,
  calibrationCube: calibration.calibrationCube,
  temperatureTower: calibration.temperatureTower,
  stringingTest: calibration.stringingTest,
  overhangTest: calibration.overhangTest,
  bridgeTest: calibration.bridgeTest,
  toleranceTest: calibration.toleranceTest,
  firstLayer: calibration.firstLayer,
  cableClips,
  cableComb,
  deskClip,
  drawerBox,
  penCup,
  stackTray,
  phoneStand,
  hexKeys,
  cardBox,
  bagClip,
  printerFeet,
  knob,
  cornerBracket,
  spacers,
  shelfPins,
}
