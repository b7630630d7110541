import { describe, expect, it } from 'vitest'
import { FEATURES, featureOf } from '@vigil/contract/gcode/features.ts'
import { Scanner } from './scanner.ts'
import { moveAt, type Toolpath } from './toolpath.ts'

const MOST = 10_000

/** Reads a text, in parts of so many bytes. */
function scan(text: string, { most = MOST, part = 65_536 } = {}): Toolpath {
  const scanner = new Scanner(most)
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += part) scanner.feed(bytes.subarray(at, at + part))
  return scanner.end()
}

/** Where each move ends, and what it is. */
const moves = (path: Toolpath) =>
  Array.from({ length: path.count }, (_, at) => {
    const [x = 0, y = 0, z = 0] = path.points.subarray(3 * at + 3, 3 * at + 6)
    const round = (mm: number) => Number(mm.toFixed(3))
    return [round(x), round(y), round(z), FEATURES[moveAt(path, at).feature]]
  })
const ends = (path: Toolpath) => moves(path).map(([x, y, z]) => [x, y, z])

describe('what a printer is told', () => {
  it('absolute and relative, of axes and of filament', () => {
    const path = scan(`
      G90
      M83
      G1 X10 Y0 F600
      G1 X20 E1
      G91
      G1 X5 Y5 E.5
      G1 Z.2
      G90
      M82
      G92 E0
      G1 X0 Y0 E2
      G1 X10 E2
      G1 X20 E1.5
      G1 X30 E3`)
    expect(moves(path)).toEqual([
      [10, 0, 0, 'travel'],
      [20, 0, 0, 'other'],
      [25, 5, 0, 'other'],
      [25, 5, 0.2, 'travel'],
      [0, 0, 0.2, 'other'],
      [10, 0, 0.2, 'travel'],
      [20, 0, 0.2, 'travel'],
      [30, 0, 0.2, 'other'],
    ])
  })

  it('filament follows G91 where nobody said otherwise', () => {
    expect(moves(scan('G91\nG1 X1 E1\nG1 X1 E1')).map(([, , , kind]) => kind)).toEqual(['other', 'other'])
    expect(moves(scan('G1 X1 E1\nG1 X2 E1')).map(([, , , kind]) => kind)).toEqual(['other', 'travel'])
  })

  it('inches, places that are called otherwise, homing', () => {
    expect(ends(scan('G20\nG1 X1 Y2\nG21\nG1 X1'))).toEqual([
      [25.4, 50.8, 0],
      [1, 50.8, 0],
    ])
    expect(ends(scan('G1 X10\nG92 X0\nG1 X5\nG92 X100 Y1\nG1 X101 Y2'))).toEqual([
      [10, 0, 0],
      [15, 0, 0],
      [16, 1, 0],
    ])
    expect(moves(scan('G1 X10 Y10 Z5\nG28 X\nG1 X1'))).toEqual([
      [10, 10, 5, 'travel'],
      [0, 10, 5, 'jump'],
      [1, 10, 5, 'travel'],
    ])
    expect(ends(scan('G1 X10 Y10\nG92\nG1 X1'))).toEqual([
      [10, 10, 0],
      [11, 10, 0],
    ])
  })

  it('arcs by middle and by radius, as chords, with their filament and their climb', () => {
    const half = scan('G1 X10 Y0\nM83\nG3 X-10 Y0 Z1 I-10 J0 E5')
    const [highest] = moves(half).toSorted((a, b) => Number(b[1]) - Number(a[1]))
    expect(highest?.[1]).toBeCloseTo(10, 1)
    expect(moves(half).at(-1)).toEqual([-10, 0, 1, 'other'])
    expect(half.box?.y[1]).toBeCloseTo(10, 1)
    const whole = scan('G1 X10 Y0\nM83\nG2 I-10 J0 E5')
    expect([whole.box?.x[0], whole.box?.y[0]].map((mm) => Math.round(mm ?? 0))).toEqual([-10, -10])
    const byRadius = scan('G1 X0 Y0\nM83\nG1 X10\nG2 X20 Y0 R5 E1')
    expect(byRadius.box?.y[1]).toBeCloseTo(5, 1)
    expect(scan('G1 X10\nM83\nG2 X20 I0 J0 E1').count).toBe(2)
  })

  it('tools, speeds and widths', () => {
    const path = scan('M83\nG1 Z0.2\nT1\nG1 X10 E0.4 F1800\nT0\n;WIDTH:0.6\nG1 X20 E0.4 F3000')
    expect([1, 2].map((at) => moveAt(path, at))).toEqual([
      { feature: 0, tool: 1, width: expect.closeTo(0.52, 1), speed: 30 },
      { feature: 0, tool: 0, width: 0.6, speed: 50 },
    ])
    expect(path).toMatchObject({ tools: 2, speeds: [30, 50] })
  })

  it('line numbers, checksums, comments, small letters and no spaces', () => {
    expect(ends(scan('N10 G1 X1 Y2*35\ng1x3y4;X9\n  G1 (X8) X5\r\nG01 X6'))).toEqual([
      [1, 2, 0],
      [3, 4, 0],
      [5, 4, 0],
      [6, 4, 0],
    ])
  })

  it('what is no motion moves nothing', () => {
    const macros =
      'START_PRINT X=5\nG10\nG11\nGO_HOME X5\nTIMELAPSE_TAKE_FRAME\nM117 G1 X5\nM106 S5\nEXCLUDE_OBJECT_START NAME=G1\nG4 P5'
    expect(scan(macros).count).toBe(0)
  })

  it('in parts of any size', () => {
    const text = ';TYPE:Outer wall\nM83\nG1 X10 E1\nG1 X20.125 Y3 E1\n'.repeat(40)
    const whole = moves(scan(text))
    for (const part of [1, 3, 7, 64]) expect(moves(scan(text, { part }))).toEqual(whole)
  })
})

