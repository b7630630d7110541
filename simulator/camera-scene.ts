/** Draws what stands around the print: the room, the bed, the gantry and the hot end. */
import type { Point } from './program.ts'
import { HEIGHT, paint, points, WIDTH, type Look } from './camera-view.ts'
import { seededRandom } from './random.ts'

/** The X rail, in millimetres from the nozzle's tip; left and right are places of the machine. */
const RAIL = { left: -40, right: 262, behind: 26, low: 46, high: 62 }
/** The hot end's body, in millimetres from the nozzle's tip. */
const BODY = { half: 20, front: 18, back: 22, bottom: 16, top: 72 }

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
  return cableSvg(look, tip) + railSvg(look, tip) + hotEndSvg(look, tip) + fanSvg(look, tip, isHot)
}

/** A flat piece that faces the front: from left and bottom to right and top at depth `y`. */
function frontFace(
  look: Look,
  y: number,
  x1: number,
  z1: number,
  x2: number,
  z2: number,
  fill: string,
): string {
  const { project } = look.view
  const corners = [project(x1, y, z1), project(x2, y, z1), project(x2, y, z2), project(x1, y, z2)]
  return `<polygon points="${points(corners)}" fill="${fill}"/>`
}

/** A flat piece that faces up, at height `z`. */
function topFace(
  look: Look,
  z: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  fill: string,
): string {
  const { project } = look.view
  const corners = [project(x1, y1, z), project(x2, y1, z), project(x2, y2, z), project(x1, y2, z)]
  return `<polygon points="${points(corners)}" fill="${fill}"/>`
}

/** A flat piece that faces right, at `x`. */
function sideFace(
  look: Look,
  x: number,
  y1: number,
  z1: number,
  y2: number,
  z2: number,
  fill: string,
): string {
  const { project } = look.view
  const corners = [project(x, y1, z1), project(x, y2, z1), project(x, y2, z2), project(x, y1, z2)]
  return `<polygon points="${points(corners)}" fill="${fill}"/>`
}

function railSvg(look: Look, { y, z }: Point): string {
  const at = y + RAIL.behind
  const [low, high] = [z + RAIL.low, z + RAIL.high]
  return (
    frontFace(look, at, RAIL.left, low, RAIL.right, high, 'rgb(44,45,48)') +
    topFace(look, high, RAIL.left, at, RAIL.right, at + 14, 'rgb(82,84,88)') +
    frontFace(look, at, RAIL.left, low + 7, RAIL.right, low + 9, 'rgb(18,18,20)') +
    frontFace(look, at, RAIL.left, high - 2, RAIL.right, high - 1, 'rgb(120,122,126)')
  )
}

function hotEndSvg(look: Look, { x, y, z }: Point): string {
  const { half, front, back, bottom, top } = BODY
  const cone = [
    look.view.project(x - 3.2, y, z + 4),
    look.view.project(x + 3.2, y, z + 4),
    look.view.project(x + 0.7, y, z),
    look.view.project(x - 0.7, y, z),
  ]
  return (
    sideFace(look, x + half, y - front, z + bottom, y + back, z + top, 'rgb(24,24,27)') +
    topFace(look, z + top, x - half, y - front, x + half, y + back, 'rgb(64,65,70)') +
    frontFace(look, y - front, x - half, z + bottom, x + half, z + top, 'rgb(38,38,42)') +
    frontFace(look, y - 8, x - 8, z + 4, x + 9, z + bottom, 'rgb(112,108,100)') +
    sideFace(look, x + 9, y - 8, z + 4, y + 8, z + bottom, 'rgb(74,71,66)') +
    `<polygon points="${points(cone)}" fill="rgb(176,140,66)"/>`
  )
}

function fanSvg(look: Look, { x, y, z }: Point, isHot: boolean): string {
  const [cx, cy] = look.view.project(x, y - BODY.front, z + (BODY.bottom + BODY.top) / 2 + 4)
  const radius = 15 * look.view.scale
  const blades = Array.from({ length: 7 }, (_, i) => {
    const turn = (i / 7) * Math.PI * 2 + x * 0.3
    const [bx, by] = [cx + radius * 0.86 * Math.cos(turn), cy + radius * 0.86 * Math.sin(turn)]
    return line([cx, cy], [bx, by], 'rgb(70,70,76)', 7)
  })
  const [lx, ly] = look.view.project(x - BODY.half + 4, y - BODY.front, z + BODY.bottom + 5)
  const light = circle(lx, ly, 9, 'rgba(255,60,40,0.25)') + circle(lx, ly, 3, 'rgb(255,70,50)')
  return (
    circle(cx, cy, radius + 1, 'rgb(58,58,62)') +
    circle(cx, cy, radius - 1, 'rgb(16,16,18)') +
    blades.join('') +
    circle(cx, cy, radius * 0.32, 'rgb(50,50,54)') +
    (isHot ? light : '')
  )
}

function cableSvg(look: Look, { x, y, z }: Point): string {
  const [tx, ty] = look.view.project(x, y + 10, z + BODY.top)
  const path = `M${tx} ${ty} C${tx + 20} ${ty - 90} ${tx + 150} ${ty - 70} ${tx + 210} ${ty - 170}`
  return `<path d="${path}" fill="none" stroke="rgb(20,20,22)" stroke-width="9"/>`
}

function circle(x: number, y: number, radius: number, fill: string): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`
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
