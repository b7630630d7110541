import { numberIn, numberOf, type Situation, valueOf } from './situation.ts'
import { type Setting, settingOf } from './table.ts'

/** Why a value is not what was proposed: the limits and whose they are. */
export interface Limited {
  readonly by: 'filament' | 'machine' | 'nozzle' | 'setting' | 'flow'
  readonly least: number
  readonly most: number
}

/** A value as it may be applied. */
export interface Checked {
  readonly value: string
  readonly limited: Limited | null
}

type Span = readonly [least: number, most: number]

const meet = (a: Span, b: Span): Span => [Math.max(a[0], b[0]), Math.min(a[1], b[1])]
/** Where nobody says how wide the nozzle is. */
const USUAL_NOZZLE = 0.4
/** Of a filament whose material nobody knows. */
const UNKNOWN_NOZZLE: Span = [170, 260]
const UNKNOWN_BED: Span = [0, 100]
/** Where a machine does not say how fast it may go. */
const UNKNOWN_SPEED = 200
const UNKNOWN_ACCEL = 5_000

/**
 * What a setting may be here: within its own range, what the filament takes, what the machine does, and what the nozzle can lay. Null:
 * no setting that may be changed, or no number.
 */
export function limitsOf(situation: Situation, key: string): Limited | null {
  const setting = settingOf(key)
  if (setting?.range === undefined) return null
  const found = narrowOf(situation, key, setting)
  const [least, most] = meet(setting.range, found.span)
  // Limits that contradict each other leave one value, at the careful end; never one beyond the setting's own.
  const only = Math.max(setting.range[0], most)
  if (least > most) return { by: found.by, least: only, most: only }
  return { by: least === setting.range[0] && most === setting.range[1] ? 'setting' : found.by, least, most }
}

function narrowOf(situation: Situation, key: string, setting: Setting): { span: Span; by: Limited['by'] } {
  switch (setting.type) {
    case 'degrees':
      return {
        span: key.startsWith('nozzle')
          ? nozzleHeat(situation)
          : (situation.material?.about.limits.bed ?? UNKNOWN_BED),
        by: 'filament',
      }
    case 'fan':
      // Less cooling spoils a print, it harms nobody.
      return { span: [0, situation.material?.about.limits.fan[1] ?? 100], by: 'filament' }
    case 'speed':
      return speedOf(situation, key)
    case 'accel': {
      const most = numberOf(situation.printer, 'machine_max_acceleration_extruding')
      return { span: [0, most ?? atLeast(situation, key, UNKNOWN_ACCEL)], by: 'machine' }
    }
    default:
      return { span: widthOf(situation, key), by: 'nozzle' }
  }
}

/** What the material takes, and of that what its maker allows. */
function nozzleHeat({ filament, material }: Situation): Span {
  const usual = material?.about.limits.nozzle ?? UNKNOWN_NOZZLE
  const low = numberOf(filament, 'nozzle_temperature_range_low')
  const high = numberOf(filament, 'nozzle_temperature_range_high')
  if (low === null || high === null || low <= 0 || high <= low) return usual
  const both = meet(usual, [low, high])
  return both[0] <= both[1] ? both : usual
}

/** A preset that goes beyond what we take for usual is its maker's affair: it may stay. */
const atLeast = (situation: Situation, key: string, usual: number) => {
  const of = settingOf(key)?.of === 'filament' ? situation.filament : situation.print
  return Math.max(usual, numberOf(of, key) ?? 0)
}

/** Not plastic at all, or less than a line of it. */
const NO_FLOW = new Set(['travel_speed', 'bridge_speed'])