describe('layers', () => {
  const twoLayers = (mark: (layer: number) => string) =>
    `M83\nG1 X50 Y0 Z0.3 F3000\nG1 X60 E1\n${[0, 1, 2]
      .map(
        (layer) =>
          `${mark(layer)}\nG1 X0 Y0 Z${0.2 + layer * 0.2} F9000\nG1 X10 E1\nG1 Z${0.6 + layer * 0.2}\nG1 Z${0.2 + layer * 0.2}\nG1 Y10 E1`,
      )
      .join('\n')}`

  it.each([
    ['PrusaSlicer, OrcaSlicer', () => ';LAYER_CHANGE\n;Z:0.2\n;HEIGHT:0.2'],
    ['BambuStudio', () => '; CHANGE_LAYER\n; Z_HEIGHT: 0.2\n; LAYER_HEIGHT: 0.2'],
    ['Cura', (layer: number) => `;LAYER:${layer}`],
    ['Simplify3D', (layer: number) => `; layer ${layer + 1}, Z = 0.200`],
    ['Kiri:Moto', (layer: number) => `;; --- layer ${layer} (0.2) ---`],
    ['KISSlicer', (layer: number) => `; BEGIN_LAYER_OBJECT z=${0.2 + layer * 0.2}`],
    ['IceSL', () => ';<layer>'],
  ])('as %s writes them, what is laid down before with the first', (_name, mark) => {
    const path = scan(twoLayers(mark))
    expect([...path.heights].map((z) => Number(z.toFixed(2)))).toEqual([0.2, 0.4, 0.6])
    expect(path.starts[0]).toBe(0)
  })

  it('by height where nobody writes them, and a hop is none', () => {
    const path = scan(twoLayers(() => ''))
    expect([...path.heights].map((z) => Number(z.toFixed(2)))).toEqual([0.3, 0.2, 0.4, 0.6])
  })

  it('are never empty', () => {
    const path = scan(
      `M83\n${';LAYER_CHANGE\n'.repeat(50_000)}G1 X1 E1\n;LAYER_CHANGE\n;LAYER_CHANGE\nG1 X2 E1\n;LAYER_CHANGE`,
    )
    expect([...path.starts]).toEqual([0, 1])
  })
})

