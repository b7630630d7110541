import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { readBundle, withParents } from './bundle.ts'
import { brandOf, catalogueOf, Ids } from './catalogue.ts'
import { readCondition } from './conditions.ts'
import { factsOf } from './facts.ts'
import { flatSettings } from './flat.ts'
import { BadSetting, inOurWords, inTheirWords } from './settings.ts'

const values = (all: Record<string, string>) => new Map(Object.entries(all))

describe('a bundle', () => {
  it('is read with what is inherited: parents from left to right, what it says itself last', () => {
    const { prints } = readBundle(`
      [print:*a*]\n x = 1\n y = 1\n z = 1\n [print:*b*]\n y = 2\n z = 2\n
      [print:c]\n inherits = *a*; *b*\n z = 3\n no line\n [sla_print:d]\n x = 9`)
    expect(Object.fromEntries(withParents(prints, 'c'))).toEqual({
      inherits: '*a*; *b*',
      x: '1',
      y: '2',
      z: '3',
    })
    expect([...prints.keys()]).toEqual(['*a*', '*b*', 'c'])
  })

  it('that names itself on the way, or has no parent, ends all the same', () => {
    const { prints } = readBundle('[print:a]\ninherits = b\nx = 1\n[print:b]\ninherits = a; nobody\ny = 2')
    expect(withParents(prints, 'a').get('y')).toBe('2')
  })
})

test.each([
  ['', true],
  ['nozzle_diameter[0]==0.4', true],
  ['nozzle_diameter[0]>0.4 or printer_model=="MK3"', true],
  ['printer_notes=~/.*VENDOR_A.*/ and printer_notes!~/.*MODEL_MK(2|2.5).*/', true],
  ['printer_notes=~/.*MODEL_MK3[^\\.].*/', true],
  ['printer_notes=~/VENDOR_A/', false],
  ['! single && unknown_word==0 && num_extruders>=1', true],
  ['!(printer_model=="MK3")', false],
  ['printer_model==', false],
  ['(printer_model=="MK3"', false],
  ['printer_notes=~/(a+)+$/', false],
  [`${'('.repeat(500)}1${')'.repeat(500)}`, false],
])('the condition %s holds: %s', (source, holds) => {
  const said = values({
    printer_model: 'MK3',
    nozzle_diameter: '0.4,0.6',
    printer_notes: 'x\\nVENDOR_A\\nMODEL_MK3S\\n',
    single: '0',
    num_extruders: '1',
  })
  expect(readCondition(source)(said)).toBe(holds)
})

