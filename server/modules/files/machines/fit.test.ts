import { describe, expect, it } from 'vitest'
import { fitOf, knownOf } from './fit.rules.ts'
import { toldByKlipper, toldByOctoPrint } from './told.rules.ts'

/** As OctoPrint-Obico 2.6.1 answered, on OctoPrint 1.9.3. */
const PROFILE = {
  axes: { x: { inverted: false, speed: 6000 } },
  extruder: { count: 1, nozzleDiameter: 0.4, offsets: [[0, 0]], sharedNozzle: false },
  heatedBed: true,
  id: '_default',
  model: 'Generic RepRap Printer',
  volume: {
    custom_box: false,
    depth: 200,
    formFactor: 'rectangular',
    height: 200,
    origin: 'lowerleft',
    width: 200,
  },
}
const octoprint = (profile: object | null = PROFILE) =>
  toldByOctoPrint(['Operational', 'VIRTUAL', 115200, profile])

const KLIPPER = {
  eventtime: 3137.7,
  status: {
    toolhead: { axis_minimum: [-5, 0, -2, 0], axis_maximum: [235, 235, 250, 0] },
    configfile: {
      settings: { extruder: { nozzle_diameter: 0.6, max_temp: 260 }, heater_bed: { max_temp: 110 } },
    },
  },
}

const FILE = {
  slicer: 'PrusaSlicer',
  bed_area: '0x0,250x0,250x210,0x210',
  min_x: 65,
  max_x: 135,
  min_y: 65,
  max_y: 135,
  object_width: 60,
  object_depth: 60,
  object_height: 100,
  nozzle_diameter: 0.4,
  printer_model: 'MK4',
  first_layer_extr_temp: 215,
  first_layer_bed_temp: 60,
}
const about = ({ reasons }: ReturnType<typeof fitOf>) => reasons.map((one) => `${one.about} ${one.verdict}`)

describe('what agents tell of their machine', () => {
  it('OctoPrint by its printer profile, and nothing while its printer is not connected', () => {
    expect(octoprint()).toEqual({
      bed: { x: [0, 200], y: [0, 200] },
      bed_width: 200,
      bed_depth: 200,
      height: 200,
      nozzle_diameter: 0.4,
      model: null,
      nozzle_temp_max: null,
      bed_temp_max: null,
    })
    expect(octoprint({ ...PROFILE, model: 'Prusa MK4', heatedBed: false })).toMatchObject({
      model: 'Prusa MK4',
      bed_temp_max: 0,
    })
    expect(toldByOctoPrint(['Closed', null, null, null])).toBeNull()
  })

  it('Klipper by its limits and heaters', () => {
    expect(toldByKlipper(KLIPPER)).toEqual({
      bed: { x: [-5, 235], y: [0, 235] },
      bed_width: 240,
      bed_depth: 235,
      height: 250,
      nozzle_diameter: 0.6,
      model: null,
      nozzle_temp_max: 260,
      bed_temp_max: 110,
    })
    expect(toldByKlipper({ status: { toolhead: KLIPPER.status.toolhead } })).toMatchObject({
      height: 250,
      nozzle_diameter: null,
      bed_temp_max: null,
    })
  })

  it.each([null, 'x', 7, [], {}, [1, 2, 3, 'profile'], { status: null }, { status: { toolhead: 'x' } }])(
    'odd answers tell nothing: %j',
    (answer) => {
      expect(toldByOctoPrint(answer)).toBeNull()
      expect(toldByKlipper(answer)).toBeNull()
    },
  )

  it('numbers that no printer has are not told', () => {
    const volume = { ...PROFILE.volume, width: 1e308, depth: Number.NaN, height: -3 }
    expect(octoprint({ ...PROFILE, volume })).toMatchObject({ bed: null, bed_width: null, height: null })
    const toolhead = { axis_minimum: [0, 0, 0], axis_maximum: [1e308, 'x', null] }
    expect(toldByKlipper({ status: { toolhead } })).toMatchObject({ bed: null, height: null })
  })
})

