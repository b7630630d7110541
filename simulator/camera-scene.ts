/** Draws what stands around the print: the room, the bed, the gantry and the hot end. */
import type { Point } from './program.ts'
import { HEIGHT, paint, points, WIDTH, type Look } from './camera-view.ts'
import { seededRandom } from './random.ts'

/** The room behind the printer; the caller blurs it, for it is out of focus. */
export function roomSvg(look: Look): string {
  const random = seededRandom(look.seed * 31 + 5)
  const things: string[] = []
  for (let i = 0; i < 9; i++) {
    const x = random() * WIDTH
    const y = 20 + random() * 190
    const w = 30 + random() * 110
    const h = 30 + random() * 150
    const tint = 0.35 + random() * 0.9
    things.push(
      `<rect x="${x - w / 2}" y="${y - h / 2}" width="${w}" height="${h}" fill="${paint(look.wall, tint)}"/>`,
    )
  }
  const shine = 120 + random() * 380
  return svg(
    `<defs><radialGradient id="w" cx="${shine / WIDTH}" cy="0.05" r="1"><stop offset="0" stop-color="${paint(look.wall, 1.5)}"/>` +
      `<stop offset="0.6" stop-color="${paint(look.wall, 0.8)}"/><stop offset="1" stop-color="${paint(look.wall, 0.4)}"/></radialGradient></defs>` +
      `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#w)"/>${things.join('')}` +
      `<rect x="0" y="330" width="${WIDTH}" height="160" fill="rgb(58,50,44)"/>`,
  )
}

/** The frame and the bed, in focus. */
export function bedSvg(look: Look): string {
  const { project } = look.view
  const random = seededRandom(look.seed * 17 + 3)
  const corner = (x: number, y: number, z: number): [number, number] => project(x, y, z)
  const bed = points([corner(-8, -8, 0), corner(228, -8, 0), corner(228, 228, 0), corner(-8, 228, 0)])
  const front = points([corner(-8, -8, 0), corner(228, -8, 0), corner(228, -8, -7), corner(-8, -8, -7)])
  const side = points([corner(228, -8, 0), corner(228, 228, 0), corner(228, 228, -7), corner(228, -8, -7)])
  const lines: string[] = []
  for (let i = 0; i <= 220; i += 20) {
    lines.push(
      line(project(i, 0, 0), project(i, 220, 0), 'rgba(255,255,255,0.05)', 0.8),
      line(project(0, i, 0), project(220, i, 0), 'rgba(255,255,255,0.05)', 0.8),
    )
  }
  for (let i = 0; i < 46; i++) {
    const x = random() * 220
    const y = random() * 220
    const turn = random() * 6.3
    const length = 2 + random() * 16
    lines.push(
      line(
        project(x, y, 0),
        project(x + length * Math.cos(turn), y + length * Math.sin(turn), 0),
        `rgba(255,255,255,${(0.02 + random() * 0.09).toFixed(2)})`,
        0.7,
      ),
    )
  }
  const [gx, gy] = project(70, 170, 0)
  return svg(
    post(look, -26, 236) +
      post(look, 246, 236) +
      `<polygon points="${front}" fill="rgb(22,22,24)"/><polygon points="${side}" fill="rgb(30,30,32)"/>` +
      `<polygon points="${bed}" fill="${paint(look.bed)}"/>` +
      `<defs><radialGradient id="g"><stop offset="0" stop-color="rgba(255,255,255,0.26)"/><stop offset="1" stop-color="rgba(255,255,255,0)"/></radialGradient>` +
      `<clipPath id="b"><polygon points="${bed}"/></clipPath></defs>` +
      `<ellipse cx="${gx}" cy="${gy}" rx="190" ry="62" fill="url(#g)" clip-path="url(#b)"/>${lines.join('')}`,
  )
}

