import { listIn, type Values } from './bundle.ts'

/** Never given to the engine: programs that it would run, and what says which profiles there are. */
export const NEVER: ReadonlySet<string> = new Set([
  'post_process',
  'inherits',
  'alias',
  'renamed_from',
  'compatible_printers',
  'compatible_printers_condition',
  'compatible_prints',
  'compatible_prints_condition',
  'default_print_profile',
  'default_filament_profile',
  'thumbnails',
  'gcode_substitutions',
])

/** One file of settings for one slicing, as the engine's command line takes it: nothing inherited, each key once. Later ones win. */
export function flatSettings(...layers: readonly Values[]): string {
  const all = new Map<string, string>()
  for (const layer of layers) for (const [key, value] of layer) if (!NEVER.has(key)) all.set(key, value)
  mend(all)
  return [...all].map(([key, value]) => `${key} = ${value.replaceAll(/[\r\n]/g, ' ')}\n`).join('')
}

/** What the command line reads otherwise than the window, for which bundles are written (docs/rules/slice.md 6). */
function mend(all: Map<string, string>): void {
  const share = /^(\d{1,4}(?:\.\d{1,6})?)%$/.exec(all.get('first_layer_height') ?? '')?.[1]
  const height = Number(all.get('layer_height') ?? 0.2)
  if (share !== undefined)
    all.set('first_layer_height', String(Number(((height * Number(share)) / 100).toFixed(3))))
  const isRelative = all.get('use_relative_e_distances') === '1'
  const layers = `${all.get('layer_gcode') ?? ''}${all.get('before_layer_gcode') ?? ''}`
  if (isRelative && !/G92 E0/i.test(layers))
    all.set('layer_gcode', `${all.get('layer_gcode') ?? ''}\\nG92 E0`)
}

/** Corners of a bed, `0x0,220x0,…`; as large as most where a printer does not say. */
export function bedIn(values: Values): readonly (readonly [number, number])[] {
  const corners = listIn(values.get('bed_shape')).flatMap((corner): [number, number][] => {
    const [x, y] = corner.split('x').map(Number)
    return x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y) ? [[x, y]] : []
  })
  return corners.length >= 3
    ? corners
    : [
        [0, 0],
        [220, 0],
        [220, 220],
        [0, 220],
      ]
}

/** How high a printer prints, in mm. */
export function heightIn(values: Values): number {
  const height = Number(values.get('max_print_height'))
  return height > 0 ? height : 220
}
