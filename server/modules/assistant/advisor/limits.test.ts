import type { Preset, SlicingProfiles } from '@vigil/contract/assistant/presets.ts'
import { describe, expect, it } from 'vitest'
import { advise } from './advise.ts'
import { carryOut } from './carry-out.ts'
import { checkSetting } from './limits.ts'
import { situationOf } from './situation.ts'
import { filamentPreset, onePlate, printerPreset, slicer } from './slicer.fixture.ts'

const of = (over: Partial<SlicingProfiles> = {}) => situationOf(slicer(over), onePlate())
const filament = (config: Preset['config']): Preset => ({
  ...filamentPreset,
  config: { ...filamentPreset.config, ...config },
})
const printer = (config: Preset['config']): Preset => ({
  ...printerPreset,
  config: { ...printerPreset.config, ...config },
})

describe('what is proposed is held against the limits', () => {
  it.each([
    [
      'a nozzle hotter than the filament’s maker allows',
      of(),
      'nozzle_temperature',
      '280',
      '240',
      'filament',
    ],
    [
      'a nozzle hotter than PLA takes, whatever its preset says',
      of({ filament_presets: [filament({ nozzle_temperature_range_high: ['400'] })] }),
      'nozzle_temperature',
      '400',
      '240',
      'filament',
    ],
    ['a bed that PLA melts on', of(), 'hot_plate_temp', '110', '70', 'filament'],
    [
      'a filament that nobody knows',
      of({ filament_presets: [filament({ filament_type: ['XYZ'], nozzle_temperature_range_low: ['0'] })] }),
      'nozzle_temperature',
      '300',
      '260',
      'filament',
    ],
    ['layers thicker than the machine lays', of(), 'layer_height', '0.6', '0.3', 'nozzle'],
    [
      'layers too thick for a narrow nozzle',
      of({ printer_presets: [printer({ nozzle_diameter: ['0.2'], max_layer_height: ['0'] })] }),
      'layer_height',
      '0.3',
      '0.15',
      'nozzle',
    ],
    [
      'travel faster than the axes',
      of({ printer_presets: [printer({ machine_max_speed_x: ['300'] })] }),
      'travel_speed',
      '900',
      '300',
      'machine',
    ],
    ['walls faster than the filament melts', of(), 'outer_wall_speed', '400', '178', 'flow'],
    ['more acceleration than the machine takes', of(), 'default_acceleration', '90000', '20000', 'setting'],
    [
      'a fan that splits ABS',
      of({ filament_presets: [filament({ filament_type: ['ABS'] })] }),
      'fan_max_speed',
      '100',
      '40',
      'filament',
    ],
    ['a line wider than twice the nozzle', of(), 'line_width', '2', '0.8', 'nozzle'],
  ])('%s', (_, situation, key, proposed, value, by) => {
    expect(checkSetting(situation, key, proposed)).toMatchObject({ value, limited: { by } })
  })

  it.each(['post_process', 'machine_start_gcode', 'filament_start_gcode', 'printable_height', '__proto__'])(
    '%s may not be changed at all',
    (key) => expect(checkSetting(of(), key, '1')).toBeNull(),
  )

  it.each([
    ['nozzle_temperature', 'NaN'],
    ['nozzle_temperature', '210; M104 S300'],
    ['nozzle_temperature', ''],
    ['sparse_infill_pattern', 'constructor'],
    ['enable_support', 'maybe'],
  ])('%s can’t be %j', (key, value) => expect(checkSetting(of(), key, value)).toBeNull())

  it('never leaves them, whatever is proposed one after the other', () => {
    const order = {
      key: 'nozzle_temperature',
      op: '+',
      value: '25',
      reason: '',
      source: null,
      isExplicit: false,
    } as const
    const done = carryOut(of(), { preset: null, orders: [order, order, order, order] })
    expect(done.changes).toMatchObject([{ key: 'nozzle_temperature', before: '210', after: '240' }])
  })

  it('a material that is wished for is spoken of, also where the preset does not say what it is made of', () => {
    const messages = [{ role: 'user', content: 'make it faster, and print it in PETG' } as const]
    const situation = of({ filament_presets: [filament({ filament_type: [] })] })
    const { content, changes } = advise({ messages, situation, language: 'en' })
    expect(changes).not.toEqual([])
    expect(content).toContain('does not say what it is made of')
    expect(content).toContain('PETG takes')
  })

  it('what comes back by “undo” is checked, too: the page has kept it', () => {
    const profiles = {
      use_print_process_preset: '0.20mm Standard',
      filament_overrides: {},
      print_process_overrides: {},
    }
    const evil = {
      ...profiles,
      filament_overrides: { nozzle_temperature: ['400'] },
      print_process_overrides: { layer_height: '5' },
    }
    const messages = [
      { role: 'assistant', content: 'Done.', slicing_profiles: profiles, before: evil } as const,
      { role: 'user', content: 'undo that' } as const,
    ]
    const answer = advise({ messages, situation: of(), language: 'en' })
    expect(answer.slicing_profiles).toMatchObject({
      filament_overrides: { nozzle_temperature: ['240'] },
      print_process_overrides: { layer_height: '0.3' },
    })
  })

  it('what the person has changed elsewhere is handed back as it came', () => {
    const mine = {
      print_process_overrides: { ironing_flow: '12%', wall_loops: '3' },
      filament_overrides: { filament_notes: ['mine'] },
    }
    const answer = advise({
      messages: [{ role: 'user', content: '30% infill' }],
      situation: of(mine),
      language: 'en',
    })
    expect(answer.slicing_profiles).toEqual({
      use_print_process_preset: '0.20mm Standard',
      filament_overrides: { filament_notes: ['mine'] },
      print_process_overrides: { ironing_flow: '12%', wall_loops: '3', sparse_infill_density: '30%' },
    })
  })
})