/** The X rail and the hot end with the nozzle's tip at `tip`. */
export function gantrySvg(look: Look, tip: Point, isHot: boolean): string {
  const { project } = look.view
  const quad = (list: [number, number, number][], fill: string): string =>
    `<polygon points="${points(list.map(([x, y, z]) => project(x, y, z)))}" fill="${fill}"/>`
  const { x, y, z } = tip
  const rail = y + 26
  const [low, high] = [z + 46, z + 62]
  const back = [
    quad(
      [
        [-40, rail, low],
        [262, rail, low],
        [262, rail, high],
        [-40, rail, high],
      ],
      'rgb(44,45,48)',
    ),
    quad(
      [
        [-40, rail, high],
        [262, rail, high],
        [262, rail + 14, high],
        [-40, rail + 14, high],
      ],
      'rgb(82,84,88)',
    ),
    quad(
      [
        [-40, rail, low + 7],
        [262, rail, low + 7],
        [262, rail, low + 9],
        [-40, rail, low + 9],
      ],
      'rgb(18,18,20)',
    ),
    quad(
      [
        [-40, rail, high - 2],
        [262, rail, high - 2],
        [262, rail, high - 1],
        [-40, rail, high - 1],
      ],
      'rgb(120,122,126)',
    ),
  ]
  const [left, right, face, bottom, top] = [x - 20, x + 20, y - 18, z + 16, z + 72]
  const body = [
    quad(
      [
        [right, face, bottom],
        [right, y + 22, bottom],
        [right, y + 22, top],
        [right, face, top],
      ],
      'rgb(24,24,27)',
    ),
    quad(
      [
        [left, face, top],
        [right, face, top],
        [right, y + 22, top],
        [left, y + 22, top],
      ],
      'rgb(64,65,70)',
    ),
    quad(
      [
        [left, face, bottom],
        [right, face, bottom],
        [right, face, top],
        [left, face, top],
      ],
      'rgb(38,38,42)',
    ),
    quad(
      [
        [x - 8, y - 8, z + 4],
        [x + 9, y - 8, z + 4],
        [x + 9, y - 8, bottom],
        [x - 8, y - 8, bottom],
      ],
      'rgb(112,108,100)',
    ),
    quad(
      [
        [x + 9, y - 8, z + 4],
        [x + 9, y + 8, z + 4],
        [x + 9, y + 8, bottom],
        [x + 9, y - 8, bottom],
      ],
      'rgb(74,71,66)',
    ),
    quad(
      [
        [x - 3.2, y, z + 4],
        [x + 3.2, y, z + 4],
        [x + 0.7, y, z],
        [x - 0.7, y, z],
      ],
      'rgb(176,140,66)',
    ),
  ]
  const [cx, cy] = project(x, face, (bottom + top) / 2 + 4)
  const r = 15 * look.view.scale
  const blades = Array.from({ length: 7 }, (_, i) => {
    const turn = (i / 7) * Math.PI * 2 + x * 0.3
    return `<path d="M${cx} ${cy} L${(cx + r * 0.86 * Math.cos(turn)).toFixed(1)} ${(cy + r * 0.86 * Math.sin(turn)).toFixed(1)}" stroke="rgb(70,70,76)" stroke-width="7"/>`
  })
  const fan =
    `<circle cx="${cx}" cy="${cy}" r="${r}" fill="rgb(16,16,18)" stroke="rgb(58,58,62)" stroke-width="2"/>${blades.join('')}` +
    `<circle cx="${cx}" cy="${cy}" r="${r * 0.32}" fill="rgb(50,50,54)"/>`
  const [lx, ly] = project(left + 4, face, bottom + 5)
  const light = isHot
    ? `<circle cx="${lx}" cy="${ly}" r="3" fill="rgb(255,70,50)"/><circle cx="${lx}" cy="${ly}" r="9" fill="rgba(255,60,40,0.25)"/>`
    : ''
  const [tx, ty] = project(x, y + 10, top)
  const cable = `<path d="M${tx} ${ty} C${tx + 20} ${ty - 90} ${tx + 150} ${ty - 70} ${tx + 210} ${ty - 170}" fill="none" stroke="rgb(20,20,22)" stroke-width="9"/>`
  return cable + back.join('') + body.join('') + fan + light
}

function post(look: Look, x: number, y: number): string {
  const { project } = look.view
  const [left, right, mid] = [project(x - 10, y, -10), project(x + 10, y, -10), project(x - 2, y, -10)]
  const bar = (a: number, b: number, fill: string): string =>
    `<rect x="${a}" y="0" width="${b - a}" height="${left[1]}" fill="${fill}"/>`
  return (
    bar(left[0], right[0], 'rgb(52,53,56)') +
    bar(mid[0], mid[0] + 6, 'rgb(22,22,24)') +
    bar(left[0], left[0] + 3, 'rgb(104,106,110)')
  )
}

function line(a: [number, number], b: [number, number], stroke: string, width: number): string {
  return `<line x1="${a[0].toFixed(1)}" y1="${a[1].toFixed(1)}" x2="${b[0].toFixed(1)}" y2="${b[1].toFixed(1)}" stroke="${stroke}" stroke-width="${width}"/>`
}

/** Wraps drawing commands into a picture of the camera's size. */
export function svg(body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${body}</svg>`
}
