import type { Preset, SlicingProfiles } from '@vigil/contract/assistant/presets.ts'

/** A desktop slicer with one printer, PLA, and processes of 0.08 to 0.28 mm: as OrcaSlicer's own profiles say it. */
const process = (height: string, name: string): Preset => ({
  name: `${height}mm ${name}`,
  config: {
    layer_height: height,
    initial_layer_print_height: '0.2',
    line_width: '0.42',
    wall_loops: '2',
    top_shell_layers: '4',
    bottom_shell_layers: '3',
    sparse_infill_density: '15%',
    sparse_infill_pattern: 'grid',
    top_surface_pattern: 'monotonicline',
    seam_position: 'aligned',
    enable_support: '0',
    support_type: 'normal(auto)',
    support_threshold_angle: '30',
    support_on_build_plate_only: '0',
    support_top_z_distance: '0.2',
    support_speed: '100',
    brim_type: 'auto_brim',
    brim_width: '5',
    skirt_loops: '0',
    raft_layers: '0',
    spiral_mode: '0',
    fuzzy_skin: 'none',
    ironing_type: 'no ironing',
    print_sequence: 'by layer',
    reduce_crossing_wall: '0',
    initial_layer_speed: '50',
    outer_wall_speed: '120',
    inner_wall_speed: '170',
    sparse_infill_speed: '170',
    bridge_speed: '50',
    travel_speed: '400',
    default_acceleration: '5000',
    outer_wall_acceleration: '3000',
    elefant_foot_compensation: '0.1',
    xy_hole_compensation: '0',
  },
})

export const printerPreset: Preset = {
  name: 'Desk One 0.4 nozzle',
  config: {
    nozzle_diameter: ['0.4'],
    printable_height: '180',
    min_layer_height: ['0.08'],
    max_layer_height: ['0.3'],
    machine_max_speed_x: ['500', '200'],
    machine_max_speed_y: ['500', '200'],
    machine_max_acceleration_extruding: ['20000', '5000'],
  },
}

export const filamentPreset: Preset = {
  name: 'Desk PLA',
  is_selected: true,
  config: {
    filament_type: ['PLA'],
    nozzle_temperature: ['210'],
    nozzle_temperature_initial_layer: ['215'],
    nozzle_temperature_range_low: ['190'],
    nozzle_temperature_range_high: ['240'],
    hot_plate_temp: ['60'],
    hot_plate_temp_initial_layer: ['60'],
    fan_max_speed: ['100'],
    fan_min_speed: ['60'],
    overhang_fan_speed: ['100'],
    close_fan_the_first_x_layers: ['1'],
    filament_flow_ratio: ['0.98'],
    filament_retraction_length: ['0.8'],
    filament_max_volumetric_speed: ['15'],
  },
}

/** What a page sends of such a slicer. */
export const slicer = (over: Partial<SlicingProfiles> = {}): SlicingProfiles => ({
  printer_presets: [printerPreset],
  filament_presets: [filamentPreset],
  print_process_presets: [
    process('0.08', 'Extra Fine'),
    process('0.12', 'Fine'),
    process('0.16', 'Optimal'),
    { ...process('0.20', 'Standard'), is_selected: true },
    process('0.24', 'Draft'),
    process('0.28', 'Extra Draft'),
  ],
  filament_overrides: {},
  print_process_overrides: {},
  use_print_process_preset: '0.20mm Standard',
  ...over,
})

export const onePlate = (features: Record<string, number> = {}) => [
  { index: 0, model_objects: [{ id: '1', name: 'bracket.stl', extruder_id: 1, features }] },
]