describe('whether a printer can print a file', () => {
  it('fits when all that the file says was compared', () => {
    expect(fitOf(FILE, knownOf(octoprint(), { model: 'Original Prusa MK4' }))).toEqual({
      verdict: 'fits',
      reasons: [],
    })
  })

  it('warns of each thing that does not go together, and says both', () => {
    const wants = {
      ...FILE,
      max_x: 350,
      object_width: 275,
      object_height: 251.5,
      first_layer_extr_temp: 280,
      first_layer_bed_temp: 115,
    }
    expect(fitOf(wants, knownOf(toldByKlipper(KLIPPER), { model: 'Ender-3' }))).toEqual({
      verdict: 'warns',
      reasons: [
        { about: 'bed', verdict: 'warns', file: '275 × 60', printer: '240 × 235' },
        { about: 'height', verdict: 'warns', file: '251.5', printer: '250' },
        { about: 'nozzle', verdict: 'warns', file: '0.4', printer: '0.6' },
        { about: 'model', verdict: 'warns', file: 'MK4', printer: 'Ender-3' },
        { about: 'nozzle_temp', verdict: 'warns', file: '280', printer: '260' },
        { about: 'bed_temp', verdict: 'warns', file: '115', printer: '110' },
      ],
    })
  })

  it('what it prints is compared, not the bed that the slicer had in mind', () => {
    const small = knownOf(octoprint(), { bed_width: 120, bed_depth: 120 })
    const at = (from: number, to: number) => ({ min_x: from, max_x: to, min_y: from, max_y: to })
    // A vase of 70 mm, made for a large bed.
    const vase = { object_height: 100, bed_area: '0x0,250x0,250x210,0x210' }
    expect(fitOf({ ...vase, ...at(5, 75) }, small)).toEqual({ verdict: 'fits', reasons: [] })
    expect(fitOf({ ...vase, ...at(90, 160) }, small).reasons).toEqual([
      { about: 'place', verdict: 'warns', file: 'X 90 … 160, Y 90 … 160', printer: 'X 0 … 120, Y 0 … 120' },
    ])
    expect(fitOf({ object_height: 10, ...at(0, 395) }, small).reasons).toEqual([
      { about: 'bed', verdict: 'warns', file: '395 × 395', printer: '120 × 120' },
    ])
    const skirted = { ...vase, ...at(0, 130), object_width: 115, object_depth: 115 }
    expect(fitOf(skirted, small).reasons).toEqual([
      { about: 'bed', verdict: 'warns', file: '130 × 130', printer: '120 × 120' },
    ])
  })

  it('where nobody knows where it prints, a bed that holds the slicer’s holds it', () => {
    const on = (corners: string) => fitOf({ bed_area: corners, object_height: 10 }, knownOf(octoprint(), {}))
    expect(on('0x0,120x0,120x120,0x120')).toEqual({ verdict: 'fits', reasons: [] })
    for (const corners of ['0x0,250x0,250x210,0x210', '-90x-90,90x-90,90x90,-90x90'])
      expect(on(corners)).toEqual({
        verdict: 'unknown',
        reasons: [{ about: 'bed', verdict: 'unknown', file: null, printer: null }],
      })
  })

  it('a middle that is a corner is said', () => {
    const centred = { ...FILE, bed_area: '-90x-90,90x-90,90x90,-90x90', min_x: -35, max_x: 35 }
    expect(fitOf(centred, knownOf(octoprint(), {})).reasons).toEqual([
      { about: 'origin', verdict: 'warns', file: 'centre', printer: 'corner' },
    ])
    const delta = octoprint({ ...PROFILE, volume: { ...PROFILE.volume, origin: 'center' } })
    const inside = { ...centred, min_y: -35, max_y: 35 }
    expect(fitOf(inside, knownOf(delta, {}))).toEqual({ verdict: 'fits', reasons: [] })
    expect(fitOf(inside, knownOf(delta, { bed_width: 185, bed_depth: 185 })).verdict).toBe('fits')
  })

  it('what the owner says goes before what the agent told', () => {
    const known = knownOf(octoprint(), { bed_width: 50, nozzle_diameter: 0.6 })
    expect(about(fitOf(FILE, known))).toEqual(['bed warns', 'nozzle warns'])
  })

  it('what is not known is said, and is no fit', () => {
    expect(fitOf(FILE, knownOf(null, {}))).toEqual({
      verdict: 'unknown',
      reasons: [
        { about: 'bed', verdict: 'unknown', file: '60 × 60', printer: null },
        { about: 'height', verdict: 'unknown', file: '100', printer: null },
        { about: 'nozzle', verdict: 'unknown', file: '0.4', printer: null },
      ],
    })
    expect(fitOf({}, knownOf(octoprint(), {}))).toEqual({
      verdict: 'unknown',
      reasons: [
        { about: 'bed', verdict: 'unknown', file: null, printer: null },
        { about: 'height', verdict: 'unknown', file: null, printer: null },
      ],
    })
    const { object_height: _, ...flat } = FILE
    expect(about(fitOf(flat, knownOf(octoprint(), {})))).toEqual(['height unknown'])
    expect(fitOf({ nozzle_diameter: 0.4 }, knownOf(octoprint(), {})).verdict).toBe('unknown')
  })

  it('a heated bed that there is none of', () => {
    const cold = knownOf(octoprint({ ...PROFILE, heatedBed: false }), {})
    expect(about(fitOf(FILE, cold))).toEqual(['bed_temp warns'])
  })

  it('rows of other times may hold anything', () => {
    const odd = {
      object_height: '12',
      nozzle_diameter: Number.NaN,
      bed_area: 'x,NaNxNaN',
      printer_model: 5,
      min_x: '0',
      max_x: 5,
      min_y: Number.NaN,
      max_y: {},
      object_width: -1,
    }
    expect(about(fitOf(odd as never, knownOf(octoprint(), {})))).toEqual(['bed unknown', 'height unknown'])
  })
})