describe('features', () => {
  it.each([
    ['External perimeter', 'outer'],
    ['Perimeter', 'inner'],
    ['Overhang perimeter', 'overhang'],
    ['Internal infill', 'infill'],
    ['Solid infill', 'solid'],
    ['Top solid infill', 'top'],
    ['Bridge infill', 'bridge'],
    ['Gap fill', 'gap'],
    ['Skirt/Brim', 'skirt'],
    ['Support material', 'support'],
    ['Support material interface', 'interface'],
    ['Wipe tower', 'tower'],
    ['Ironing', 'ironing'],
    ['Custom', 'custom'],
    ['Outer wall', 'outer'],
    ['Inner wall', 'inner'],
    ['Sparse infill', 'infill'],
    ['Internal solid infill', 'solid'],
    ['Top surface', 'top'],
    ['Bottom surface', 'solid'],
    ['Internal Bridge', 'bridge'],
    ['Prime tower', 'tower'],
    ['WALL-OUTER', 'outer'],
    ['WALL-INNER', 'inner'],
    ['SKIN', 'top'],
    ['FILL', 'infill'],
    ['SUPPORT-INTERFACE', 'interface'],
    ['PRIME-TOWER', 'tower'],
    ['outer perimeter', 'outer'],
    ['inner perimeter', 'inner'],
    ['dense support', 'interface'],
    ['solid layer', 'solid'],
    ["'Perimeter Path'", 'outer'],
    ["'Loop Path'", 'inner'],
    ["'Stacked Sparse Infill Path'", 'infill'],
    ['something new', 'other'],
  ])('%s is %s', (word, feature) => {
    expect(FEATURES[featureOf(word)]).toBe(feature)
  })

  it.each([
    ';TYPE:WALL-OUTER',
    '; FEATURE: Outer wall',
    '; feature outer perimeter',
    ";  'Perimeter Path', 0.6 [feed mm/s]",
  ])('said as %s', (comment) => {
    expect(moves(scan(`M83\n${comment}\nG1 X1 E1`))[0]?.[3]).toBe('outer')
  })
})

describe('what strangers write', () => {
  const isSane = (path: Toolpath) =>
    path.points.subarray(0, 3 * path.count + 3).every((mm) => Math.abs(mm) <= 100_000)

  it.each([
    'G1 XNaN YInfinity Z-Infinity E1e308 FNaN',
    'G1 X1e308 Y-1e308',
    `G1 X${'9'.repeat(400)} E${'9'.repeat(400)}`,
    `G1 X0.${'3'.repeat(400)} E1`,
    'G92 X1e99 Y-99999999999\nG1 X1 Y1',
    `G91\n${'G1 X99999 E99999\n'.repeat(50)}`,
    'G20\nG1 X999999\nG2 X5 I1e9 J1e9\nG3 X1 R1e-300',
    'G1 X--5 Y.-. Z+ E',
    `T${'9'.repeat(50)}\nG${'9'.repeat(50)} X1`,
    '\0\0\0G1 X1\0Y1',
  ])('%j leads nowhere', (text) => {
    const path = scan(text)
    expect(isSane(path)).toBe(true)
    expect(path.speeds.every(Number.isFinite) && path.widths.every(Number.isFinite)).toBe(true)
  })

  it('endless lines are passed over, those after them read', () => {
    const path = scan(`;${'x'.repeat(5_000_000)}\nG1 X1\nG1 ${'X2 '.repeat(9_000)}\nG1 X3`, { part: 1000 })
    expect(ends(path)).toEqual([
      [1, 0, 0],
      [3, 0, 0],
    ])
  })

  it('more moves, arcs and layers than are kept are not kept, and that is said', () => {
    const path = scan(`M83\n${';LAYER_CHANGE\nG1 X1 E1\nG2 X1 I50 E1\nG1 X0 E1\n'.repeat(20_000)}`)
    expect(path).toMatchObject({ count: MOST, isWhole: false })
    expect(path.starts.length).toBeGreaterThan(10)
    expect(path.starts.at(-1)).toBeLessThan(MOST)
    expect(path.points.length).toBeLessThanOrEqual(3 * (MOST + 2))
    expect(isSane(path)).toBe(true)
  })

  it('nothing is nothing', () => {
    expect(scan('')).toMatchObject({ count: 0, box: null, isWhole: true, tools: 0 })
    expect(scan('\n\n;hello').starts).toHaveLength(0)
  })
})