describe('limits hold', () => {
  const thin = of({ filament_presets: [filament({ filament_max_volumetric_speed: ['0.1'] })] })
  const say = (content: string, given: Partial<SlicingProfiles> = {}) =>
    advise({ messages: [{ role: 'user', content }], situation: of(given), language: 'en' })

  it('where they contradict each other: never below what a setting may be at all', () =>
    expect(['0', '3', '400'].map((speed) => checkSetting(thin, 'outer_wall_speed', speed)?.value)).toEqual([
      '5',
      '5',
      '5',
    ]))

  it('for a share of something else: of a line it is one of the nozzle, of what else nobody knows', () => {
    expect(checkSetting(of(), 'line_width', '105%')).toEqual({ value: '0.42', limited: null })
    expect(checkSetting(of(), 'line_width', '900%')).toMatchObject({
      value: '0.8',
      limited: { by: 'nozzle' },
    })
    expect(checkSetting(of(), 'outer_wall_speed', '50%')).toBeNull()
    expect(checkSetting(of(), 'fan_max_speed', '50%')).toEqual({ value: '50', limited: null })
  })

  it('for a line that was a share of the nozzle before, when that comes back', () => {
    const profiles = {
      use_print_process_preset: '0.20mm Standard',
      filament_overrides: {},
      print_process_overrides: { line_width: '120%' },
    }
    const messages = [
      { role: 'assistant', content: 'Done.', slicing_profiles: profiles, before: profiles } as const,
      { role: 'user', content: 'undo that' } as const,
    ]
    const answer = advise({ messages, situation: of(), language: 'en' })
    expect(answer.slicing_profiles?.print_process_overrides).toEqual({ line_width: '0.48' })
  })

  it('for speeds at the height that a sentence ends with, in whatever order it is said', () => {
    const order = (key: string, value: string) =>
      ({ key, op: '=', value, reason: '', source: null, isExplicit: false }) as const
    const orders = [order('outer_wall_speed', '170'), order('layer_height', '0.28')]
    for (const said of [orders, orders.toReversed()])
      expect(carryOut(of(), { preset: null, orders: said }).changes).toMatchObject([
        { key: 'layer_height', after: '0.28' },
        { key: 'outer_wall_speed', after: '127', limited: { by: 'flow' } },
        // What nobody has named would want as much.
        { key: 'inner_wall_speed', before: '170', after: '127', reason: null },
        { key: 'sparse_infill_speed', before: '170', after: '127', reason: null },
      ])
  })

  it('for speeds that stand, where a layer becomes thicker, and says so; where it becomes thinner they stay', () => {
    const thick = say('layer height 0.28')
    expect(thick.changes?.map(({ parameter, after }) => [parameter, after])).toEqual([
      ['layer_height', '0.28\u00a0mm'],
      ['inner_wall_speed', '127\u00a0mm/s'],
      ['sparse_infill_speed', '127\u00a0mm/s'],
    ])
    expect(thick.changes?.[1]).toMatchObject({
      before: '170\u00a0mm/s',
      reason: 'A thicker line needs more plastic at the same speed.',
      limited: 'The flow of this filament allows 5\u00a0mm/s to 127\u00a0mm/s.',
    })
    expect(say('layer height 0.12').changes).toHaveLength(1)
  })

  it('another preset takes along what we don’t know, too: it is among the changes, and when it comes back', () => {
    const mine = { print_process_overrides: { ironing_flow: '12%' } }
    const answer = say('as fast as possible', mine)
    expect(answer.slicing_profiles?.print_process_overrides).not.toHaveProperty('ironing_flow')
    expect(answer.changes).toContainEqual(
      expect.objectContaining({ parameter: 'ironing_flow', before: '12%', after: '' }),
    )
    const back = advise({
      messages: [{ ...answer }, { role: 'user', content: 'undo that' }],
      situation: of(answer.slicing_profiles),
      language: 'en',
    })
    expect(back.slicing_profiles?.print_process_overrides).toEqual({ ironing_flow: '12%' })
    expect(back.changes).toContainEqual(
      expect.objectContaining({ of: 'print', parameter: 'ironing_flow', after: '12%' }),
    )
  })
})

