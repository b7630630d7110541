/** Draws the mess: strands that missed the part, curled up and lying over one another. */
import { paint, type Look } from './camera-view.ts'
import { seededRandom } from './random.ts'

const MOST_STRANDS = 130

export interface Mess {
  x: number
  y: number
  /** Height of the part it began on. */
  top: number
}

/** How many strands lie there after `spilled` mm of filament. */
export function strandsFor(spilled: number): number {
  return Math.min(MOST_STRANDS, 5 + spilled / 2.2)
}

/** The strands from number `from` up to `to`; the last one may be in the making. */
export function strandsSvg(look: Look, mess: Mess, from: number, to: number): string {
  const shapes: string[] = []
  for (let i = Math.floor(from); i < to; i++) shapes.push(strand(look, mess, i, Math.min(1, to - i)))
  return `<g fill="none" stroke-linecap="round" stroke-linejoin="round">${shapes.join('')}</g>`
}

function strand(look: Look, mess: Mess, number: number, grown: number): string {
  const random = seededRandom(look.seed * 1009 + number * 97 + 13)
  for (let i = 0; i < 3; i++) random()
  const spread = 10 + Math.min(number, 90) * 0.26
  const pile = Math.min(number, 110) * 0.26
  const kind = random()
  const isCoil = kind < 0.3
  const isLong = kind > 0.86
  const count = Math.max(3, Math.round((isLong ? 46 : 22 + random() * 26) * grown))
  let heading = random() * Math.PI * 2
  const bend = isCoil ? (random() < 0.5 ? -1 : 1) * (0.55 + random() * 0.5) : (random() - 0.5) * 0.5
  const away = random() * Math.PI * 2
  const start = Math.sqrt(random()) * spread * 0.8
  let [x, y] = [start * Math.cos(away), start * Math.sin(away)]
  const wave = 0.06 + random() * 0.16
  const phase = random() * 6.3
  const arch = 2 + random() * (isLong ? 24 : 9)
  const line: [number, number][] = []
  for (let i = 0; i < count; i++) {
    const reach = Math.hypot(x, y)
    const mound =
      mess.top * Math.exp(-((reach / 26) ** 2) * 0.9) + pile * Math.exp(-((reach / (spread + 6)) ** 2))
    const z = Math.max(
      0.4,
      mound * (0.55 + 0.45 * Math.sin(phase + i * wave)) + arch * Math.max(0, Math.sin(i * wave + phase * 2)),
    )
    line.push(look.view.project(mess.x + x, mess.y + y, z))
    heading += bend + (random() - 0.5) * (isCoil ? 0.25 : 0.9)
    if (reach > spread * (isLong ? 1.7 : 1.15))
      heading += 0.5 * Math.sign(Math.sin(Math.atan2(-y, -x) - heading))
    const pace = isCoil ? 1.7 : 2.6
    x += pace * Math.cos(heading)
    y += pace * Math.sin(heading)
  }
  return inked(look, line, random)
}

function inked(look: Look, line: [number, number][], random: () => number): string {
  const path = smooth(line)
  const width = 1.5 + random() * (random() < 0.15 ? 2.6 : 1.0)
  const gain = 0.62 + random() * 0.42
  return (
    `<path d="${path}" stroke="rgb(0,0,0)" stroke-opacity="0.42" stroke-width="${(width + 1.2).toFixed(1)}" transform="translate(1.1,1.6)"/>` +
    `<path d="${path}" stroke="${paint(look.filament, gain)}" stroke-width="${width.toFixed(1)}"/>` +
    `<path d="${path}" stroke="${paint(look.filament, Math.min(1.35, gain + 0.42))}" stroke-opacity="0.75" stroke-width="${(width * 0.38).toFixed(1)}" transform="translate(-0.4,-0.6)"/>`
  )
}

function smooth(line: [number, number][]): string {
  const first = line[0] ?? [0, 0]
  let path = `M${first[0].toFixed(1)} ${first[1].toFixed(1)}`
  for (const [i, b] of line.entries()) {
    const a = line[i - 1]
    if (i < 2 || a === undefined) continue
    path += `Q${a[0].toFixed(1)} ${a[1].toFixed(1)} ${((a[0] + b[0]) / 2).toFixed(1)} ${((a[1] + b[1]) / 2).toFixed(1)}`
  }
  return path
}
