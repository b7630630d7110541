import { BAND_ENDS } from '@vigil/contract/watch/band.ts'
import { firstDecisions } from '../../modules/watch/deciding/again.rules.ts'
import { clock, type Seen } from './moments.rules.ts'

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [960, 240, 36, 24, 8]
/** More points than pixels draw the same line. */
const MOST_POINTS = 2_000

/** The gauge (line) and the scores (dots) over the print as SVG, with the first warning and pause marked. */
export function curve(frames: readonly Seen[]): string {
  const last = Math.max(1, frames.at(-1)?.t ?? 1)
  const x = (t: number) => (LEFT + (t / last) * (WIDTH - LEFT - 8)).toFixed(1)
  const y = (percent: number) => (TOP + (1 - percent / 100) * (HEIGHT - TOP - BOTTOM)).toFixed(1)
  const each = Math.ceil(frames.length / MOST_POINTS)
  const drawn = frames.filter((_, at) => at % each === 0)
  const line = drawn.map(({ t, gauge }) => `${x(t)},${y(gauge)}`).join(' ')
  const dots = drawn
    .filter(({ score }) => score !== null)
    .map(({ t, score }) => `<circle cx="${x(t)}" cy="${y((score ?? 0) * 100)}" r="1.6"/>`)
  const { warned, paused } = firstDecisions(frames)
  const mark = (at: Seen | undefined, kind: string) =>
    at === undefined
      ? ''
      : `<line class="${kind}" x1="${x(at.t)}" x2="${x(at.t)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`
  const levels = [0, BAND_ENDS.good * 100, BAND_ENDS.fishy * 100, 100].map(
    (percent) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - 8}" y1="${y(percent)}" y2="${y(percent)}"/>` +
      `<text x="${LEFT - 6}" y="${Number(y(percent)) + 4}" text-anchor="end">${percent}</text>`,
  )
  const times = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle'
    return `<text x="${x(share * last)}" y="${HEIGHT - 6}" text-anchor="${anchor}">${clock(share * last)}</text>`
  })
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${levels.join('')}${times.join('')}<g class="dots">${dots.join('')}</g><polyline points="${line}"/>${mark(warned, 'warn')}${mark(paused, 'pause')}</svg>`
}
