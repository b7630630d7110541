/** Numbers and times as the look asks: thin space before the unit, tabular, `1 h 12 min left · 16:40`. */
/** A thin space where no line breaks; the narrow one that has this by itself can't be seen in our type. */
const THIN = '\u2060\u2009\u2060'
/** Between a number and its unit in `1 h 12 min`, where a narrow one would run together. */
const GAP = '\u00a0'
const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** The unit words of a language, from its `common` texts. */
export interface Units {
  s: string
  min: string
  h: string
  d: string
}

/** `2 h 03 min`, `12 min`, `40 s`, `1 d 2 h`: a duration as an owner reads it. */
export function duration(seconds: number, units: Units): string {
  const s = Math.max(0, Math.round(seconds))
  if (s < MINUTE) return `${s}${GAP}${units.s}`
  const minutes = Math.round(s / MINUTE)
  if (minutes < 60) return `${minutes}${GAP}${units.min}`
  if (minutes < DAY / MINUTE)
    return `${Math.floor(minutes / 60)}${GAP}${units.h}${GAP}${pad(minutes % 60)}${GAP}${units.min}`
  const hours = Math.round(s / HOUR)
  return `${Math.floor(hours / 24)}${GAP}${units.d}${GAP}${hours % 24}${GAP}${units.h}`
}

/** `143 h 12 min`, `22 min`: hours as they are counted, however many; below zero with its sign. */
export function hoursText(hours: number, { h, min }: Pick<Units, 'h' | 'min'>): string {
  const minutes = Math.round(Math.abs(hours) * 60)
  const sign = hours < 0 && minutes > 0 ? '\u2212' : ''
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (whole === 0) return `${sign}${rest}${GAP}${min}`
  const said = `${sign}${whole}${GAP}${h}`
  return rest === 0 ? said : `${said}${GAP}${pad(rest)}${GAP}${min}`
}

/** An age in its largest unit, for `… ago`: `4 s`, `2 min`, `3 h`, `5 d`. */
export function age(seconds: number): { unit: 's' | 'min' | 'h' | 'd'; count: number } {
  const s = Math.max(0, Math.floor(seconds))
  if (s < MINUTE) return { unit: 's', count: s }
  if (s < HOUR) return { unit: 'min', count: Math.floor(s / MINUTE) }
  if (s < 2 * DAY) return { unit: 'h', count: Math.floor(s / HOUR) }
  return { unit: 'd', count: Math.floor(s / DAY) }
}

/** `16:40`, in the browser's zone. */
export function clockTime(ms: number): string {
  const date = new Date(ms)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** The clock time, with the day when it isn't today's: `16:40`, `Sun 16:40`, `3 May 16:40`. */
export function moment(ms: number, nowMs: number, language: string): string {
  const time = clockTime(ms)
  const days = Math.round((startOfDay(ms) - startOfDay(nowMs)) / (DAY * 1000))
  if (days === 0) return time
  const options: Intl.DateTimeFormatOptions =
    Math.abs(days) < 7 ? { weekday: 'short' } : { day: 'numeric', month: 'short' }
  return `${dateFormat(language, options).format(ms)} ${time}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The browser's own way to write dates: each is made once, since that costs more than all it is then used for. */
export function dateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`
  const made = formats.get(key) ?? new Intl.DateTimeFormat(language, options)
  formats.set(key, made)
  return made
}

/** `Nov 18, 2026, 14:02`: date and clock time, by 24 hours as everywhere. */
export function dateAndTime(language: string, ms: number, dateStyle: 'long' | 'medium' = 'medium'): string {
  return dateFormat(language, { dateStyle, timeStyle: 'short', hourCycle: 'h23' }).format(ms)
}

/** `214.8 °C`: one decimal of what is measured, so that the column stands still; none of a target. */
export function degrees(celsius: number, digits: 0 | 1 = 1): string {
  return withUnit(celsius.toFixed(digits), '°C')
}

/** `63 %`; never 100 before it is done. */
export function percent(value: number, digits = 0): string {
  const clamped = Math.min(100, Math.max(0, value))
  const factor = 10 ** digits
  const shown = clamped < 100 ? Math.floor(clamped * factor) / factor : 100
  return withUnit(shown.toFixed(digits), '%')
}

/** `+0.050 mm`: a written number with its unit. */
export function withUnit(number: string, unit: string): string {
  return `${number}${THIN}${unit}`
}

/** `42.4 mm`. */
export function millimetres(value: number): string {
  return withUnit(String(Number(value.toFixed(2))), 'mm')
}

/** `11.80 m` from millimetres of filament. */
export function filament(mm: number): string {
  return withUnit((mm / 1000).toFixed(2), 'm')
}

/** `12.4 g`. */
export function grams(value: number): string {
  return withUnit(String(Number(value.toFixed(value < 100 ? 1 : 0))), 'g')
}

/** `11.80 m`, `1.24 km`: a length from millimetres, however long. */
export function lengthOf(mm: number): string {
  return mm < 1_000_000 ? filament(mm) : withUnit((mm / 1_000_000).toFixed(2), 'km')
}

/** As plans count files and what a tunnel carries. */
const SIZES = [
  [1024 ** 4, 'tb'],
  [1024 ** 3, 'gb'],
  [1024 ** 2, 'mb'],
  [1024, 'kb'],
] as const

/** `812 kB`, `24.6 MB`, `1.2 GB`: the size of a file, or of what was carried. */
export function bytesIn(units: Record<(typeof SIZES)[number][1], string>, bytes: number): string {
  const [size, unit] = SIZES.find(([least]) => bytes >= least) ?? SIZES[3]
  const value = unit === 'kb' ? Math.ceil(bytes / size) : bytes / size
  return withUnit(String(Number(value.toFixed(value < 100 ? 1 : 0))), units[unit])
}

/** ms since 1970 of a timestamp, or null. */
export function ms(timestamp: string | null | undefined): number | null {
  const value = timestamp ? Date.parse(timestamp) : NaN
  return Number.isFinite(value) ? value : null
}

/** A number that JSON may have spelled in any way, or null. */
export function finite(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}