describe('settings', () => {
  it('are said in the slicer’s words, what it has not is told', () => {
    const { values: set, notes } = inTheirWords(
      {
        seam_position: 'back',
        sparse_infill_pattern: 'crosshatch',
        enable_support: true,
        support_type: 'tree(auto)',
        only_one_wall_top: '1',
        nozzle_temperature: ['215'],
        layer_height: '',
      },
      values({}),
    )
    expect(Object.fromEntries(set)).toEqual({
      seam_position: 'rear',
      fill_pattern: 'gyroid',
      support_material: '1',
      support_material_auto: '1',
      support_material_style: 'snug',
      temperature: '215',
    })
    expect(notes.map(({ key, used }) => [key, used])).toEqual([
      ['sparse_infill_pattern', 'gyroid'],
      ['support_type', 'snug'],
      ['only_one_wall_top', null],
    ])
  })

  it('speeds, cooling, retraction and the first layer are said and set as well; what a profile leaves open is empty', () => {
    const profile = values({
      first_layer_height: '75%',
      external_perimeter_speed: '50%',
      perimeter_speed: '60',
      infill_speed: '0',
      extrusion_width: '0',
      support_material_contact_distance: '0',
    })
    expect(inOurWords('print', profile)).toMatchObject({
      initial_layer_print_height: '',
      outer_wall_speed: '50%',
      inner_wall_speed: '60',
      sparse_infill_speed: '',
      line_width: '',
      // Supports that dissolve touch what they carry.
      support_top_z_distance: '0',
      reduce_crossing_wall: '0',
    })
    const filament = inOurWords('filament', values({ max_fan_speed: '100', filament_retract_length: 'nil' }))
    expect(filament).toMatchObject({ fan_max_speed: ['100'], filament_retraction_length: [''] })
    const asked = {
      inner_wall_speed: '45',
      ironing_type: 'top',
      wall_sequence: 'outer wall/inner wall',
      close_fan_the_first_x_layers: ['3'],
      filament_z_hop: '0.2',
    }
    const { values: set, notes } = inTheirWords(asked, profile)
    expect(Object.fromEntries(set)).toEqual({
      perimeter_speed: '45',
      ironing: '1',
      ironing_type: 'top',
      external_perimeters_first: '1',
      disable_fan_first_layers: '3',
      filament_retract_lift: '0.2',
    })
    expect(notes).toEqual([])
  })

  it('what nobody sets is told, too: the kind of a filament, how far a printer goes', () => {
    expect(
      factsOf('filament', values({ filament_type: 'PETG', filament_max_volumetric_speed: '8' })),
    ).toEqual({
      filament_type: ['PETG'],
      filament_max_volumetric_speed: ['8'],
    })
    expect(
      factsOf('machine', values({ nozzle_diameter: '0.4,0.6', machine_max_feedrate_x: '500,200', x: '1' })),
    ).toEqual({ nozzle_diameter: ['0.4', '0.6'], machine_max_speed_x: ['500', '200'] })
    expect(factsOf('filament', values({ filament_type: '["PLA"]' }))).toEqual({ filament_type: ['PLA'] })
  })

  it('a vase is one wall whatever else is said; what is filled has a pattern that can', () => {
    const vase = inTheirWords({ spiral_mode: '1', wall_loops: 4, enable_support: '1' }, values({})).values
    expect([vase.get('perimeters'), vase.get('support_material')]).toEqual(['1', '0'])
    const full = inTheirWords({ sparse_infill_density: '100%' }, values({ fill_pattern: 'gyroid' })).values
    expect(full.get('fill_pattern')).toBe('rectilinear')
  })

  it('a brim is wide where a part stands on little', () => {
    const brim = (...size: [number, number, number]) =>
      inTheirWords({ brim_type: 'auto_brim' }, values({}), [size]).values.get('brim_width')
    expect([brim(40, 40, 40), brim(10, 40, 10), brim(20, 20, 90)]).toEqual(['0', '5', '5'])
  })

  it.each([
    ['wall_loops', '1.5'],
    ['layer_height', '0.2\npost_process = id'],
    ['nozzle_temperature', 900],
    ['sparse_infill_pattern', 'constructor'],
    ['sparse_infill_density', '500%'],
    ['brim_width', { a: 1 }],
  ])('%s = %s is refused', (key, value) => {
    expect(() => inTheirWords({ [key]: value }, values({}))).toThrow(BadSetting)
  })

  it('no program that a profile names reaches the slicer, no line break in a value', () => {
    const flat = flatSettings(
      values({ post_process: '/bin/sh', start_gcode: 'G28\rpost_process = x', layer_height: '0.2' }),
      values({ first_layer_height: '150%', use_relative_e_distances: '1' }),
    )
    expect(flat.split('\n').filter((line) => line.startsWith('post_process'))).toEqual([])
    expect(flat).toContain('first_layer_height = 0.3\n')
    expect(flat).toContain('layer_gcode = \\nG92 E0\n')
  })
})

const PROFILES = '/usr/share/PrusaSlicer/profiles'

describe.skipIf(!existsSync(PROFILES))('the profiles of the installed slicer', () => {
  const read = () => {
    const ids = new Ids()
    return catalogueOf(
      readdirSync(PROFILES)
        .filter((name) => name.endsWith('.ini'))
        .toSorted()
        .map((name) =>
          brandOf(name.slice(0, -4), readBundle(readFileSync(`${PROFILES}/${name}`, 'utf8')), ids),
        ),
    )
  }

  it('are all there: each printer has a bed, a filament and a process; ids stay', () => {
    const catalogue = read()
    expect(catalogue.machines.size).toBeGreaterThan(300)
    for (const machine of catalogue.machines.values()) {
      expect(machine.filament, machine.name).not.toBeNull()
      expect(machine.print, machine.name).not.toBeNull()
      expect(machine.bed.length).toBeGreaterThan(2)
    }
    expect([...read().presets.keys()]).toEqual([...catalogue.presets.keys()])
  })

  it('say in our words what they say in theirs', () => {
    for (const preset of read().presets.values()) {
      const said = inOurWords(preset.kind, preset.values)
      const back = inTheirWords(said, preset.values)
      for (const [key, value] of back.values)
        if (preset.values.has(key) && !key.startsWith('support_material_') && said['spiral_mode'] !== '1')
          expect(value, `${preset.name}: ${key}`).toBe(preset.values.get(key)?.split(',')[0])
    }
  })
})
