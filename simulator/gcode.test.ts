import { describe, expect, test } from 'vitest'
import { towerGcode, vaseGcode } from './gcode.ts'
import { Printer, type PrinterHappening } from './printer.ts'
import { readGcode } from './program.ts'

const SMALL = vaseGcode({ layers: 6, feed: 120 })
const file = (text: string) => ({ name: 'a.gcode', path: 'a.gcode', text, modified: 1 })

function run(
  text: string,
  step = 1,
  speed = 1,
): { printer: Printer; seen: PrinterHappening[]; seconds: number } {
  const seen: PrinterHappening[] = []
  const printer = new Printer({ seed: 3, speed, onHappening: (what) => seen.push(what) })
  printer.start(file(text))
  let seconds = 0
  while (printer.isBusy && seconds < 20_000) {
    printer.advance(step)
    seconds += step
  }
  return { printer, seen, seconds }
}

describe('reading G-code', () => {
  test('layers, height and filament of our own files', () => {
    const program = readGcode(vaseGcode({ layers: 20, layerHeight: 0.25 }))
    expect(program.layers).toHaveLength(20)
    expect(program.layers.at(-1)?.z).toBeCloseTo(5)
    expect(program.filament).toBeGreaterThan(100)
    expect(program.centre.x).toBeCloseTo(110, 0)
    expect(program.size).toBe(Buffer.byteLength(vaseGcode({ layers: 20, layerHeight: 0.25 })))
    expect(readGcode(towerGcode({ layers: 9 })).layers).toHaveLength(9)
  })

  test('relative moves, absolute extrusion, a retraction and a hop make no layer', () => {
    const program = readGcode(
      'G90\nM82\nG1 Z0.2 F600\nG1 X10 E1 F600\nG1 E0.5\nG1 Z5\nG0 X20\nG1 Z0.2\nG1 X30 E2\nG91\nG1 Z0.2\nG90\nG1 X40 E3\n',
    )
    expect(program.layers.map((layer) => Number(layer.z.toFixed(2)))).toEqual([0.2, 0.4])
    expect(program.filament).toBeCloseTo(3)
  })

  test('the time of a move is its length over its speed', () => {
    expect(readGcode('G1 X100 F6000\nG4 P500\n').seconds).toBeCloseTo(1.5)
  })

  test('nonsense is skipped', () => {
    expect(readGcode('; only\n\nHELLO WORLD\nG1 Xabc\n').steps).toEqual([])
  })
})

describe('printing', () => {
  test('a whole print heats, climbs layer by layer and ends with everything used', () => {
    const { printer, seen } = run(SMALL)
    expect(seen.filter((what) => what === 'layer')).toHaveLength(6)
    expect(seen.at(0)).toBe('started')
    expect(seen.slice(-2)).toEqual(['finishing', 'done'])
    expect(printer.completion).toBe(100)
    expect(printer.filamentUsed).toBeCloseTo(readGcode(SMALL).filament, 1)
    expect(printer.printTime).toBeGreaterThan(printer.moved)
    expect(printer.heaters.extruder.target).toBe(0)
  })

  test('the nozzle is hot before the first layer', () => {
    const printer = new Printer({ seed: 1 })
    printer.start(file(SMALL))
    while (printer.layer === 0) printer.advance(1)
    expect(Math.abs(printer.heaters.extruder.actual - 210)).toBeLessThan(4)
  })

  test('faster than life is the same print in less wall time', () => {
    const [slow, fast] = [run(SMALL), run(SMALL, 1, 10)]
    expect(fast.seconds * 10).toBeGreaterThanOrEqual(slow.seconds)
    expect(fast.seconds * 10 - slow.seconds).toBeLessThan(12)
    expect(fast.printer.filamentUsed).toBeCloseTo(slow.printer.filamentUsed, 3)
  })

  test('the same seed gives the same print', () => {
    expect(run(SMALL).printer.heaters).toEqual(run(SMALL).printer.heaters)
  })

  test('a pause while heating takes hold when it is hot; printing goes on after resume', () => {
    const seen: PrinterHappening[] = []
    const printer = new Printer({ onHappening: (what) => seen.push(what) })
    printer.start(file(SMALL))
    for (let i = 0; i < 12; i++) printer.advance(1)
    expect(printer.isHeating).toBe(true)
    expect(printer.pause()).toBe(true)
    printer.advance(3)
    expect(printer.state).toBe('pausing')
    for (let i = 0; i < 200 && printer.state === 'pausing'; i++) printer.advance(1)
    expect(printer.state).toBe('paused')
    const before = printer.filepos
    printer.advance(30)
    expect(printer.filepos).toBe(before)
    expect(printer.resume()).toBe(true)
    printer.advance(2)
    expect(printer.state).toBe('printing')
    expect(seen).toEqual(['started', 'pausing', 'paused', 'resuming', 'resumed'])
  })

  test('a cancel ends it and lets it cool', () => {
    const { printer } = { printer: new Printer() }
    printer.start(file(SMALL))
    for (let i = 0; i < 300 && printer.layer < 2; i++) printer.advance(1)
    expect(printer.start(file(SMALL))).toBe(false)
    expect(printer.cancel()).toBe(true)
    printer.advance(3)
    expect(printer.state).toBe('operational')
    const hot = printer.heaters.extruder.actual
    printer.advance(60)
    expect(printer.heaters.extruder.actual).toBeLessThan(hot - 50)
  })

  test('a failure at a layer leaves the part at that layer and spills from there', () => {
    const printer = new Printer()
    printer.failAtLayer = 3
    printer.start(file(SMALL))
    for (let i = 0; i < 600 && printer.isBusy; i++) printer.advance(1)
    expect(printer.spilledAtLayer).toBe(3)
    expect(printer.spilled).toBeGreaterThan(10)
  })
})