describe('what must be there first', () => {
  const ask = (given: Partial<SlicingProfiles>, plates = onePlate()) =>
    advise({
      messages: [{ role: 'user', content: 'Make it strong' }],
      situation: situationOf(slicer(given), plates),
      language: 'en',
    })
  it.each([
    ['one filament', ask({ filament_presets: [] }), 'exactly one filament'],
    ['a process preset', ask({ print_process_presets: [] }), 'no process preset'],
    ['a model', ask({}, []), 'no model on the plate'],
    [
      'one extruder',
      ask({}, [
        {
          index: 0,
          model_objects: [
            { id: '1', name: 'a', extruder_id: 1, features: {} },
            { id: '2', name: 'b', extruder_id: 2, features: {} },
          ],
        },
      ]),
      'one filament at a time',
    ],
  ])('%s', (_, answer, words) => {
    expect(answer.content).toContain(words)
    expect(answer).not.toHaveProperty('slicing_profiles')
  })
})

describe('a plate is judged by its measures', () => {
  const ask = (features: Record<string, number>, given: Partial<SlicingProfiles> = {}) =>
    advise({
      messages: [{ role: 'user', content: 'Does it need supports?' }],
      situation: situationOf(slicer(given), onePlate(features)),
      language: 'en',
    })
  it('what hangs in the air wants supports', () => {
    expect(ask({ overhang: 40, area_total: 5000 })).toMatchObject({
      suggested_printing_method: 'with supports',
    })
    expect(ask({ overhang: 900, area_total: 5000 })).toMatchObject({
      suggested_printing_method: 'tree supports',
    })
  })
  it('a large flat bottom matters where the material warps', () => {
    const abs = { filament_presets: [filament({ filament_type: ['ABS'] })] }
    expect(ask({ bottom: 9000 }, abs).content).toContain('warps')
    expect(ask({ bottom: 9000 }).content).toContain('Nothing about this plate')
  })
  it('nothing is said of what was not measured', () => {
    expect(ask({}).content).toContain('Nothing about')
    const bare = [{ index: 0, model_objects: [{ id: '1', name: 'a', extruder_id: 1, features: null }] }]
    const answer = advise({
      messages: [{ role: 'user', content: '需要支撑吗' }],
      situation: situationOf(slicer(), bare),
      language: 'en',
    })
    expect(answer.content).toContain('无法判断')
  })
})