function speedOf(situation: Situation, key: string): { span: Span; by: Limited['by'] } {
  const { printer, filament } = situation
  const axes = ['x', 'y'].flatMap((axis) => numberOf(printer, `machine_max_speed_${axis}`) ?? [])
  const machine = axes.length > 0 ? Math.min(...axes) : atLeast(situation, key, UNKNOWN_SPEED)
  const volume = numberOf(filament, 'filament_max_volumetric_speed')
  const height = numberIn(
    valueOf(situation, key.startsWith('initial') ? 'initial_layer_print_height' : 'layer_height'),
  )
  if (volume === null || volume <= 0 || height === null || height <= 0 || NO_FLOW.has(key))
    return { span: [0, machine], by: 'machine' }
  const most = Math.floor(volume / (height * lineWidth(situation)))
  return most < machine ? { span: [0, most], by: 'flow' } : { span: [0, machine], by: 'machine' }
}

const nozzleOf = ({ printer }: Situation) => {
  const said = numberOf(printer, 'nozzle_diameter')
  return said !== null && said >= 0.1 && said <= 2 ? said : USUAL_NOZZLE
}

function lineWidth(situation: Situation): number {
  const said = valueOf(situation, 'line_width')
  const width = numberIn(said)
  if (width === null || width <= 0) return nozzleOf(situation) * 1.05
  return said?.endsWith('%') ? (width / 100) * nozzleOf(situation) : width
}

const ON = new Set(['1', 'true', 'on', 'yes'])
const OFF = new Set(['0', 'false', 'off', 'no'])
const round = (value: number) => Math.round(value * 1_000) / 1_000

/** Layers are at most three quarters of the nozzle, lines between two thirds and twice of it, and no thinner than a layer. */
function widthOf(situation: Situation, key: string): Span {
  const nozzle = nozzleOf(situation)
  if (key === 'layer_height' || key === 'initial_layer_print_height') {
    const least = numberOf(situation.printer, 'min_layer_height')
    const most = numberOf(situation.printer, 'max_layer_height')
    const own: Span = [
      least !== null && least > 0 ? least : 0.04,
      most !== null && most > 0 ? Math.min(most, nozzle * 0.8) : nozzle * 0.75,
    ]
    return [round(own[0]), round(Math.min(own[1], lineWidth(situation)))]
  }
  if (key !== 'line_width') return [-Infinity, Infinity]
  const height = numberIn(valueOf(situation, 'layer_height')) ?? 0
  return [round(Math.max(height, nozzle * 0.66)), round(nozzle * 2)]
}

/**
 * A proposed value as it may be applied, whoever proposes it: within the limits, in the slicer's words. Null: no setting that may be
 * changed, or no value that it can have.
 */
export function checkSetting(situation: Situation, key: string, proposed: string): Checked | null {
  const setting = settingOf(key)
  if (setting === undefined) return null
  const word = proposed.trim().toLowerCase()
  if (setting.type === 'flag') {
    const value = ON.has(word) ? '1' : OFF.has(word) ? '0' : null
    return value === null ? null : { value, limited: null }
  }
  if (setting.type === 'choice')
    return Object.hasOwn(setting.values ?? {}, word) ? { value: word, limited: null } : null
  const number = numberIn(word.replace(/(?: ?(?:mm|°c|s|mm\/s))$/, ''))
  const isShare = word.endsWith('%') && setting.type !== 'percent' && setting.type !== 'fan'
  // Of a line the nozzle is the whole; of what else a share is taken nobody says.
  if (isShare && number !== null && key === 'line_width')
    return checkSetting(situation, key, String((number / 100) * nozzleOf(situation)))
  if (isShare) return null
  const limits = limitsOf(situation, key)
  if (number === null || limits === null) return null
  const near = Math.min(limits.most, Math.max(limits.least, number))
  const limited = Math.abs(near - number) > 1e-9 ? limits : null
  return { value: written(setting, near, limited !== null && near === limits.most), limited }
}

/** A number as the slicer writes it. */
function written({ type }: Setting, value: number, isMost: boolean): string {
  if (type === 'number') return String(round(value))
  const whole = isMost ? Math.floor(value) : Math.round(value)
  return type === 'percent' ? `${whole}%` : String(whole)
}
