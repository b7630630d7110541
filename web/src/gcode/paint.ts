import { FEATURES, type Feature } from '@vigil/contract/gcode/features.ts'
import { moveAt, type Span, type Toolpath } from './toolpath.ts'

/** What a move's colour tells. */
export type Paint = 'feature' | 'speed' | 'width' | 'tool'
type Rgb = readonly [red: number, green: number, blue: number]

/** Bright enough for a dark ground, dark enough for a light one; shaded by the light that falls on them. */
const FEATURE_COLOURS: Record<Feature, string> = {
  other: '#9aa1ae',
  outer: '#f0772b',
  inner: '#e3b322',
  overhang: '#4660e6',
  infill: '#b8433a',
  solid: '#9a5fd0',
  top: '#e0413f',
  bridge: '#4c8fc7',
  gap: '#3cb6a4',
  skirt: '#0f8f78',
  support: '#4aa83c',
  interface: '#2f7d31',
  ironing: '#e274ae',
  tower: '#a8916b',
  custom: '#5cb6d9',
  travel: '#7c86b8',
  jump: '#000000',
}
const TOOL_COLOURS = ['#f0772b', '#4c8fc7', '#4aa83c', '#9a5fd0', '#e3b322', '#e274ae', '#3cb6a4', '#b8433a']
/** From slow to fast, from thin to wide. */
const SCALE = ['#3b4cc0', '#2c9fb8', '#3fb56b', '#e3b322', '#d6392f']

/** How many colours {@link coloursOf} gives: one for each feature, on a scale as many steps. */
export const COLOURS = 32

export const featureColour = (feature: Feature): string => FEATURE_COLOURS[feature]
export const toolColour = (tool: number): string => TOOL_COLOURS[tool % TOOL_COLOURS.length] ?? '#9aa1ae'
/** The scale as a background. */
export const scaleGradient = `linear-gradient(to right, ${SCALE.join(', ')})`

/** The colours that moves may have, red, green and blue from 0 to 1 in a row. */
export function coloursOf(paint: Paint): Float32Array {
  const colours = Array.from({ length: COLOURS }, (_, at) => {
    if (paint === 'feature') return rgb(FEATURE_COLOURS[FEATURES[at] ?? 'other'])
    return paint === 'tool' ? rgb(toolColour(at)) : onScale(at / (COLOURS - 1))
  })
  return Float32Array.from(colours.flat())
}

/** Between what the scale reaches. */
export const spanOf = ({ speeds, widths }: Pick<Toolpath, 'speeds' | 'widths'>, paint: Paint): Span =>
  paint === 'speed' ? speeds : paint === 'width' ? widths : [0, 1]

/** The colour of one move, for a canvas. */
export function colourAt(path: Toolpath, at: number, paint: Paint): string {
  const move = moveAt(path, at)
  const feature = FEATURES[move.feature] ?? 'other'
  if (paint === 'feature' || feature === 'travel') return FEATURE_COLOURS[feature]
  if (paint === 'tool') return toolColour(move.tool)
  const [least, most] = spanOf(path, paint)
  const part = most > least ? (move[paint] - least) / (most - least) : 0
  const [red, green, blue] = onScale(Math.round(Math.min(1, Math.max(0, part)) * 31) / 31).map((one) =>
    Math.round(one * 255),
  )
  return `rgb(${red} ${green} ${blue})`
}

function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

function onScale(part: number): Rgb {
  const place = part * (SCALE.length - 1)
  const at = Math.min(SCALE.length - 2, Math.floor(place))
  const [from, to] = [rgb(SCALE[at] ?? ''), rgb(SCALE[at + 1] ?? '')]
  const rest = place - at
  const mixed = (one: 0 | 1 | 2) => from[one] * (1 - rest) + to[one] * rest
  return [mixed(0), mixed(1), mixed(2)]
}
