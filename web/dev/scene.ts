import { ago } from './time.ts'

/** When the alert's picture was taken. */
export const MARKED_AT = ago(131)

/** A drawn camera picture for the gallery and for tests of parts: a print that grows, or one that fails. */
export function scene(options: {
  color: string
  layers: number
  spaghetti?: boolean
  boxes?: boolean
}): string {
  const { color, layers, spaghetti, boxes } = options
  const width = 640
  const bedY = 262
  const shapes: string[] = []
  for (let at = 0; at < layers; at++) {
    const bulge = 150 + 26 * Math.sin((at / 16) * Math.PI)
    const y = bedY - 9 - at * 10
    const shade = at % 2 === 0 ? 1 : 0.82
    shapes.push(
      `<rect x="${(width - bulge) / 2}" y="${y}" width="${bulge}" height="8.5" rx="4" fill="${color}" opacity="${shade}"/>`,
    )
  }
  const strands = spaghetti
    ? Array.from({ length: 22 }, (_, at) => {
        const a = (at * 137.5 * Math.PI) / 180
        const x = 250 + 60 * Math.cos(a) + at * 5
        const y = 190 + 34 * Math.sin(a * 1.7)
        return `<path d="M${x} ${y}q${50 * Math.sin(a)} ${-60 * Math.cos(a)} ${70 + 20 * Math.sin(a * 3)} ${24 * Math.cos(a)}t${40 * Math.cos(a)} ${38 + at}" stroke="${color}" stroke-width="3" fill="none" opacity="0.9"/>`
      }).join('')
    : ''
  const nozzleY = spaghetti ? 104 : Math.max(40, bedY - layers * 10 - 74)
  const box = boxes
    ? `<rect x="232" y="128" width="214" height="142" rx="8" fill="none" stroke="#ff5d62" stroke-width="4"/>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" width="640" height="360"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#2b3038"/><stop offset="1" stop-color="#15181d"/></linearGradient></defs><rect width="640" height="360" fill="url(#g)"/><path d="M90 262h460l90 98H0z" fill="#3a3f48"/>${shapes.join('')}${strands}<rect y="${nozzleY - 24}" width="640" height="24" fill="#4a505b"/><path d="M296 ${nozzleY}h48v32l-16 22h-16l-16-22z" fill="#9aa1ad"/>${box}</svg>`
}

/** What a detector would see of the scene that fails. */
export function heatOfScene() {
  const [width, height] = [52, 29]
  const values = Buffer.from(
    Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [(at % width) / width - 0.52, Math.floor(at / width) / height - 0.55]
      return Math.round(255 * Math.exp(-(x * x * 45 + y * y * 30)))
    }),
  )
  return { taken_at: MARKED_AT, width, height, values: values.toString('base64') }
}
